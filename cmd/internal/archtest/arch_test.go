package archtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// goCommand runs the go command at the module's root.
func goCommand(t *testing.T, env []string, args ...string) []byte {
	t.Helper()
	out, err := goOutput(env, args...)
	testkit.OK(t, err)
	return out
}

func goOutput(env []string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = "../../.."
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %v: %w\n%s", args, err, stderr.String())
	}
	return out, nil
}

// listed is a package of this module, and all packages that it holds when it is linked.
type listed struct {
	Name          string
	Imports, Deps []string
}

// packagesOf lists this module once for all tests.
var packagesOf = sync.OnceValues(func() (map[string]listed, error) {
	out, err := goOutput(nil, "list", "-json=ImportPath,Name,Imports,Deps", "./...")
	if err != nil {
		return nil, err
	}
	all := map[string]listed{}
	for list := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath string
			listed
		}
		if err := list.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all[p.ImportPath] = p.listed
	}
})

// deps returns the packages that programs with some packages of this module hold.
func deps(t *testing.T, folders ...string) (list []string) {
	t.Helper()
	all, err := packagesOf()
	testkit.OK(t, err)
	for _, folder := range folders {
		path := Module + strings.TrimPrefix(folder, ".")
		if len(all[path].Deps) == 0 {
			t.Fatalf("there is no package %s", path)
		}
		list = append(append(list, path), all[path].Deps...)
	}
	return list
}

func TestImportsPointDown(t *testing.T) {
	imports := map[string][]string{}
	areas := map[string]bool{}
	all, err := packagesOf()
	testkit.OK(t, err)
	for path, p := range all {
		imports[path] = p.Imports
		areas[area(path)] = true
	}
	for name := range below {
		if !areas[name] {
			t.Errorf("no package of %s was looked at", name)
		}
	}
	for _, v := range Violations(imports) {
		t.Error(v)
	}
}

// TestViolations proves that the check can fail.
func TestViolations(t *testing.T) {
	m := func(path string) string { return Module + "/" + path }
	tests := []struct{ from, to, want string }{
		{m("cmd/amlfix"), m("rules"), ""},
		{m("cmd/amlfix"), m("runtime"), ""},
		{m("cmd/amlfix"), m("cmd/internal/ui"), ""},
		{m("rules"), m("fixers"), ""},
		{m("fixers/edit"), m("schema/document"), ""},
		{m("runtime/docker"), "github.com/docker/docker/client", ""},
		{m("schema"), m("schema/format"), ""},
		{m("schema/format"), m("schema/document"), ""},
		{m("schema/document"), m("schema/source"), ""},
		{m("rules"), m("rules/internal/x"), ""},
		{m("schema"), "gopkg.in/yaml.v3", ""},

		{m("schema/format"), m("schema"), "schema/format imports schema: imports inside schema point down"},
		{m("schema/finding"), m("schema/document"), "schema/finding imports schema/document: imports inside schema point down"},
		{m("schema/source"), m("schema/finding"), "schema/source imports schema/finding: imports inside schema point down"},
		{m("schema"), m("fixers"), "schema imports fixers: schema may import itself"},
		{m("fixers"), m("rules"), "fixers imports rules: fixers may import schema, itself"},
		{m("runtime"), m("rules"), "runtime imports rules: runtime may import schema, itself"},
		{m("runtime"), m("fixers"), "runtime imports fixers: runtime may import schema, itself"},
		{m("rules"), m("runtime"), "rules imports runtime: rules may import fixers, schema, itself"},
		{m("rules"), m("cmd/internal/ui"), "rules imports cmd/internal/ui: nothing imports cmd"},
		{m("cmd/amlfix"), "github.com/docker/docker/client", "cmd/amlfix imports github.com/docker/docker/client: the Docker client belongs under runtime"},
		{m("schema"), "github.com/docker/docker", "schema imports github.com/docker/docker: the Docker client belongs under runtime"},
		{m("attic"), m("schema"), "attic imports schema: the house has no area attic"},
	}
	for _, tt := range tests {
		var want []string
		if tt.want != "" {
			want = []string{tt.want}
		}
		testkit.Same(t, want, Violations(map[string][]string{tt.from: {tt.to}}), "%s imports %s", tt.from, tt.to)
	}
}

// TestJudgesStayOutside checks that the program does not contain what only tests need: other vendors' readers, and test
// helpers.
func TestJudgesStayOutside(t *testing.T) {
	for _, path := range deps(t, "./cmd/amlfix") {
		for _, not := range []string{"k8s.io/", "sigs.k8s.io/", "github.com/compose-spec/", "github.com/google/go-cmp", "testing", Module + "/schema/judge", Module + "/schema/testkit"} {
			if path == strings.TrimSuffix(not, "/") || strings.HasPrefix(path, not) {
				t.Errorf("the program holds %s", path)
			}
		}
	}
}

// TestProgramsValidate checks that every program that validates has the library, which only programs import.
func TestProgramsValidate(t *testing.T) {
	all, err := packagesOf()
	testkit.OK(t, err)
	programs := 0
	for path, p := range all {
		if p.Name != "main" && path != Module+"/cmd/internal/playground" || !slices.Contains(p.Deps, Module+"/schema/format") {
			continue
		}
		if programs++; !slices.Contains(p.Deps, Module+"/schema/format/library") {
			t.Errorf("%s does not import schema/format/library", path)
		}
	}
	if programs < 2 {
		t.Errorf("only %d programs validate", programs)
	}
}

// TestStartIsLean checks that a check that begins before other packages start needs none of those that take long.
func TestStartIsLean(t *testing.T) {
	for _, path := range deps(t, "./cmd/internal/start") {
		for _, not := range []string{"github.com/santhosh-tekuri/", "github.com/urfave/", "github.com/docker/docker", "golang.org/x/crypto", "net/http", "net", "text/template"} {
			if path == strings.TrimSuffix(not, "/") || strings.HasPrefix(path, not) && path != "net/netip" && path != "net/url" {
				t.Errorf("cmd/internal/start holds %s", path)
			}
		}
	}
}

// browser is the environment of the go command for programs that run in a browser.
var browser = []string{"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0"}

// engine is the package that checks files, for both commands and editors.
const engine = "./cmd/internal/check"

// playground is the program behind docs/playground.
const playground = "./cmd/playground/core"

// TestBuildsForBrowsers checks that everything but runtime and cmd builds for a browser, and of cmd the engine and the
// playground.
func TestBuildsForBrowsers(t *testing.T) {
	t.Parallel()
	goCommand(t, browser, "list", "-export", "./schema/...", "./fixers/...", "./rules/...", engine) // it only compiles
	goCommand(t, browser, "vet", playground)
}

// TestEngineStandsAlone checks that the engine, and what tells and writes things for any caller, need neither flags nor
// runtime, and start no process.
func TestEngineStandsAlone(t *testing.T) {
	for path, why := range barred(deps(t, engine, "./cmd/internal/listing", "./cmd/internal/setup")) {
		t.Errorf("the engine holds %s: %s", path, why)
	}
	testkit.Same(t, map[string]string{"os/exec": "it starts processes"}, barred([]string{"os", "os/exec"}))
}

// barred returns those packages that the engine must not use, and why.
func barred(packages []string) map[string]string {
	found := map[string]string{}
	for _, path := range packages {
		for start, why := range map[string]string{
			"github.com/urfave/": "it is for flags", "os/exec": "it starts processes", Module + "/runtime": "it runs jobs",
			Module + "/cmd/internal/cli": "it is for command lines", Module + "/cmd/internal/git": "it starts processes",
		} {
			if strings.HasPrefix(path, start) {
				found[path] = why
			}
		}
	}
	return found
}
