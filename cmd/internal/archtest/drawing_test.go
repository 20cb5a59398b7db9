package archtest

import (
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

var (
	drawnFolder = regexp.MustCompile(`([a-z0-9]+)/`)
	arrows      = regexp.MustCompile("`([a-z]+(?: → [a-z]+)+)`")
)

// TestDrawing checks that docs/architecture.md draws the architecture as it is: all folders, except those in a drawn
// folder that is more than an area, and the arrows of TestImportsPointDown. Internal packages of an area are not drawn,
// except in cmd, where everything is internal.
func TestDrawing(t *testing.T) {
	parts := strings.SplitN(testkit.Read(t, "../../../docs/architecture.md"), "```", 3)
	folders := map[string]bool{}
	for line := range strings.Lines(parts[1]) { // a folder, optionally with folders in it
		if folder, about, found := strings.Cut(line, "/ "); found {
			folders[folder] = true
			for _, m := range drawnFolder.FindAllStringSubmatch(about, -1) {
				folders[folder+"/"+m[1]] = true
			}
		}
	}
	all, err := packagesOf()
	testkit.OK(t, err)
	for p := range all {
		p = short(p)
		drawn := strings.Contains(strings.TrimPrefix(p, "cmd/internal"), "/internal/")
		for folder := p; strings.Contains(folder, "/") && folder != "cmd/internal" || folder == p; folder = path.Dir(folder) {
			drawn = drawn || folders[folder]
		}
		if !drawn {
			t.Errorf("%s is not drawn", p)
		}
	}
	for folder := range folders {
		if info, err := os.Stat("../../../" + folder); err != nil || !info.IsDir() {
			t.Errorf("%s is drawn, but not there", folder)
		}
	}
	drawn := map[string][]string{"schema": {}}
	sentence, _, _ := strings.Cut(strings.TrimSpace(parts[2]), "\n\n")
	for _, m := range arrows.FindAllStringSubmatch(sentence, -1) {
		areas := strings.Split(m[1], " → ")
		for i, from := range areas {
			drawn[from] = slices.Compact(slices.Sorted(slices.Values(append(drawn[from], areas[i+1:]...))))
		}
	}
	for _, from := range slices.Sorted(maps.Keys(below)) {
		testkit.Same(t, slices.Sorted(slices.Values(below[from])), drawn[from], "the arrows from "+from)
	}
}
