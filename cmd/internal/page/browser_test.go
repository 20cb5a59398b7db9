package page

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/tooltest"
	"github.com/amlfix/amlfix/schema/testkit"
)

// look is what testdata/look.mjs observed on a page.
type look struct {
	File, Scheme, Name, Title, Background, FirstFocus, Proof, Where string
	Errors, Requests, Out, Lost, Verdicts, Landmarks                []string
	Overflow, Uncaptioned                                           int
	Headings                                                        []int
	VerdictTop, Contrast                                            float64
	Charts                                                          []struct {
		Name        string
		Drawn, Wide bool
	}
}

// TestBrowser opens pages in a real browser: on a phone and on a wide screen, in light and dark mode.
// AMLFIX_TEST_BROWSER names a folder in which to keep screenshots.
func TestBrowser(t *testing.T) {
	folder := tooltest.Pictures(t, "")
	testkit.OK(t, os.MkdirAll(folder, 0o755))
	args := []string{folder}
	for name, r := range map[string]Run{"gpu": onGPU(t), "failed": failed(t), "hostile": everywhere(t, strings.Join(hostile, " ")+strings.Repeat("wide", 500))} {
		file := filepath.Join(folder, name+".html")
		testkit.OK(t, os.WriteFile(file, []byte(written(t, r)), 0o600))
		args = append(args, file)
	}
	var looks []look
	tooltest.Browse(t, &looks, "look.mjs", args...)
	if len(looks) != 12 {
		t.Fatalf("%d looks", len(looks))
	}
	backgrounds := map[string]bool{}
	for _, l := range looks {
		t.Run(l.File+" "+l.Name+" "+l.Scheme, l.check)
		backgrounds[l.Scheme+l.Background] = true
	}
	if len(backgrounds) != 2 || backgrounds["light"+looks[len(looks)-1].Background] {
		t.Errorf("the schemes are not two: %v", backgrounds)
	}
}

func (l look) check(t *testing.T) {
	for what, list := range map[string][]string{"errors on the console": l.Errors, "requests": l.Requests, "wider than the screen": l.Out, "links that lead out of view": l.Lost} {
		if len(list) > 0 {
			t.Errorf("%s: %q", what, list)
		}
	}
	if l.Overflow > 0 || l.Uncaptioned > 0 || l.Contrast < 4.5 || l.FirstFocus != "Skip to the results" || l.VerdictTop > 740/2 && l.File != "hostile.html" {
		t.Errorf("%d pixels too wide, %d tables without a caption, contrast %.1f of %s, first focus %q, verdict at %v", l.Overflow, l.Uncaptioned, l.Contrast, l.Where, l.FirstFocus, l.VerdictTop)
	}
	testkit.Same(t, []string{"header", "nav", "main", "footer"}, l.Landmarks)
	for i, h := range l.Headings {
		if i == 0 && h != 1 || i > 0 && (h == 1 || h > l.Headings[i-1]+1) {
			t.Errorf("headings %v", l.Headings)
		}
	}
	for _, c := range l.Charts {
		if !c.Drawn || !c.Wide {
			t.Errorf("a chart is empty: %+v", c)
		}
	}
	switch l.File {
	case "gpu.html":
		var names []string
		for _, c := range l.Charts {
			names = append(names, c.Name)
		}
		testkit.Same(t, []string{"loss", "val/accuracy", "train/loss per step", "gradient norm", "GPU 0: busy", "GPU 0: memory used, of 16.1 GB", "GPU 1: busy", "GPU 1: memory used, of 16.1 GB"}, names)
		testkit.Same(t, "3\nCreated TensorFlow device (/job:localhost/device:GPU:0)", l.Proof, "the line of the proof")
		if !strings.HasPrefix(l.Verdicts[0], "Outcome ✓succeeded after 20m00s") || !strings.HasPrefix(l.Verdicts[1], "GPU ✓GPU used: 2 × Tesla T4") {
			t.Errorf("%q", l.Verdicts)
		}
	case "failed.html":
		if len(l.Charts) > 0 || !strings.HasPrefix(l.Verdicts[0], "Outcome ✕failed with exit code 1 after 800ms") || !strings.HasPrefix(l.Verdicts[1], "GPU –no evidence") {
			t.Errorf("%d charts, %q", len(l.Charts), l.Verdicts)
		}
	}
}
