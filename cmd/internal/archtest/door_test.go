package archtest

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/amlfix/amlfix/schema/testkit"
)

// load type-checks packages for an operating system.
func load(t *testing.T, system string, patterns ...string) []*packages.Package {
	t.Helper()
	arch := "amd64"
	if system == "js" {
		arch = "wasm"
	}
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedSyntax,
		Dir:  "../../..",
		Env:  append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0"),
	}, patterns...)
	testkit.OK(t, err)
	for _, p := range pkgs {
		for _, err := range p.Errors {
			t.Fatal(err)
		}
	}
	return pkgs
}

// program returns the packages of this module that make up the program on a system; in a browser, these are the
// playground's and all but those of runtime and cmd.
func program(t *testing.T, system string) (list []string) {
	t.Helper()
	env := []string{"GOOS=" + system, "CGO_ENABLED=0"}
	if system == "js" {
		env = []string{"GOOS=linux", "CGO_ENABLED=0"} // cmd cannot be listed there
	}
	for path := range strings.FieldsSeq(string(goCommand(t, env, "list", "-deps", "./cmd/amlfix"))) {
		if inBrowser := area(path) != "cmd" && area(path) != "runtime"; strings.HasPrefix(path, Module+"/") && (inBrowser || system != "js") {
			list = append(list, path)
		}
	}
	if system == "js" {
		for path := range strings.FieldsSeq(string(goCommand(t, browser, "list", "-deps", playground))) {
			if strings.HasPrefix(path, Module+"/") && !slices.Contains(list, path) {
				list = append(list, path)
			}
		}
	}
	return list
}

// TestOneDoor checks that only schema/disk changes the file system, on each system for which the program is built, and
// in a browser.
//
//testkit:norace
func TestOneDoor(t *testing.T) {
	t.Parallel()
	for _, system := range []string{"linux", "windows", "darwin", "js"} {
		t.Run(system, func(t *testing.T) {
			t.Parallel()
			var inside []string
			for _, path := range program(t, system) {
				if path != theDoor {
					inside = append(inside, path)
				}
			}
			if len(inside) < 25 {
				t.Errorf("the program consists of %d packages only", len(inside))
			}
			for _, found := range Doors(load(t, system, inside...)) {
				t.Errorf("%s: write through schema/disk, or list it in doorlists.go", found)
			}
		})
	}
}

// TestDoors proves that the check can fail, and on what.
func TestDoors(t *testing.T) {
	const folder = "./cmd/internal/archtest/testdata/door"
	for system, other := range map[string]string{"linux": "on_unix.go", "windows": "on_windows.go"} {
		want := map[string]bool{}
		for _, name := range []string{"door.go", other} {
			for n, line := range strings.Split(testkit.Read(t, "testdata/door", name), "\n") {
				if strings.Contains(line, "// forbidden") || strings.HasPrefix(line, "//go:linkname") {
					want[name+":"+strconv.Itoa(n+1)] = true
				}
			}
		}
		if len(want) < 40 {
			t.Errorf("%s: only %d lines are forbidden", system, len(want))
		}
		got := map[string]bool{}
		for _, found := range Doors(load(t, system, folder)) {
			got[strings.SplitN(found, ": ", 3)[1]] = true
		}
		testkit.Same(t, want, got, system)
	}
}
