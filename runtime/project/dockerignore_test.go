package project

import (
	"slices"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestDockerIgnore compares with what `docker build` sends.
func TestDockerIgnore(t *testing.T) {
	all := []string{"!b", "#h", "Dockerfile", "a.txt", "b.log", "data/deep/y.log", "data/keep.txt", "foo1", "src/.env", "src/a.py", "src/b.log"}
	content := map[string]string{}
	for _, name := range all {
		content[name] = ""
	}
	for text, left := range map[string][]string{
		"":                              nil,
		"*.log":                         {"b.log"},
		"\ufeff**/*.log":                {"b.log", "data/deep/y.log", "src/b.log"},
		"data":                          {"data/deep/y.log", "data/keep.txt"},
		" /data/ \r\n":                  {"data/deep/y.log", "data/keep.txt"},
		"data\n!data/keep.txt":          {"data/deep/y.log"},
		"*\n!src\n!foo?":                {"!b", "#h", "a.txt", "b.log", "data/deep/y.log", "data/keep.txt"},
		"#h\n\\#h\n!b\n\\!b":            {"!b", "#h"},
		"src/**\n!src/../src/a.py\n.\n": {"src/.env", "src/b.log"},
	} {
		content[dockerIgnore] = text
		var s Snapshot
		testkit.OK(t, s.JoinContext(testkit.Lay(t, content), "Dockerfile"))
		var got []string
		for _, e := range s.joined[0].list {
			if !e.Mode.IsDir() && e.Path != dockerIgnore {
				got = append(got, e.Path)
			}
		}
		testkit.Same(t, slices.DeleteFunc(slices.Clone(all), func(f string) bool { return slices.Contains(left, f) }), got, "%q", text)
	}
}
