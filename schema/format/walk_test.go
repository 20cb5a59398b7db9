package format_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestWalk checks the places of a document.
func TestWalk(t *testing.T) {
	type view struct {
		Switch, Number, Text, Loose, Secret bool
		Known                               []string
	}
	for name, test := range map[string]struct {
		kind format.Kind
		text string
		want map[string]view
	}{
		"compute target": {format.Compute, "type: cluster\nnvidiaDocker: yes\naddress: x\nnodeCount: 010\nx: y\n", map[string]view{
			"":              {Known: []string{"nvidiaDocker", "sharedVolumes", "native"}},
			"/type":         {},
			"/nvidiaDocker": {Switch: true},
			"/address":      {Text: true},
			"/nodeCount":    {Number: true},
		}},
		"Workbench": {format.WorkbenchRunConfig, "ArgumentVector: [a]\nEnvironmentVariables: {A_KEY: 1}\n", map[string]view{
			"":                            {},
			"/ArgumentVector":             {},
			"/ArgumentVector/0":           {Text: true, Loose: true},
			"/EnvironmentVariables":       {},
			"/EnvironmentVariables/A_KEY": {Text: true, Loose: true, Secret: true},
		}},
		"SDK v1": {format.SDKRunConfig, "Environment:\n  docker:\n    gpu_support: 1\n  version: 8\nnode_count: 2\nscript: a\n", map[string]view{
			"":                                {},
			"/Environment":                    {Text: true},
			"/Environment/docker":             {Known: []string{"sharedVolumes", "shared_volumes"}},
			"/Environment/docker/gpu_support": {Switch: true},
			"/Environment/version":            {Text: true, Loose: true},
			"/node_count":                     {Number: true},
			"/script":                         {Text: true, Loose: true},
		}},
		"text for a mapping": {format.SDKRunConfig, "docker: a\n", map[string]view{"": {}, "/docker": {Known: []string{"sharedVolumes", "shared_volumes"}}}},
		"not a mapping":      {format.Compute, "nvidiaDocker:true\n", map[string]view{"": {Known: []string{"nvidiaDocker", "sharedVolumes", "native"}}}},
		"conda":              {format.Conda, "dependencies:\n- a\n- pip: [b]\n", map[string]view{"": {}, "/dependencies": {}, "/dependencies/0": {Text: true}, "/dependencies/1": {Text: true}, "/dependencies/1/pip": {}, "/dependencies/1/pip/0": {Text: true}}},
		"nothing":            {format.Conda, "", map[string]view{}},
		"unknown kind":       {"x", "a: b\n", map[string]view{}},
	} {
		t.Run(name, func(t *testing.T) {
			got := map[string]view{}
			format.Walk(test.kind, document.Parse(source.New("x", []byte(test.text))).Root(), func(_, n *document.Node, p *format.Place) {
				v := view{Switch: p.Switch(), Number: p.Number(), Text: p.Text(), Loose: p.Loose(), Secret: p.Secret()}
				for _, key := range []string{"nvidiaDocker", "sharedVolumes", "shared_volumes", "native"} {
					if p.Knows(key) {
						v.Known = append(v.Known, key)
					}
				}
				got[n.Pointer()] = v
			})
			testkit.Same(t, test.want, got)
		})
	}
}
