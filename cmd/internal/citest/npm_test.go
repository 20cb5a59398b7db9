package citest

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// channels writes what package managers need for a release in which only the program for Linux on amd64 is real.
func channels(t *testing.T) string {
	t.Helper()
	dist, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	var sums strings.Builder
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for _, goarch := range []string{"amd64", "arm64"} {
			name, ending := "amlfix", ".tar.gz"
			if goos == "windows" {
				name, ending = "amlfix.exe", ".zip"
			}
			testkit.Write(t, dist, "amlfix_"+goos+"_"+goarch+"_x/"+name, "")
			fmt.Fprintf(&sums, "%064d  amlfix_1.2.3_%s_%s%s\n", 0, goos, goarch, ending)
		}
	}
	testkit.Write(t, dist, "checksums.txt", sums.String()+strings.Repeat("0", 64)+"  amlfix-1.2.3.tar.gz\n")
	testkit.OK(t, os.Rename(build(t, top(t), "linux", "amd64"), filepath.Join(dist, "amlfix_linux_amd64_x/amlfix")))
	makeChannels(t, dist, out)
	return out
}

// makeChannels runs the command that a release runs.
func makeChannels(t *testing.T, dist, out string) {
	t.Helper()
	cmd := exec.Command("go", "run", "./cmd/internal/channels", dist, out)
	cmd.Dir = top(t)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}

// registry packs the npm packages below a folder, and serves them like npm's registry, on loopback.
func registry(t *testing.T, npm, packages string) string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(packages, "*"))
	testkit.OK(t, err)
	tarballs, documents := t.TempDir(), map[string]any{}
	pack := exec.Command(npm, append([]string{"pack", "--json", "--pack-destination", tarballs}, dirs...)...)
	pack.Stderr = os.Stderr
	out, err := pack.Output()
	testkit.OK(t, err)
	var packed []struct{ Name, Version, Filename string }
	testkit.OK(t, json.Unmarshal(out, &packed))
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if document, ok := documents[strings.TrimPrefix(r.URL.Path, "/")]; ok {
			_ = json.NewEncoder(w).Encode(document)
			return
		}
		http.FileServer(http.Dir(tarballs)).ServeHTTP(w, r)
	}))
	s.Start()
	t.Cleanup(s.Close)
	if len(packed) != len(dirs) || len(dirs) != 7 {
		t.Fatalf("%d packages of %q: %s", len(packed), dirs, out)
	}
	for i, p := range packed {
		var manifest map[string]any
		testkit.OK(t, json.Unmarshal([]byte(testkit.Read(t, dirs[i], "package.json")), &manifest))
		if manifest["name"] != p.Name {
			t.Fatalf("%s holds %v, not %s", dirs[i], manifest["name"], p.Name)
		}
		sum := sha512.Sum512([]byte(testkit.Read(t, tarballs, p.Filename)))
		manifest["dist"] = map[string]any{"tarball": s.URL + "/" + p.Filename, "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}
		documents[p.Name] = map[string]any{"name": p.Name, "dist-tags": map[string]any{"latest": p.Version}, "versions": map[string]any{p.Version: manifest}}
	}
	return s.URL
}

// TestNpm installs the npm packages with npm from a registry on loopback, and uses them.
func TestNpm(t *testing.T) {
	testkit.Set(t, testkit.Channels)
	t.Parallel()
	npm := testkit.Program(t, "npm")
	project, home := t.TempDir(), t.TempDir()
	url := registry(t, npm, filepath.Join(channels(t), "npm"))
	run := func(want int, name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = project
		cmd.Env = append(os.Environ(), "HOME="+home, "npm_config_registry="+url, "npm_config_audit=false", "npm_config_update_notifier=false")
		text, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != want {
			t.Errorf("%s %q: %v, want %d\n%s", name, args, err, want, text)
		}
		return string(text)
	}
	testkit.Write(t, project, "package.json", "{}\n")
	testkit.Write(t, project, "aml_config/x.compute", "type: loca\n")
	run(0, npm, "install", "--save-dev", "amlfix")
	testkit.Same(t, []string{"amlfix-1.2.3", "linux-x64-1.2.3"}, installed(t, project))
	start := filepath.Join(project, "node_modules", ".bin", "amlfix")
	if got := run(0, start, "--version"); !strings.Contains(got, "linux/amd64") {
		t.Errorf("it is not amlfix: %q", got)
	}
	if got := run(1, start, "--format", "concise"); !strings.Contains(got, "schema/value") {
		t.Errorf("%s", got)
	}
	if got := run(0, npm, "exec", "--yes", "amlfix", "--", "--version"); !strings.Contains(got, "linux/amd64") {
		t.Errorf("it is not amlfix: %q", got)
	}
	server := exec.Command(start, "lsp")
	stdin, err := server.StdinPipe() // it waits for messages
	testkit.OK(t, err)
	defer func() { _ = stdin.Close() }()
	testkit.OK(t, server.Start())
	var pid int
	testkit.Until(t, "the program to start", func() bool { pid = child(server.Process.Pid); return pid != 0 })
	testkit.OK(t, server.Process.Signal(syscall.SIGTERM))
	if err := server.Wait(); err == nil {
		t.Error("a server that is ended by a signal succeeds")
	}
	if program, err := os.FindProcess(pid); err == nil && program.Signal(syscall.Signal(0)) == nil {
		t.Error("the launcher has ended, and the program runs on")
	}
	testkit.OK(t, os.RemoveAll(filepath.Join(project, "node_modules", "@amlfix")))
	if got := run(3, start); !strings.Contains(got, "the package @amlfix/linux-x64 is not installed") {
		t.Errorf("%s", got)
	}
}

// child returns the PID of a process's child, or 0.
func child(pid int) int {
	out, _ := exec.Command("ps", "-o", "pid=", "--ppid", strconv.Itoa(pid)).Output() // fails if there is none
	found, _ := strconv.Atoi(strings.TrimSpace(string(out)))
	return found
}

// installed returns amlfix's packages in a project, with their versions.
func installed(t *testing.T, project string) []string {
	t.Helper()
	found := map[string]bool{}
	for _, pattern := range []string{"amlfix", "@amlfix/*"} {
		dirs, err := filepath.Glob(filepath.Join(project, "node_modules", pattern))
		testkit.OK(t, err)
		for _, dir := range dirs {
			var p struct{ Version string }
			testkit.OK(t, json.Unmarshal([]byte(testkit.Read(t, dir, "package.json")), &p))
			found[filepath.Base(dir)+"-"+p.Version] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}
