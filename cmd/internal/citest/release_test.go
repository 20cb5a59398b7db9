package citest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/testkit"
)

// release is the part of .goreleaser.yaml that the tests read.
type release struct {
	Builds []struct {
		Main                string
		Env, Flags, Ldflags []string
		GOOS, GOARCH        []string
	}
}

func releaseOf(t *testing.T) release {
	t.Helper()
	var r release
	if err := yaml.Unmarshal([]byte(testkit.Read(t, top(t), ".goreleaser.yaml")), &r); err != nil || len(r.Builds) != 1 {
		t.Fatalf("%d builds, %v", len(r.Builds), err)
	}
	return r
}

// build builds the program in a folder, with the flags of a release.
func build(t *testing.T, dir, goos, goarch string) string {
	t.Helper()
	b := releaseOf(t).Builds[0]
	out := filepath.Join(t.TempDir(), "amlfix")
	args := append([]string{"build", "-o", out}, b.Flags...)
	cmd := exec.Command("go", append(args, "-ldflags", strings.Join(b.Ldflags, " "), b.Main)...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), b.Env...), "GOFLAGS=", "GOOS="+goos, "GOARCH="+goarch)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %q: %v\n%s", cmd.Args, err, text)
	}
	return out
}

// largest is the maximum size in bytes of the program for Linux. Before raising it, check whether something finds
// methods by name, which keeps all methods of all types: go build -ldflags=-dumpdep -o /dev/null ./cmd/amlfix 2>&1 |
// grep ReflectMethod
const largest = 21_680_000

// TestReproducible builds a tagged commit twice, in different folders, and compares the bytes. With AMLFIX_RELEASE=1 it
// builds all platforms.
func TestReproducible(t *testing.T) {
	testkit.Set(t, testkit.Channels)
	t.Parallel()
	one, _ := published(t)
	testkit.Git(t, one, "tag", "v1.2.3")
	two := filepath.Join(t.TempDir(), "quite", "another folder")
	testkit.Git(t, one, "clone", "-q", one, two)
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	testkit.OK(t, err)
	modules := strings.TrimSpace(string(out))
	platforms := [][2]string{{"linux", "amd64"}}
	if os.Getenv("AMLFIX_RELEASE") == "1" {
		platforms = nil
		for _, goos := range releaseOf(t).Builds[0].GOOS {
			for _, goarch := range releaseOf(t).Builds[0].GOARCH {
				platforms = append(platforms, [2]string{goos, goarch})
			}
		}
	}
	for _, p := range platforms {
		a, b := build(t, one, p[0], p[1]), build(t, two, p[0], p[1])
		first := testkit.Read(t, a)
		if first != testkit.Read(t, b) {
			t.Errorf("%s/%s: two folders give two programs", p[0], p[1])
		}
		for _, trace := range []string{one, two, modules} {
			if strings.Contains(first, trace) {
				t.Errorf("%s/%s: the program names the folder %s", p[0], p[1], trace)
			}
		}
		if p == [2]string{"linux", "amd64"} {
			if len(first) > largest {
				t.Errorf("the program has %d bytes, more than %d", len(first), largest)
			}
			if out, err := exec.Command(a, "--version").Output(); err != nil || !strings.HasPrefix(string(out), "amlfix 1.2.3 (go") {
				t.Errorf("amlfix --version: %q, %v", out, err)
			}
		}
	}
}

// TestReleasedPlatforms checks that all promised platforms are built.
func TestReleasedPlatforms(t *testing.T) {
	b := releaseOf(t).Builds[0]
	testkit.Same(t, [][]string{{"linux", "darwin", "windows"}, {"amd64", "arm64"}}, [][]string{b.GOOS, b.GOARCH})
}

// TestExtras builds the other contents of a release.
func TestExtras(t *testing.T) {
	testkit.Set(t, testkit.Channels)
	t.Parallel()
	testkit.Program(t, "bash")
	dir, _ := published(t)
	cmd := exec.Command(filepath.Join(dir, ".ci", "extras"))
	cmd.Env = buildEnv()
	testkit.Output(t, cmd)
	for name, begin := range map[string]string{"amlfix.1": ".TH AMLFIX 1", "amlfix.bash": "# bash completion", "amlfix.zsh": "#compdef amlfix", "amlfix.fish": "# fish", "amlfix.powershell": "# PowerShell"} {
		if got := testkit.Read(t, dir, "build/extras/"+name); !strings.HasPrefix(got, begin) {
			t.Errorf("%s: %.40q", name, got)
		}
	}
}

// TestGoreleaserAgrees has goreleaser itself check its configuration, which must not use deprecated settings.
func TestGoreleaserAgrees(t *testing.T) {
	cmd := exec.Command(filepath.Join(releaseTools(t), "goreleaser"), "check")
	cmd.Dir, _ = published(t)
	testkit.Git(t, cmd.Dir, "remote", "add", "origin", "https://github.com/amlfix/amlfix")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
