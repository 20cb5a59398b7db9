package record

import (
	"encoding/json"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestWantsGPUs: records say in a field of their own that the engine was to give
// the job its GPUs; those of earlier versions say it in the plan as it was shown.
func TestWantsGPUs(t *testing.T) {
	for text, want := range map[string]bool{
		`{"gpus":"all"}`: true,
		`{"plan":[{"name":"image","value":"a/b"},{"name":"gpus","value":"all","from":"c.compute:3"}]}`: true,
		`{"plan":[{"name":"gpus","value":"none"}]}`:                                                    false,
		`{"plan":[{"name":"note","value":"all"},{"name":"argument","value":"gpus"}]}`:                  false,
		`{"gpu":{"sentence":"GPU used: all","proven":true}}`:                                           false,
	} {
		var r Record
		testkit.OK(t, json.Unmarshal([]byte(text), &r))
		if got := r.WantsGPUs(); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
