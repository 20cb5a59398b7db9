package citest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/tooltest"
	"github.com/amlfix/amlfix/schema/testkit"
)

// mostWheel is the maximum size of a wheel in bytes.
const mostWheel = 12 << 20

// wheels makes wheels from programs, given by platform, in a new folder.
func wheels(t *testing.T, version string, programs map[string]string) string {
	t.Helper()
	dist, out := t.TempDir(), t.TempDir()
	for platform, program := range programs {
		name := "amlfix"
		if strings.HasPrefix(platform, "windows") {
			name += ".exe"
		}
		text := []byte(testkit.Read(t, program))
		testkit.OK(t, os.MkdirAll(filepath.Join(dist, "amlfix_"+platform), 0o755))
		testkit.OK(t, os.WriteFile(filepath.Join(dist, "amlfix_"+platform, name), text, 0o755)) //nolint:gosec // a program
	}
	cmd := exec.Command(filepath.Join(tooltest.Python(t), "python"), filepath.Join(top(t), "cmd/python/wheels.py"), version, dist, out)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("wheels.py: %v\n%s", err, text)
	}
	return out
}

// index serves a folder of wheels like PyPI (PEP 503), on loopback.
func index(t *testing.T, dir string) string {
	t.Helper()
	s := httptest.NewServer(http.StripPrefix("/simple/amlfix", http.FileServer(http.Dir(dir))))
	t.Cleanup(s.Close)
	return s.URL + "/simple"
}

// TestWheelTags checks the platforms of the wheels, and that the same programs result in the same wheels. The programs
// of other platforms are stand-ins.
func TestWheelTags(t *testing.T) {
	testkit.Set(t, testkit.Channels)
	t.Parallel()
	standIn := filepath.Join(top(t), "LICENSE")
	programs := map[string]string{}
	for _, platform := range []string{"linux_amd64_v1", "linux_arm64_v8.0", "darwin_amd64_v1", "darwin_arm64_v8.0", "windows_amd64_v1", "windows_arm64_v8.0"} {
		programs[platform] = standIn
	}
	first, second := wheels(t, "1.2.3", programs), wheels(t, "1.2.3", programs)
	testkit.Same(t, []string{
		"amlfix-1.2.3-py3-none-macosx_12_0_arm64.whl", "amlfix-1.2.3-py3-none-macosx_12_0_x86_64.whl",
		"amlfix-1.2.3-py3-none-manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64.whl",
		"amlfix-1.2.3-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64.whl",
		"amlfix-1.2.3-py3-none-win_amd64.whl", "amlfix-1.2.3-py3-none-win_arm64.whl",
	}, names(t, first))
	for _, name := range names(t, first) {
		testkit.Same(t, testkit.Read(t, first, name), testkit.Read(t, second, name), "%s", name)
	}
}

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	testkit.OK(t, err)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// TestWheel installs this machine's wheel with pip, uv and pipx, in every Python on the machine, and uses each way to
// start it.
func TestWheel(t *testing.T) {
	testkit.Set(t, testkit.Channels)
	t.Parallel()
	bin := tooltest.Python(t)
	dir := wheels(t, "1.2.3", map[string]string{"linux_amd64_v1": build(t, top(t), "linux", "amd64")})
	for _, name := range names(t, dir) {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() > mostWheel {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	url, home := index(t, dir), t.TempDir()
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = t.TempDir()
		cmd.Env = append(os.Environ(), "UV_CACHE_DIR="+home+"/uv", "PIPX_HOME="+home+"/pipx", "PIP_DISABLE_PIP_VERSION_CHECK=1", "HOME="+home)
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s %q: %v\n%s", name, args, err, text)
		}
		return string(text)
	}
	same := func(version string) {
		t.Helper()
		if !strings.Contains(version, "amlfix ") || !strings.Contains(version, "linux/amd64") {
			t.Errorf("it is not amlfix: %q", version)
		}
	}
	same(run(filepath.Join(bin, "uvx"), "--index-url", url, "amlfix", "--version"))
	same(run(filepath.Join(bin, "pipx"), "run", "--index-url", url, "amlfix", "--version"))
	pythons := pythons(t)
	for i, python := range pythons {
		env := filepath.Join(home, "env", fmt.Sprint(i))
		if i == 0 {
			run(python, "-m", "venv", env)
			run(filepath.Join(env, "bin", "pip"), "install", "--index-url", url, "amlfix")
		} else {
			run(filepath.Join(bin, "uv"), "venv", "-q", "--python", python, env)
			run(filepath.Join(bin, "uv"), "pip", "install", "-q", "--python", env, "--index-url", url, "amlfix")
		}
		same(run(filepath.Join(env, "bin", "amlfix"), "--version"))
		same(run(filepath.Join(env, "bin", "python"), "-m", "amlfix", "--version"))
		const script = `import amlfix, sys
found = amlfix.check(sys.argv[1])
print(sorted({f.rule for f in found if f.severity == "error"}), found[0].fix, found[0].line)
open("vm.compute", "w").write("type: localdocker\nshared: 1 # amlfix: ignore schema/unknown-key\n")
print([len([f for f in amlfix.check("vm.compute", *a) if f.rule == "schema/unknown-key"]) for a in ([], ["--isolated"])])
for arguments in [".", "--nothing-like-it"], ["no-such-folder"]:
    try:
        print(amlfix.check(*arguments))
    except amlfix.AmlfixError as e:
        print(e)
`
		got := run(filepath.Join(env, "bin", "python"), "-c", script, filepath.Join(top(t), "testdata/article"))
		testkit.Has(t, got, "['gpu/base-image', 'gpu/cpu-package', 'gpu/cpu-wheel', 'gpu/framework', 'gpu/nvidia-docker', 'wheel/platform'] use \"tensorflow-gpu\" 5\n[0, 1]\n", "--nothing-like-it", "no-such-folder: no such file or folder")
	}
	t.Logf("%d Pythons: %q", len(pythons), pythons)
}

// pythons returns this machine's Pythons that the wheel supports, one of each version: those on PATH, Debian's, and
// those of pyenv.
func pythons(t *testing.T) (paths []string) {
	t.Helper()
	home, _ := os.UserHomeDir()
	found := []string{testkit.Program(t, "python3")}
	for _, pattern := range []string{"/usr/bin/python3.*", "/usr/local/bin/python3.*", home + "/.pyenv/versions/*/bin/python3"} {
		more, _ := filepath.Glob(pattern)
		found = append(found, more...)
	}
	seen := map[string]bool{}
	for _, path := range found {
		out, err := exec.Command(path, "-c", "import sys, ensurepip; assert sys.version_info >= (3, 7); print(sys.version_info[:2], sys.executable)").Output()
		version, real, _ := strings.Cut(strings.TrimSpace(string(out)), ") ")
		if err == nil && !seen[version] {
			seen[version] = true
			paths = append(paths, real)
		}
	}
	return paths
}
