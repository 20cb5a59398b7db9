package schema

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestYAMLNames(t *testing.T) {
	text := "a: my.env.yml\n\"b/c d.YAML\": [x.yml,y.yaml,.yml] .y z.ym a.yml.bak {e.ya.yml} v1.2.3 ../q.yml\r\n"
	for range 2 { // with and without a line end behind the last
		var got []string
		for name := range yamlNames([]byte(text)) {
			got = append(got, string(name))
		}
		want := []string{"my.env.yml", "d.YAML", "x.yml", "y.yaml", ".yml", "e.ya.yml", "../q.yml"}
		testkit.Same(t, want, got, "%q", text)
		text = strings.TrimSpace(text)
	}
}
