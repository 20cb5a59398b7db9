package archtest

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/testkit"
)

// width is where documents and comments wrap, in characters; a tab takes four.
const width = 120

var (
	codeBlock = regexp.MustCompile("(?ms)^```.*?^```")
	tooWide   = regexp.MustCompile(`(?m)^[^|\n].{120,}$`)
	// paragraph is the text of a comment that begins lines of its own; lists, code and directives are none.
	paragraph = regexp.MustCompile(`(?m)(?:^\t*// [^\s#*-].*\n)+`)
)

// TestWidth checks that documents wrap at one width; tables and code may be wider.
func TestWidth(t *testing.T) {
	for _, pattern := range []string{"../../../*.md", "../../../docs/*.md"} {
		names, err := filepath.Glob(pattern)
		testkit.OK(t, err)
		for _, name := range names {
			for _, line := range tooWide.FindAllString(codeBlock.ReplaceAllString(testkit.Read(t, name), ""), -1) {
				t.Errorf("%s: more than %d characters: %s", name, width, line)
			}
		}
	}
}

// TestCommentsWrap checks that the comments of Go files wrap at the same width, except in generated files.
func TestCommentsWrap(t *testing.T) {
	testkit.OK(t, filepath.WalkDir("../../..", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" {
			return err
		}
		text := testkit.Read(t, name)
		if strings.HasPrefix(text, "// Code generated") {
			return nil
		}
		for _, p := range paragraph.FindAllString(text, -1) {
			testkit.Same(t, "", wrapsElsewhere(p), "%s: wrap the comment at %d characters", name, width)
		}
		return nil
	}))
}

// wrapsElsewhere returns a line that is too wide, or has space for the first word of the next one. A line that ends
// long before the width ends there on purpose, and the others around it may, too.
func wrapsElsewhere(paragraph string) (found string) {
	const onPurpose = 78
	lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(paragraph, "\t", "    "), "\n"), "\n")
	for i, line := range lines {
		wide := utf8.RuneCountInString(line)
		if _, text, _ := strings.Cut(line, "// "); wide > width && strings.Contains(text, " ") {
			return line
		}
		if i == len(lines)-1 {
			break
		}
		next, _, _ := strings.Cut(strings.TrimLeft(lines[i+1], " /"), " ")
		switch wide += 1 + utf8.RuneCountInString(next); {
		case wide <= onPurpose:
			return ""
		case wide <= width:
			found = line
		}
	}
	return found
}

// TestWrapsElsewhere proves that the check can fail, and on what.
func TestWrapsElsewhere(t *testing.T) {
	at := func(columns int) string { return "// " + strings.Repeat("word ", 30)[:columns-3] + "\n" }
	for text, fails := range map[string]bool{
		at(120) + "// end\n":              false,
		at(122) + "// end\n":              true,
		at(100) + "// end\n":              true,
		at(60) + at(100) + "// end\n":     false,
		"\t\t" + at(117) + "\t\t// end\n": true,
		at(100):                           false,
	} {
		if got := wrapsElsewhere(text); (got != "") != fails {
			t.Errorf("%q: %q", text, got)
		}
	}
}
