package schema_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestStartOfSearch checks that a search that begins further down finds the same project of a file.
func TestStartOfSearch(t *testing.T) {
	dir := schema.Identity(t.TempDir())
	t.Setenv("HOME", filepath.Join(dir, "home"))
	t.Setenv("USERPROFILE", filepath.Join(dir, "home"))
	for _, file := range []string{"home/a.yml", "home/one/jobs/a.yml", "shared/a.yml", "shared/one/jobs/a.yml", "own/jobs/a.yml"} {
		testkit.Write(t, dir, file, address("commandJob")+"command: a\n")
	}
	testkit.OK(t, os.Chmod(filepath.Join(dir, "shared"), 0o777|os.ModeSticky))
	for _, tt := range []struct{ from, file, want string }{
		{"own", "own/jobs/a.yml", "own"},
		{"own/jobs", "own/jobs/a.yml", "own/jobs"},
		{"home", "home/a.yml", ""},
		{"home", "home/one/jobs/a.yml", "home/one"},
		{"shared", "shared/a.yml", ""},
		{"shared", "shared/one/jobs/a.yml", "shared/one"},
		{"shared/one", "shared/one/jobs/a.yml", "shared/one"},
	} {
		if runtime.GOOS == "windows" && tt.from == "shared" { // where no folder is everybody's
			continue
		}
		file := filepath.Join(dir, filepath.FromSlash(tt.file))
		from := filepath.Join(dir, filepath.FromSlash(tt.from))
		start := schema.Start(from, file)
		got := ""
		if start != "" {
			got = slashes(t, dir, start)
		}
		testkit.Same(t, tt.want, got)
		if start == "" {
			start = file
		}
		testkit.Same(t, projectOf(t, from, file), projectOf(t, start, file))
	}
	// Every folder of a disk is below its root.
	if got := schema.Start(filepath.VolumeName(dir)+string(filepath.Separator), filepath.Join(dir, "own", "jobs", "a.yml")); !schema.Below(got, dir) || filepath.Dir(got) == got {
		t.Error(got)
	}
}

// projectOf returns the folder of the project in which a search finds a file.
func projectOf(t *testing.T, from, file string) string {
	t.Helper()
	roots, err := schema.Discover([]string{from})
	testkit.OK(t, err)
	i := slices.IndexFunc(roots, func(r schema.Root) bool { return r.Files.Contain(file) })
	if i < 0 {
		t.Fatalf("%s is in no project below %s", file, from)
	}
	return roots[i].Dir
}
