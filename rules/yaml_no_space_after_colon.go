package rules

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

const yamlNoSpaceAfterColonID = "yaml/no-space-after-colon"

var yamlNoSpaceAfterColon = Rule{
	ID:       yamlNoSpaceAfterColonID,
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "There is no space between a key's colon and its value.",
	Why: `To YAML, "nvidiaDocker:true" is one long word, not a key with a value. Either the file cannot be read at all,
or the setting silently becomes part of the value above it. The Azure ML documentation once showed it this way.`,
	Remedy: "Inserts a space after the colon.",
	Bad: `
-- aml_config/vm.compute --
type: remotedocker
address: vm.example.com
username: me
baseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9
nvidiaDocker:true
`,
	Good: `
-- aml_config/vm.compute --
type: remotedocker
address: vm.example.com
username: me
baseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9
nvidiaDocker: true
`,
	Check: func(p *Pass) { p.perFile(noteGlued, checkGlued) },
}

func checkGlued(p *Pass, f *schema.File) {
	kind, ok := FormatOf(f)
	if !ok || f.Err != nil {
		return
	}
	for _, group := range append(gluedKeys(kind, f), gluedScalars(kind, f)...) {
		reportGlued(p, f, group)
	}
}

func reportGlued(p *Pass, f *schema.File, group gluedGroup) {
	if p.full(f.Source) {
		return
	}
	fix := gluedFix(f, group.splices)
	for _, key := range group.keys {
		// Quotes within quotes are hard to read, and look like a value to the code that masks secrets.
		name := strings.NewReplacer(`"`, "", "'", "").Replace(string(f.Source.Slice(key)))
		at := finding.Location{Source: f.Source, Span: key, Message: fmt.Sprintf(
			"missing space after %q, so this is one long word and not a key with a value: add a space after the colon", name)}
		if strings.Contains(name, wideColon) {
			at.Message = fmt.Sprintf("%q ends with a wide colon (U+FF1A), so this is text and not a key with a value: write an ordinary colon and a space", strings.TrimSpace(name))
		}
		if group.swallowed.Len() == 0 {
			p.report(at, fix)
			continue
		}
		at.Message = fmt.Sprintf("missing space after %q, so this line is part of the value above it, not a key: add a space after the colon, "+
			"and indent the line like the other keys", name)
		p.report(at, fix, finding.Location{Source: f.Source, Span: group.swallowed, Message: "this value continues to that line"})
	}
}

// gluedGroup is a group of known keys without a space after their colons that have to be repaired together.
type gluedGroup struct {
	keys      []source.Span // with their colons
	swallowed source.Span   // the value whose continuation lines they are, if any
	splices   []document.Splice
}

// gluedKeys returns the known keys that make a file unreadable.
func gluedKeys(kind format.Kind, f *schema.File) []gluedGroup {
	problem, ok := gluedProblem(f)
	if !ok {
		return nil
	}
	after := map[int]bool{}
	for _, s := range problem.Repair {
		after[s.Offset] = true
	}
	group := gluedGroup{splices: problem.Repair}
	format.Walk(kind, f.Root(), func(_, n *document.Node, p *format.Place) {
		for _, e := range n.Entries() {
			if key := (source.Span{Start: e.Key.Span.Start, End: e.Key.Span.End + 1}); after[key.End] && p.Knows(e.Key.Value) {
				group.keys = append(group.keys, key)
			}
		}
	})
	if len(group.keys) == 0 {
		return nil
	}
	return []gluedGroup{group}
}

// gluesKnown reports whether known keys make a file unreadable, so that this rule reports it instead of yaml/syntax.
func gluesKnown(f *schema.File) bool {
	kind, ok := FormatOf(f)
	return ok && len(gluedKeys(kind, f)) > 0
}

// gluedProblem returns the syntax problem of a file that adding spaces after colons solves.
func gluedProblem(f *schema.File) (document.Problem, bool) {
	i := slices.IndexFunc(f.Stream.Problems, func(p document.Problem) bool { return p.Cause == document.GluedKey })
	if i < 0 || !f.Stream.Repaired {
		return document.Problem{}, false
	}
	return f.Stream.Problems[i], true
}

// gluedLine matches a line of a plain scalar that begins like a key; "https://" and "channel::package" do not. The
// colon may be the wide one of Chinese and Japanese text.
var gluedLine = plain.Regexp{Text: `^[ \t]*([A-Za-z_][A-Za-z0-9_]*)(?::(?:/[^/\s]|[^\s/:;,=])|([ \t]*\x{ff1a}[ \t\x{3000}]*))`}

const wideColon = "\uff1a"

// gluedScalars returns the known keys that are part of a file's plain scalars: a scalar where a mapping is expected,
// and continuation lines that were meant to be separate lines.
func gluedScalars(kind format.Kind, f *schema.File) []gluedGroup {
	if !odditiesOf(f).glued {
		return nil
	}
	var found []gluedGroup
	format.Walk(kind, f.Root(), func(_, n *document.Node, p *format.Place) {
		if len(found) >= maxGroups {
			return
		}
		if n.Kind == document.Scalar && n.Style == document.Plain {
			found = append(found, gluedIn(f.Source, n.Span, p)...)
		}
		for _, e := range n.Entries() {
			// "{nvidiaDocker:true}" is a key without a value
			if e.Key.Kind == document.Scalar && e.Key.Style == document.Plain && e.Value.Span.Len() == 0 && len(found) < maxGroups {
				found = append(found, gluedIn(f.Source, e.Key.Span, p)...)
			}
		}
	})
	return found
}

// likeKey reports whether a line of a scalar may match gluedLine: there is only one word before its first colon.
func likeKey(text []byte) bool {
	for line := range bytes.Lines(text) {
		before, _, ok := bytes.Cut(line, []byte(":"))
		if wide, _, is := bytes.Cut(line, []byte(wideColon)); is && len(wide) < len(before) {
			before, ok = wide, true
		}
		if ok && bytes.IndexByte(before, '/') < 0 && len(bytes.Trim(before, " \t")) > 0 {
			return true
		}
	}
	return false
}

// maxGroups is the maximum number of groups that are tried; each attempt parses the file.
const maxGroups = 20

func gluedIn(src *source.Source, span source.Span, p *format.Place) []gluedGroup {
	var group gluedGroup
	start := span.Start
	// where only a mapping is expected, a line of its own is a key, even if users choose the keys
	free := p.OnlyMapping() && len(bytes.TrimSpace(src.Text[src.Line(src.LineAt(start)).Start:start])) == 0
	for line := range bytes.Lines(src.Slice(span)) {
		further := start > span.Start
		var m []int
		if likeKey(line) { // most lines are not, and the match is slow
			m = gluedLine.Get().FindSubmatchIndex(line)
		}
		if m == nil {
			start += len(line)
			continue
		}
		name := string(line[m[2]:m[3]])
		if free && p.Allows(name) && name != "azureml" || belongs(p, name, further) {
			key := source.Span{Start: start + m[2], End: start + m[3] + 1}
			one := document.Splice{Offset: key.End, New: " "}
			if m[4] >= 0 {
				key.End = start + m[5]
				one = document.Splice{Offset: start + m[4], Old: string(line[m[4]:m[5]]), New: ": "}
			}
			group.keys, group.splices = append(group.keys, key), append(group.splices, one)
			if further && !p.Knows(name) && !free {
				group.swallowed = span
			}
		}
		start += len(line)
	}
	if len(group.keys) == 0 {
		return nil
	}
	return []gluedGroup{group}
}

// belongs reports whether a key belongs at a place or, on a continuation line of a scalar, around it.
func belongs(p *format.Place, key string, further bool) bool {
	for ; p != nil; p = p.Parent() {
		if p.Knows(key) {
			return true
		}
		if !further {
			break
		}
	}
	return false
}

// maxTried is the maximum size in bytes of a file for which repairs are tried; real files have a hundredth of it.
const maxTried = 128 << 10

// gluedFix returns the fix that makes the splices, together with those that are needed to parse the file, or nil if the
// result cannot be parsed.
func gluedFix(f *schema.File, splices []document.Splice) *finding.Fix {
	if len(f.Source.Text) > maxTried {
		return nil
	}
	all := slices.Clone(splices)
	if repair := f.Stream.Repair(); len(repair) > 0 {
		if syntaxFix(f) == nil {
			return nil
		}
		all = append(all, repair...)
	}
	plain.SortFunc(all, func(a, b document.Splice) int { return cmp.Compare(a.Offset, b.Offset) })
	all = slices.Compact(all)
	text := slices.Clone(f.Source.Text)
	for _, s := range slices.Backward(all) {
		text = slices.Replace(text, s.Offset, s.Offset+len(s.Old), []byte(s.New)...)
	}
	if !document.Parse(source.New(f.Path, text)).Whole() {
		return nil
	}
	return splice(f, all)
}
