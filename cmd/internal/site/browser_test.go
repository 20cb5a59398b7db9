package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/tooltest"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestBrowser builds the site and uses it in a real browser: every kind of page, navigating from the first page to a
// rule, searching for the same rule, and the playground. AMLFIX_TEST_BROWSER names a folder in which to keep
// screenshots and the site.
func TestBrowser(t *testing.T) {
	folder := tooltest.Pictures(t, "site")
	pictures := filepath.Join(folder, "pictures")
	testkit.OK(t, build(testkit.Root(t), folder))
	testkit.OK(t, os.MkdirAll(pictures, 0o755))
	s := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer s.Close()
	var looks []struct {
		Name, Scheme, Rule, Found string
		Errors, Foreign, Results  []string
		Findings                  int
		Pages                     map[string]struct {
			Title, Where string
			Contrast     float64
			Charts       int
			Out, Images  []string
		}
	}
	tooltest.Browse(t, &looks, "use.mjs", pictures, s.URL)
	if len(looks) != 4 {
		t.Fatalf("%d looks", len(looks))
	}
	for _, l := range looks {
		if len(l.Errors)+len(l.Foreign) > 0 {
			t.Errorf("%s %s: console %q, requests to others %q", l.Name, l.Scheme, l.Errors, l.Foreign)
		}
		titles, drawn := map[string]string{}, map[string]int{}
		for name, p := range l.Pages {
			titles[name] = p.Title
			if p.Charts > 0 {
				drawn[name] = p.Charts
			}
			if p.Contrast < 4.5 || len(p.Out)+len(p.Images) > 0 {
				t.Errorf("%s %s, %s: contrast %.1f of %s, wider than the screen %q, images that are missing %q", l.Name, l.Scheme, name, p.Contrast, p.Where, p.Out, p.Images)
			}
		}
		testkit.Same(t, map[string]string{
			"index": "amlfix", "quickstart": "Quick start", "install": "Installing amlfix", "rules/index": "Rules", "rules/gpu-nvidia-docker": "gpu/nvidia-docker",
			"formats": "The files that amlfix reads", "performance": "Performance", "accuracy": "Accuracy", "playground/index": "The playground",
		}, titles, l.Name, l.Scheme)
		testkit.Same(t, map[string]int{"performance": 3, "accuracy": 2}, drawn, "charts")
		testkit.Has(t, l.Rule, "gpu/nvidia-docker", "error", "A target has a GPU image but does not ask for GPUs.", "Why it matters", "aml_config/vm.compute", "nvidiaDocker: true")
		if len(l.Results) == 0 || l.Results[0] != "gpu/nvidia-docker" || !strings.HasPrefix(l.Found, "gpu/nvidia-docker") {
			t.Errorf("%s %s: nvidiaDocker finds %q, and the first leads to %q", l.Name, l.Scheme, l.Results, l.Found)
		}
		if l.Findings < 5 {
			t.Errorf("%s %s: the playground shows %d findings", l.Name, l.Scheme, l.Findings)
		}
	}
}
