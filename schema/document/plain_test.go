package document

import (
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// bothWays reads a text with the plain reader and with yaml.v3, fails where they differ in anything, and reports
// whether the plain reader knew the text.
func bothWays(t *testing.T, name string, text []byte) bool {
	t.Helper()
	src := source.New(name, text)
	got, want := &Stream{Source: src, Exact: true}, &Stream{Source: src, Exact: true}
	if !got.readPlain(src) {
		if got.Documents != nil || got.Problems != nil || got.Values != 0 {
			t.Errorf("%s: %q was refused, and left something behind", name, text)
		}
		return false
	}
	if p, bad := checkBytes(src); bad {
		t.Errorf("%s: %q was not refused: %s", name, text, p.Message)
	}
	want.readAny(src)
	if got.Exact == want.Exact && got.Values == want.Values && slices.Equal(flat(got), flat(want)) && cmp.Equal(got.Problems, want.Problems, cmpopts.EquateEmpty()) {
		return true
	}
	t.Errorf("%s: %q is read differently (-yaml.v3 +plain):\n%s%s", name, text, cmp.Diff(flat(want), flat(got)), cmp.Diff(want.Problems, got.Problems))
	return true
}

// flatNode is a node without the ways to others.
type flatNode struct {
	Kind                     Kind
	Style                    Style
	Tag, Value, Anchor       string
	Span                     source.Span
	Properties, Dash, Parent int // Parent is an index, -1 for a root
	Entries, Items, Index    int
	Unmixed, Target          bool
}

// flat returns all nodes of a stream, each before those below it.
func flat(s *Stream) (list []flatNode) {
	var add func(n, parent *Node, at int)
	add = func(n, parent *Node, at int) {
		if n.Parent != parent {
			at = -2
		}
		list = append(list, flatNode{n.Kind, n.Style, n.Tag(), n.Value, n.Anchor(), n.Span, n.Properties, n.Dash(), at,
			len(n.Entries()), len(n.Items()), len(n.more().index), n.noMerge, n.Target() != nil})
		at = len(list) - 1
		for _, e := range n.Entries() {
			add(e.Key, n, at)
			add(e.Value, n, at)
		}
		for _, item := range n.Items() {
			add(item, n, at)
		}
	}
	for _, root := range s.Documents {
		add(root, nil, -1)
	}
	return list
}

// TestPlain holds which texts the plain reader knows, so that it does not become slow without notice.
func TestPlain(t *testing.T) {
	for text, known := range map[string]bool{
		"a: 1\n": true, "a: b # c\r\nd:\r\n- e\r\n- f: g\r\n  h: 'i'\r\n": true, "\xef\xbb\xbfa: b": true,
		"# größer\na: größer\n": true, "a:\n  b: ~\n  c:\nd: \"x\\n\\\"y\"\n": true, "- - a\n  - b\n-\n- c:\n": true,
		"a: [b, 'c', {d: 1}]\ne: {}\nf: [\n  g,\n  # h\n  i\n]\n": true, "{\"a\":[1,2.5,true],\n \"b\" : null}": true,
		"a: |\n  b\n   c\n\n  d\ne: >-\n  f\n  g\n\n   h\n  i\nj: |+\n  k\n\n": true, "a: 1\na: 2\n": true,
		"a: &b c\n": false, "a: *b\n": false, "a: !!str b\n": false, "<<: a\n": false, "---\na: b\n": false, "a: b\n...\n": false,
		"a: b\n  c\n": false, "a:\tb\n": false, "a: 'it''s'\n": false, "a: \"b\n  c\"\n": false, "a: \"\\x41\"\n": false, "? a\n: b\n": false,
		"a: |2\n   b\n": false, "a: b: c\n": false, "a\n": false, "": false, "# a\n": false, "a: b\rc: d\r": false, "a: b\u2028c: d\n": false,
		"  a: b\nc: d\n": false, "a: [b\n": false, "a: 'b\n": false, "a:b\n": false, "[a: b]\n": false, "[a]: b\n": false, "[a]\nb: c\n": false,
		"%YAML 1.2\n": false, "a: b\x7f\n": false, "a: @b\n": false,
		"a: \xff\n": false, "# \xc3\na: b\n": false, "a: b # \xed\xa0\x80\n": false, "a: |\n  \xff\n": false, "a: b\n\xff": false,
		"\xff\xfea: b\n": false, "a: b\x00\n": false, "# \x00\na: b\n": false, "a: \ufffd\n": true,
	} {
		testkit.Same(t, known, bothWays(t, "table", []byte(text)), "%q", text)
	}
	for depth := range MaxDepth + 4 {
		bothWays(t, "deep", []byte(strings.Repeat("- ", depth)+"a: b\n"))
		bothWays(t, "deep", []byte("a: "+strings.Repeat("[", depth)+strings.Repeat("]", depth)))
	}
}

// TestPlainOnRealFiles reads all real files both ways, and each again with a byte less, twice or another:
// AMLFIX_THOROUGH=N tries N places in each.
//
//testkit:norace
func TestPlainOnRealFiles(t *testing.T) {
	t.Parallel()
	for name, dir := range map[string]string{"Workbench and v1": testkit.Corpus(t), "v2": testkit.CorpusV2(t)} {
		t.Run(name, func(t *testing.T) {
			files, known, mutants := testkit.Files(t, dir), 0, 0
			random := rand.New(rand.NewPCG(1, 2))
			for _, path := range slices.Sorted(maps.Keys(files)) {
				text := files[path]
				for _, variant := range testkit.Variants(text) {
					bothWays(t, path, variant)
				}
				if bothWays(t, path, text) {
					known++
				}
				for range thorough(2) {
					if len(text) < 16<<10 && bothWays(t, path, mutant(random, text)) {
						mutants++
					}
				}
			}
			t.Logf("%d files, %d of them plain, and %d mutants", len(files), known, mutants)
			if known < len(files)*9/10 {
				t.Errorf("only %d of %d files are plain", known, len(files))
			}
		})
	}
}

// mutant returns a text with one byte less, twice or another.
func mutant(random *rand.Rand, text []byte) []byte {
	if len(text) == 0 {
		return text
	}
	at := random.IntN(len(text))
	switch random.IntN(3) {
	case 0:
		return slices.Delete(slices.Clone(text), at, at+1)
	case 1:
		return slices.Insert(slices.Clone(text), at, text[at])
	}
	const others = " \t\n\r:-#'\"[]{},|>&*!?%@`<=.~0a\\"
	changed := slices.Clone(text)
	changed[at] = others[random.IntN(len(others))]
	return changed
}

// thorough returns how much to try: AMLFIX_THOROUGH, or as many as are quick.
func thorough(quick int) int {
	if n, err := strconv.Atoi(os.Getenv("AMLFIX_THOROUGH")); err == nil {
		return n
	}
	return quick
}

// TestPlainOnRandomTexts reads texts put together from what YAML is made of both ways: 20,000, or AMLFIX_THOROUGH
// millions.
//
//testkit:norace
func TestPlainOnRandomTexts(t *testing.T) {
	t.Parallel()
	count := 20_000
	if n := thorough(0); n > 0 {
		count = n * 1_000_000
	}
	seed := uint64(os.Getpid())
	random, known := rand.New(rand.NewPCG(seed, 0)), 0
	for range count {
		if bothWays(t, "random", randomText(random)) {
			known++
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("%d texts of seed %d, %d of them plain", count, seed, known)
	if known < count/50 {
		t.Errorf("only %d of %d texts are plain", known, count)
	}
}

var (
	indents = []string{"", "", "", "", "", "  ", "  ", "    ", " ", "      ", "   ", "\t"}
	heads   = []string{"a: ", "b: ", "d: ", "c:\n  ", "c:\n- ", "- ", "- a: ", "e: |\n  ", "-", "- - ", "", "", "\"a\": ", "'b' : ", "a :", "1: ", "~: ", "k{{x}}: ", "? ", "<<: ", "a b: ", "-a: ", "é: "}
	bodies  = []string{"", "x", "x y", "'x'", "\"x\"", "1", "[a, b]", "{\"a\":1}", "1.5", "0x1", "1_0", "-1", "+.5", "-_1", ".5", "true", "No", "~", "null", ".inf", "2018-01-01", "1:30", "x:y", "x#y", "a: b",
		"[a, b]", "[]", "{}", "{a: b}", "{\"a\":1}", "[a,", "b]", "{a: [", "]}", "],", "|", ">", "|-", ">+", ">-", "| # c", "|2", "'x", "y'", "\"x", "y\"", "\"\\n\\\\\"", "\"\\u0041\"", "'it''s'", "&a x", "*a", "!!str x", "é", "\u00a0", "\u2028", "%x", "@x", "x,y", "x]", "<x>", "<<", "=", "-", "--x", "- x", "?", "x:", "${{inputs.x}}", "azureml:x@latest", "http://x", "#", "\\"}
	tails  = []string{"", "", "", "", "", "", " ", " # c", "#c", " #", "\t", ",", " # é", " # \t", ":", " :"}
	breaks = []string{"\n", "\n", "\n", "\n", "\n", "\n\n", "\r\n", "\n  # c\n", "\n# c\n", "\n  # c\n", "\n   \n", "\r", "\n---\n", "\n...\n", ""}
)

// randomText returns some lines of YAML, or nearly: what odd forms there are is odd in a line, so that most texts have
// one at most.
func randomText(random *rand.Rand) []byte {
	const common = 8 // so many of each list are what most files consist of
	pick := func(from []string) string {
		if random.IntN(16) > 0 {
			return from[random.IntN(common)]
		}
		return from[random.IntN(len(from))]
	}
	var text []byte
	for range 1 + random.IntN(6) {
		for _, part := range [][]string{indents, heads, bodies, tails, breaks} {
			text = append(text, pick(part)...)
		}
	}
	if random.IntN(8) == 0 {
		return mutant(random, text)
	}
	return text
}

// FuzzPlain checks that what the plain reader knows is what yaml.v3 reads: the same nodes, styles, tags, places and
// duplicate keys.
func FuzzPlain(f *testing.F) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		f.Add(randomText(random))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) < 4<<10 {
			bothWays(t, "fuzzed", text)
		}
	})
}

// TestPlainCounts reads texts with about as many values as are read at most, both ways.
//
//testkit:norace
func TestPlainCounts(t *testing.T) {
	t.Parallel()
	for _, items := range []int{MaxValues - 3, MaxValues - 2, MaxValues - 1, MaxValues, MaxValues + 1} {
		for name, text := range map[string]string{
			"list":    strings.Repeat("- a\n", items),
			"nested":  "a:\n" + strings.Repeat("- [[a]]\n", items/3),
			"mapping": "a:\n" + strings.Repeat("- b: 1\n", items/3),
			"JSON":    "[" + strings.Repeat("1, ", items) + "1]\n",
			"refused": strings.Repeat("- a\n", items) + "- &a b\n",
		} {
			src := source.New("a.yml", []byte(text))
			plain, slow := Parse(src), &Stream{Source: src, Exact: true}
			slow.readAny(src)
			testkit.Same(t, []any{len(slow.Documents), slow.Values, slow.Problems}, []any{len(plain.Documents), plain.Values, plain.Problems}, name, items)
		}
	}
}

// TestPlainBeyondTheLinesAhead has all forms of lines where the reader finds the next lines.
func TestPlainBeyondTheLinesAhead(t *testing.T) {
	const ends = "list:\n- a: 1\n  b: [2,\n  3]\n\n# c\ntext: |\n  # no comment\n\n  \tx\n  y\nfolded: >-\n  a\n  b\nlast:\n"
	for lines := maxAhead - 16; lines < maxAhead+3; lines++ {
		for _, times := range []int{1, 3} {
			text := strings.Repeat("- # and so on\n  - x\n", (times-1)*maxAhead)
			for i := range lines {
				text += "  - k" + strconv.Itoa(i) + ": v\n"
			}
			text = "all:\n" + text + ends
			if times == 1 {
				text = strings.ReplaceAll(text, "\n", "\r\n")
			}
			if !bothWays(t, "lines", []byte(text)) {
				t.Fatalf("%q was refused", text)
			}
		}
	}
}

// TestPlainTag compares the tags of words that may stand for something else, in all cases, and of words like them.
func TestPlainTag(t *testing.T) {
	for _, word := range []string{"~", "~x", "null", "nul", "nulls", "true", "tru", "trues", "false", "falsy", "n", "no", "nan", "t", "f", "name", "type", "None"} {
		for cases := range 1 << len(word) {
			text := []byte(word)
			for i := range text {
				if cases>>i&1 != 0 && text[i] >= 'a' {
					text[i] ^= 'a' ^ 'A'
				}
			}
			want := (&yaml.Node{Kind: yaml.ScalarNode, Value: string(text)}).ShortTag()
			testkit.Same(t, want, tags[plainTag(string(text))], "%q", text)
		}
	}
}
