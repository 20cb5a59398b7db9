package escape

import (
	"context"
	"encoding/json"
	"math"
	"os/exec"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestTerminal(t *testing.T) {
	for text, want := range map[string]string{
		"a plain line, with ümlauts and 漢字":       "a plain line, with ümlauts and 漢字",
		"h\x1b[2J\n::error::INJECTED":             `h\x1b[2J\x0a::error::INJECTED`,
		"::error::x":                              `\x3a:error::x`,
		" \t::error::x":                           ` \x09\x3a:error::x`,
		"\u3000::error::x":                        "\u3000" + `\x3a:error::x`,
		"mmlspark::plus":                          "mmlspark::plus",
		"a ##vso[task.setvariable x] ##[error]y":  `a #\x23vso[task.setvariable x] #\x23[error]y`,
		"####VSO[x":                               `###\x23VSO[x`,
		"## heading [x]":                          "## heading [x]",
		"a\r\tb\x7f":                              `a\x0d\x09b\x7f`,
		"\u009b2J \u202eevil\u202c \u200bx\u2028": `\u009b2J \u202eevil\u202c \u200bx\u2028`,
		"\U000e0041":                              `\U000e0041`,
		"\xff\x9b":                                `\xff\x9b`,
		"\u3000":                                  "\u3000",
		"train\u3164.py t\ufe0frain.py \u115f\uffa0\u034f\u2800": `train\u3164.py t\ufe0frain.py \u115f\uffa0\u034f\u2800`,
		"x\U000e0141": `x\U000e0141`,
		"\u26a0\ufe0f \u26a0\ufe0f\ufe0f \u26a0\ufe01": "\u26a0\ufe0f \u26a0\ufe0f" + `\ufe0f ` + "\u26a0" + `\ufe01`,
	} {
		testkit.Same(t, want, Terminal(text), "%q", text)
	}
}

func TestLinesAndSaid(t *testing.T) {
	testkit.Same(t, "a\n\\x3a:error::b\n\\x1b", Lines("a\n::error::b\n\x1b"))
	testkit.Same(t, `one two \x1b[2J three`, Said(" one\n\ttwo \x1b[2J\r\nthree\n", 50))
	for _, long := range []string{strings.Repeat("x", 1<<20), strings.Repeat("\x1b", 1<<20), strings.Repeat("漢", 1<<18), strings.Repeat(" \n", 1<<18) + "x"} {
		if got := []rune(Said(long, 200)); len(got) > 201 {
			t.Errorf("%d characters remain", len(got))
		}
	}
}

// checkLine fails if a line could control a terminal or be interpreted as a CI command.
func checkLine(t *testing.T, line string) {
	t.Helper()
	before := ' '
	for _, r := range line {
		emoji := (r == '\ufe0e' || r == '\ufe0f') && before > unicode.MaxASCII && unicode.IsSymbol(before)
		if before = r; !unicode.IsPrint(r) && r != '\u3000' || unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) && !emoji {
			t.Errorf("%q holds %q", line, r)
		}
	}
	lower := strings.ToLower(line)
	if !utf8.ValidString(line) || strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(lower, "##[") || strings.Contains(lower, "##vso[") {
		t.Errorf("%q can be read as a command", line)
	}
}

func FuzzTerminal(f *testing.F) {
	for _, seed := range []string{"", "plain", "\x1b[2J", "::error::x", "  ::x", "##vso[x]", "#\x00#[", "\u202e", "\xff", ":\x00:", "\n::", "\u3000::", "\u26a0\ufe0f\ufe0f\u3164"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		one := Terminal(text)
		checkLine(t, one)
		testkit.Same(t, one, Terminal(one), "not the same a second time")
		for line := range strings.SplitSeq(Lines(text), "\n") {
			checkLine(t, line)
		}
		said := Said(text, 40)
		checkLine(t, said)
		if n := utf8.RuneCountInString(said); n > 41 {
			t.Errorf("%d characters of %q", n, text)
		}
	})
}

// shells are the shells that must read a word correctly.
var shells = []string{"sh", "dash", "bash"}

// words passes words to a real shell, as arguments and as an assignment, and returns what it reads.
func words(t *testing.T, shell string, texts ...string) []string {
	t.Helper()
	script := "set --"
	for _, text := range texts {
		script += " " + Word(text)
	}
	script += `; for a; do printf '%s\0' "$a"; done; x=` + Word(texts[0]) + `; printf '%s\0' "$x"`
	cmd := exec.CommandContext(context.Background(), shell, "-s") // as scripts are sent to another machine
	cmd.Stdin = strings.NewReader(script + "\n")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %q: %v", shell, script, err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

func TestWord(t *testing.T) {
	for text, want := range map[string]string{
		"train.py": "train.py", "": "''", "two words": "'two words'", "it's": `'it'\''s'`, "$(touch x)": "'$(touch x)'", "~": "'~'", "=ls": "'=ls'",
		"A=b": "A=b", "ümlaut": "'ümlaut'", "a\nb": "'a\nb'", "#x": "'#x'", "!x": "'!x'", "{a,b}": "'{a,b}'", "a;b": "'a;b'",
	} {
		testkit.Same(t, want, Word(text), "%q", text)
	}
	for _, shell := range shells {
		if _, err := exec.LookPath(shell); err != nil {
			t.Logf("NOT TESTED with %s, which is not installed", shell)
			continue
		}
		var all []string
		for c := 1; c < 0x180; c++ { // every byte, at the beginning, in the middle and at the end of a word
			for _, format := range []string{"%sx", "x%sx", "x%s", "%[1]s%[1]s"} {
				ch := string(rune(c))
				if c >= 0x80 && c < 0x100 {
					ch = string([]byte{byte(c)})
				}
				all = append(all, strings.NewReplacer("%[1]s", ch, "%s", ch).Replace(format))
			}
		}
		all = append([]string{"-n it's \\ \"`$x` ${{y}} 漢\r\n\t"}, all...)
		testkit.Same(t, append(append([]string{}, all...), all[0]), words(t, shell, all...), "%s reads them otherwise", shell)
	}
}

func FuzzWord(f *testing.F) {
	for _, seed := range []string{"", "a b", "'", "\\", "\n", "$x", "\"", "!x", "-n", "\r\n", "é", "#x", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsRune(text, 0) {
			t.Skip("no word holds a NUL")
		}
		for _, shell := range shells {
			if _, err := exec.LookPath(shell); err != nil {
				continue
			}
			testkit.Same(t, []string{text, text}, words(t, shell, text), "%s reads %q otherwise", shell, text)
		}
	})
}

// TestOrdinary checks that each character at the ordinary start of a text is shown as it is, whatever is around it.
func TestOrdinary(t *testing.T) {
	const size = 4
	letters := []rune(" a~\x7f#:[\x1fé")
	for n := range int(math.Pow(float64(len(letters)), size)) {
		text := ""
		for range size {
			text += string(letters[n%len(letters)])
			n /= len(letters)
		}
		for _, before := range []string{"", "#", "##a", ":", " "} {
			for at := range ordinary(text) {
				if shown, _ := Visible(before+text, len(before)+at); shown != text[at:at+1] {
					t.Fatalf("%q is ordinary up to %d, but after %q, %q is shown as %q", text, ordinary(text), before, text[at:], shown)
				}
			}
		}
	}
}

func FuzzJSON(f *testing.F) {
	for _, seed := range []string{"", "\x1b\u009b\u202e", "##vso[x]", "\U000e0041", "::x", "a\"b\\"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		testkit.OK(t, e.Encode(map[string]string{"text": text}))
		safe := JSON(b.String())
		checkLine(t, strings.TrimSuffix(safe, "\n"))
		var want, got any
		testkit.OK(t, json.Unmarshal([]byte(b.String()), &want))
		if err := json.Unmarshal([]byte(safe), &got); err != nil {
			t.Fatalf("%v: %s", err, safe)
		}
		testkit.Same(t, want, got)
	})
}
