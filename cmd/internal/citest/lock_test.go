package citest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestLockFiles checks that each package of npm's lock files has its address: without it, npm first asks the registry
// for the list of all versions of each package. npm itself leaves addresses out if its settings say so.
func TestLockFiles(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{extension, "cmd/internal/tooltest", "cmd/internal/tooltest/testdata/browser"} {
		var lock struct {
			Packages map[string]struct{ Version, Resolved, Integrity string }
		}
		testkit.OK(t, json.Unmarshal([]byte(testkit.Read(t, top(t), folder, "package-lock.json")), &lock))
		packages := 0
		for name, p := range lock.Packages {
			if name == "" { // the folder's own
				continue
			}
			packages++
			if p.Integrity == "" || !strings.HasPrefix(p.Resolved, "https://registry.npmjs.org/") || !strings.HasSuffix(p.Resolved, "-"+p.Version+".tgz") {
				t.Errorf("%s: %s %s is at %q, with the checksum %q", folder, name, p.Version, p.Resolved, p.Integrity)
			}
		}
		if packages == 0 {
			t.Errorf("%s: no packages", folder)
		}
	}
}
