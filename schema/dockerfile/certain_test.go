package dockerfile_test

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/dockerfile"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestCertain reads the line at which docker build stops, and what comes from the build context.
func TestCertain(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"all instructions", "ARG A=1\nFROM a\nLABEL a=b\nMAINTAINER b\nonbuild RUN c\n", ""},
		{"an instruction before FROM", "# a\nENV A=1\nFROM a\n", "stray ENV early"},
		{"no FROM", "\ufeffRUN ls\n", "stray RUN early"},
		{"a lost escape", "FROM a\nRUN a && \\\n  b\n  && c\n", "stray &&"},
		{"a template", "FROM a\n{{ steps }}\nls\n", ""},
		{"a text in the file", "FROM a\nRUN <<'E F'\nls\nE F\n", ""},
		{"another syntax", "# syntax = example/frontend:1\nFROM a\nINCLUDE b\n", ""},
		{"Docker's own syntax", "# syntax=docker/dockerfile:1\nFROM a\nINCLUDE b\n", "stray INCLUDE"},
		{"files and folders", "FROM a\nARG B=c.txt\nCOPY --chown=1 ./a.txt $B /d/ /app/\nADD [\"e.txt\", \"/app/\"]\nCOPY a.txt /\n", "a.txt c.txt d e.txt"},
		{"wildcards, addresses and other stages", "FROM a\nCOPY *.txt b[0].txt /\nADD https://a/b.txt /\nADD git@example.com:a.git /\nCOPY --from=b c.txt /\n", ""},
		{"an unused stage", "FROM a AS b\nCOPY c.txt /\nFROM d\nCOPY ../e.txt /\n", "../e.txt"},
	} {
		image := dockerfile.Read([]byte(c.text))
		var got []string
		if s := image.Stray; s != nil {
			got = append(got, "stray "+s.Word)
			testkit.Same(t, s.Word, c.text[s.Span.Start:s.Span.End], c.name)
			if s.Early {
				got = append(got, "early")
			}
		}
		for _, s := range image.Sources {
			got = append(got, s.Path)
			if at := c.text[s.Span.Start:s.Span.End]; !strings.Contains(at, s.Path) && !strings.HasPrefix(at, "$") && at != "/d/" {
				t.Errorf("%s: %s is located at %q", c.name, s.Path, at)
			}
		}
		testkit.Same(t, c.want, strings.Join(got, " "), c.name)
	}
}
