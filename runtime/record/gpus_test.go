package record

import (
	"encoding/json"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestWantsGPUs checks that records store in a separate field that the engine was to provide GPUs, and that this is
// read from the displayed plan in records of earlier versions.
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
		testkit.Same(t, want, r.WantsGPUs(), text)
	}
}
