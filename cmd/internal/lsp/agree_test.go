package lsp

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"
	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/cmd/internal/check"
	own "github.com/amlfix/amlfix/cmd/internal/lsp/protocol"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestAgreesWithCheck compares what an editor shows for each rule's example with what a check finds, and the effect of
// the action for all safe repairs with that of `amlfix --apply`; with CRLF, with wide characters, and with a byte order
// mark as an editor sees it.
func TestAgreesWithCheck(t *testing.T) {
	t.Parallel()
	for _, rule := range rules.All() {
		for _, style := range []string{"", "crlf", "wide"} {
			t.Run(rule.ID+style, func(t *testing.T) {
				t.Parallel()
				files := map[string]string{}
				for _, f := range txtar.Parse([]byte(rule.Bad)).Files {
					files[f.Name] = restyled(string(f.Data), style)
				}
				e := edit(t, testkit.Lay(t, files), pull)
				agree(t, e, files)
			})
		}
	}
}

func restyled(text, style string) string {
	switch style {
	case "crlf":
		return strings.ReplaceAll(text, "\n", "\r\n")
	case "wide":
		return "# 🜲 wide\n" + text
	}
	return text
}

// agree compares the server with checks of the same files.
func agree(t *testing.T, e *editor, files map[string]string) {
	e.openAll()
	engine := &check.Engine{Dir: e.dir, AsOf: "2026-11-22"}
	want, repaired := map[string][]string{}, map[string]string{}
	for name, text := range files {
		repaired[name] = text
	}
	checker := engine.Checker(check.Options{Repair: true})
	for _, root := range engine.Discover(nil).Roots {
		result := engine.Checker(check.Options{}).Check(root)
		for _, f := range check.Unsuppressed(result.Findings) {
			start := f.Source.Position(f.Span.Start)
			name := engine.Rel(f.Source.Path)
			want[name] = append(want[name], fmt.Sprintf("%d %s", start.Line, f.Rule))
		}
		if patch := checker.Check(root).Patch; patch != nil {
			for _, f := range patch.Files {
				repaired[engine.Rel(f.Path)] = string(f.New)
			}
		}
	}
	for name := range files {
		var answer protocol.RelatedFullDocumentDiagnosticReport
		e.ask("textDocument/diagnostic", map[string]any{"textDocument": map[string]any{"uri": e.uri(name)}}, &answer)
		var got []string
		for _, d := range answer.Items {
			code, _ := d.Code.(protocol.String)
			got = append(got, fmt.Sprintf("%d %s", d.Range.Start.Line+1, string(code)))
		}
		if diff := cmp.Diff(sortedUnique(want[name]), sortedUnique(got)); diff != "" {
			t.Errorf("%s: (-check +editor):\n%s", name, diff)
		}
	}
	now := files
	for name := range files {
		if list := e.actions(name, string(fixAll)); len(list) == 1 {
			now = e.applied(files, list[0].Edit)
			break
		}
	}
	testkit.Same(t, repaired, now, "all safe repairs")
}

func sortedUnique(list []string) []string {
	seen := map[string]bool{}
	for _, s := range list {
		seen[s] = true
	}
	out := make([]string, 0, len(seen))
	for s := range seen {
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

// TestRandomEdits types at random, and compares what is finally shown with what a freshly started server shows for the
// same texts. AMLFIX_THOROUGH=N makes N hundred edits.
func TestRandomEdits(t *testing.T) {
	t.Parallel()
	n := 60
	if more, err := strconv.Atoi(os.Getenv("AMLFIX_THOROUGH")); err == nil {
		n = more * 100
	}
	files := article()
	dir := testkit.Lay(t, files)
	e := edit(t, dir, pull)
	e.openAll()
	random := rand.New(rand.NewPCG(1, 2))
	names := []string{"aml_config/vm.compute", "aml_config/vm.runconfig", "aml_config/conda_dependencies.yml"}
	pieces := []string{"\n", ": ", "- ", "tensorflow", "🜲", "é", "  ", "#", "\"", "Target: vm\n", "nvidiaDocker: true\n", "{", "}", "\r\n"}
	texts := map[string][]byte{}
	for name, text := range files {
		texts[name] = []byte(text)
	}
	server := &Server{buffers: map[string]*buffer{}}
	for i := range n {
		name := names[random.IntN(len(names))]
		text := texts[name]
		start := random.IntN(len(text) + 1)
		end := min(len(text), start+random.IntN(6))
		grid := server.grid(name, text)
		r := own.Range{Start: grid.position(start), End: grid.position(end)}
		at, piece := grid.spanned(r), pieces[random.IntN(len(pieces))]
		texts[name] = bytes.Join([][]byte{text[:at.Start], text[at.End:]}, []byte(piece))
		e.tell("textDocument/didChange", map[string]any{
			"textDocument":   map[string]any{"uri": e.uri(name), "version": i + 2},
			"contentChanges": []any{map[string]any{"range": r, "text": piece}},
		})
		if i%20 == 19 {
			fresh := edit(t, dir, pull)
			for _, name := range names {
				fresh.open(name, string(texts[name]))
			}
			for _, name := range names {
				testkit.Same(t, fresh.pulled(name), e.pulled(name), "after edit", i, name)
			}
			for _, name := range names { // starts again from a good state
				texts[name] = []byte(files[name])
				e.change(name, i+3, files[name])
			}
		}
	}
}

func (e *editor) pulled(name string) (list []string) {
	var answer protocol.RelatedFullDocumentDiagnosticReport
	e.ask("textDocument/diagnostic", map[string]any{"textDocument": map[string]any{"uri": e.uri(name)}}, &answer)
	for _, d := range answer.Items {
		text, err := codec{}.Marshal(d)
		testkit.OK(e.t, err)
		list = append(list, string(text))
	}
	return list
}

// TestPositions converts bytes to the editor's positions and back.
func TestPositions(t *testing.T) {
	for _, utf8 := range []bool{false, true} {
		server := &Server{buffers: map[string]*buffer{}, client: client{utf8: utf8}}
		for _, text := range []string{"", "a", "a\nb\r\nc\rd\n", "é\n🜲x\n\n", "\r\r\n\n"} {
			g := server.grid("a", []byte(text))
			for i := range len(text) + 1 {
				if i < len(text) && text[i]&0xc0 == 0x80 || i > 0 && i < len(text) && text[i-1:i+1] == "\r\n" {
					continue // inside a character or a line ending
				}
				if back := g.offset(g.position(i)); back != i {
					t.Errorf("%q: %d becomes %v, and that %d", text, i, g.position(i), back)
				}
			}
		}
	}
	g := (&Server{buffers: map[string]*buffer{}}).grid("a", []byte("🜲é:x"))
	testkit.Same(t, own.Position{Character: 4}, g.position(len("🜲é:")))
	testkit.Same(t, len("🜲é:"), g.offset(own.Position{Character: 4}))
	bom := (&Server{buffers: map[string]*buffer{}}).grid("a", []byte("\xef\xbb\xbfab"))
	testkit.Same(t, own.Position{Character: 1}, bom.position(4))
}
