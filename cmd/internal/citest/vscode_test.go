package citest

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

const extension = "editors/vscode"

// extensionModules returns a node_modules folder with the modules that the VS Code extension ships.
func extensionModules(t *testing.T) string {
	t.Helper()
	testkit.Program(t, "npm")
	dir, err := testkit.Cached("vscode", "npm ci --omit=dev --ignore-scripts --loglevel=error --no-audit --no-fund",
		os.DirFS(filepath.Join(top(t), extension)), "package.json", "package-lock.json")
	if err != nil {
		testkit.Unavailable(t, err.Error())
	}
	return filepath.Join(dir, "node_modules")
}

// conversation is what testdata/vscode/drive.cjs received from a server.
type conversation struct {
	Server struct {
		Name, Encoding  string
		Pulls, Prepares bool
	}
	Registered, Notices, Opened, Changed, Quick, Repaired []string
	FixAll, Prepared                                      []any
	Refreshes, Status                                     int
	Refused                                               string
}

// TestVSCodeClient speaks to the server like vscode-languageclient, using the packages of which that consists. It
// requests findings, including for unsaved text; checks that all safe repairs leave the files as amlfix --apply does;
// and that renaming a target changes everything that names it.
func TestVSCodeClient(t *testing.T) {
	t.Parallel()
	node, modules, program := testkit.Program(t, "node"), extensionModules(t), built(t)
	files := testkit.Contents(t, filepath.Join(top(t), "testdata", "article"))
	by, repaired := testkit.Lay(t, files), testkit.Lay(t, files)
	cmd := exec.Command(node, filepath.Join("testdata", "vscode", "drive.cjs"), modules, program, by)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	testkit.OK(t, err)
	var got, want conversation
	testkit.OK(t, json.Unmarshal(out, &got))
	if got.Refreshes == 0 {
		t.Error("the server has not had the findings asked for again")
	}
	want.Server.Name, want.Server.Encoding, want.Server.Pulls, want.Server.Prepares = "amlfix", "utf-16", true, true
	want.Registered = []string{"workspace/didChangeWatchedFiles"}
	want.Notices = []string{} // a client that requests findings gets no notifications
	want.Opened = []string{"5 gpu/nvidia-docker", "5 gpu/retired-hardware", "5 image/removed"}
	want.Changed = []string{"4 ref/target"}
	want.Quick = []string{"preferred: Set nvidiaDocker to true", "Ignore gpu/nvidia-docker here, with a reason"}
	want.FixAll = []any{"source.fixAll.amlfix", 0.0, true}
	want.Repaired = []string{"gpu/retired-hardware", "image/removed"}
	want.Prepared = []any{9.0, 20.0}
	want.Refused = "a name has letters, digits, _ and -, and begins with a letter"
	want.Refreshes = got.Refreshes
	testkit.Same(t, want, got)

	repair(t, program, repaired)
	renamed := testkit.Contents(t, repaired)
	renamed["aml_config/gpubox.compute"] = renamed["aml_config/workstation.compute"]
	delete(renamed, "aml_config/workstation.compute")
	config := "aml_config/workstation.runconfig"
	renamed[config] = strings.Replace(renamed[config], `Target: "workstation"`, `Target: "gpubox"`, 1)
	testkit.Same(t, renamed, testkit.Contents(t, by))
}

// manifest is the part of the extension's package.json that the test reads.
type manifest struct {
	Main                          string
	Dependencies, DevDependencies map[string]string
	Capabilities                  struct {
		UntrustedWorkspaces struct {
			Supported                string
			RestrictedConfigurations []string
		}
	}
	Contributes struct {
		Commands     []struct{ Command string }
		Walkthroughs []struct {
			Steps []struct{ Media struct{ Markdown string } }
		}
	}
}

func readManifest(t *testing.T) (m manifest) {
	t.Helper()
	testkit.OK(t, json.Unmarshal([]byte(testkit.Read(t, top(t), extension, "package.json")), &m))
	return m
}

// TestVSCodeManifest checks the extension's package.json against its code and the server's lenses, and the promises
// made: packages are pinned, only one is shipped, and an untrusted workspace cannot choose the program.
func TestVSCodeManifest(t *testing.T) {
	t.Parallel()
	m := readManifest(t)
	for _, list := range []map[string]string{m.Dependencies, m.DevDependencies} {
		for name, version := range list {
			if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(version) {
				t.Errorf("%s is not pinned: %s", name, version)
			}
		}
	}
	if len(m.Dependencies) != 1 || m.Dependencies["vscode-languageclient"] == "" {
		t.Errorf("ships %v", m.Dependencies)
	}
	untrusted := m.Capabilities.UntrustedWorkspaces
	testkit.Same(t, []string{"limited", "amlfix.path"}, append([]string{untrusted.Supported}, untrusted.RestrictedConfigurations...))

	var commands []string
	for _, c := range m.Contributes.Commands {
		commands = append(commands, c.Command)
	}
	var registered []string
	for _, match := range regexp.MustCompile(`registerCommand\('([^']+)'`).FindAllStringSubmatch(testkit.Read(t, top(t), extension, "src/extension.ts"), -1) {
		registered = append(registered, match[1])
	}
	slices.Sort(commands)
	slices.Sort(registered)
	testkit.Same(t, commands, registered)
	for _, match := range regexp.MustCompile(`"(amlfix\.\w+)"`).FindAllStringSubmatch(testkit.Read(t, top(t), "cmd/internal/lsp/lens.go"), -1) {
		if !slices.Contains(registered, match[1]) {
			t.Errorf("the extension does not carry out %s of the lenses", match[1])
		}
	}
	if w := m.Contributes.Walkthroughs; len(w) != 1 || len(w[0].Steps) != 3 {
		t.Fatalf("%+v", w)
	}
	for _, step := range m.Contributes.Walkthroughs[0].Steps {
		testkit.Read(t, top(t), extension, step.Media.Markdown)
	}
}

// TestVSCodePackage compiles and packages the extension as for a release, and checks the contents of the package:
// everything that the program needs, and none of its source.
func TestVSCodePackage(t *testing.T) {
	if os.Getenv("AMLFIX_TEST_FULL") == "" {
		t.Skip("SKIPPED: part of the set test/full: set AMLFIX_TEST_FULL=1 to run it")
	}
	node := testkit.Program(t, "node")
	testkit.Program(t, "npm")
	clone, _ := published(t)
	dir, vsix := filepath.Join(clone, extension), filepath.Join(t.TempDir(), "amlfix.vsix")
	for _, line := range []string{
		"npm ci --ignore-scripts --loglevel=error --no-audit --no-fund", "npx --no-install tsc --noEmit", "npx --no-install vsce package --out " + vsix,
	} {
		words := strings.Fields(line)
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir = dir
		testkit.Output(t, cmd)
	}
	unpacked := t.TempDir()
	archive, err := zip.OpenReader(vsix)
	testkit.OK(t, err)
	testkit.OK(t, errors.Join(os.CopyFS(unpacked, archive), archive.Close()))
	inside := filepath.Join(unpacked, "extension")
	for _, name := range []string{"readme.md", "LICENSE.txt", "package.json", "walkthrough/find.md", readManifest(t).Main} {
		testkit.Read(t, inside, name)
	}
	for _, name := range []string{"src", "tsconfig.json", "node_modules/typescript", "node_modules/@vscode"} {
		if _, err := os.Lstat(filepath.Join(inside, name)); err == nil {
			t.Errorf("%s is in the package", name)
		}
	}
	// Everything that the code requires is there, except VS Code itself.
	load := `const m = require("module"), load = m._load;
m._load = function (name, ...more) { return name === "vscode" ? new Proxy({}, { get: () => class {} }) : load.call(this, name, ...more); };
process.stdout.write(Object.keys(require(process.argv[1])).sort().join(" "));`
	out, err := exec.Command(node, "-e", load, filepath.Join(inside, readManifest(t).Main)).CombinedOutput()
	if err != nil || string(out) != "activate deactivate" {
		t.Errorf("%v: %s", err, out)
	}
}
