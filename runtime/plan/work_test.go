package plan

import (
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestUnreadableInput checks that an input that cannot be read is named once, by its line or by its flag.
func TestUnreadableInput(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	for want, from := range map[string]Origin{
		"--input data":          {Note: "--input data"},
		"job.yml:7: input data": {Path: "job.yml", Line: 7},
	} {
		p := Plan{Project: t.TempDir(), Work: &Work{Inputs: []Input{{Name: "data", At: ".amlfix/inputs/data", Item: Item{Value: gone, Origin: from}}}}}
		_, err := p.Snapshot()
		if err == nil {
			t.Fatal("it can be read")
		}
		testkit.Same(t, want+": "+gone+": cannot be read: no such file or directory", err.Error())
	}
}
