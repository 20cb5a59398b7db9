package lsp

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/lsp/protocol"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/source"
)

// mostItems is how many words are offered at once; further typing requests more.
const mostItems = 200

// completion offers what may be written at a position. It reads the lines above, since a file is rarely complete while
// someone types.
func (s *Server) completion(params *protocol.PositionParams) (*protocol.CompletionList, error) {
	list := &protocol.CompletionList{Items: []protocol.CompletionItem{}}
	d, p, f := s.opened(params.TextDocument.URI)
	if f == nil {
		return list, nil
	}
	grid := s.grid(d.path, d.text)
	offset := grid.offset(params.Position)
	c := cursorAt(d.text, offset)
	from, words := offset-len(c.typed), c.words(p, f)
	if start := strings.LastIndex(c.typed, "${{"); start >= 0 && !strings.Contains(c.typed[start:], "}}") {
		from, words = from+start, expressions(p, f)
	}
	typed := strings.ToLower(string(d.text[from:offset]))
	for _, w := range words {
		if len(list.Items) == mostItems {
			list.IsIncomplete = true
			break
		}
		if !strings.Contains(strings.ToLower(w.text), strings.TrimLeft(typed, `"'`)) {
			continue
		}
		list.Items = append(list.Items, protocol.CompletionItem{
			Label: escape.Terminal(w.text), Kind: w.kind, FilterText: w.text, Documentation: w.about,
			TextEdit: protocol.TextEdit{Range: grid.ranged(source.Span{Start: from, End: offset}), NewText: w.text + w.after},
		})
	}
	return list, nil
}

// word is something that can be inserted.
type word struct {
	text, after, about string
	kind               protocol.CompletionItemKind
}

// fileOf returns a file as read by one of the open projects.
func (s *Server) fileOf(path string) (*project, *schema.File) {
	for _, p := range s.projects() {
		if f := p.result.Project.File(path); f != nil {
			return p, f
		}
	}
	return nil, nil
}

// words returns the words that may be written at the cursor.
func (c cursor) words(p *project, f *schema.File) (words []word) {
	kind, ok := rules.FormatOf(f)
	if !ok {
		return nil
	}
	at, beside := shapeOf(kind), c.beside
	for i, key := range c.way {
		switch {
		case key == "-":
			at = at.item()
		case c.isValue && i == len(c.way)-1:
			at = at.key(key, beside)
		default:
			at = at.key(key, nil)
		}
	}
	if !c.isValue {
		for _, key := range at.keys(beside) {
			if _, there := beside[key]; !there {
				words = append(words, word{key, ": ", at.key(key, beside).text(), protocol.CompletionProperty})
			}
		}
		if len(c.way) == 0 || c.way[len(c.way)-1] != "-" {
			return words
		}
	}
	for _, name := range at.values() {
		words = append(words, word{text: name, kind: protocol.CompletionEnumMember})
	}
	if len(words) == 0 && at.switched() {
		words = append(words, word{text: "true", kind: protocol.CompletionValue}, word{text: "false", kind: protocol.CompletionValue})
	}
	return append(words, c.named(p, f)...)
}

// named returns the things in the project, or in the catalog, that the value at the cursor may name.
func (c cursor) named(p *project, f *schema.File) (words []word) {
	key := ""
	for _, k := range c.way {
		if k != "-" {
			key = k
		}
	}
	add := func(kind protocol.CompletionItemKind, names ...string) {
		for _, n := range names {
			words = append(words, word{text: n, kind: kind})
		}
	}
	project := p.result.Project
	switch {
	case (key == "Target" || key == "target") && f.Kind == schema.RunConfig:
		for _, t := range project.Targets {
			add(protocol.CompletionReference, t.Name)
		}
	case slices.Contains(imageKeys, key):
		add(protocol.CompletionValue, catalog.ImageNames()...)
	case slices.Contains(sizeKeys, key):
		for _, size := range catalog.VMSizes() {
			words = append(words, word{text: size, about: sizeAbout(size), kind: protocol.CompletionValue})
		}
	case key == "compute" || key == "environment" || key == "component":
		for _, f := range project.Files {
			if name := f.Root().Get("name").Text(); string(f.V2) == key && name != "" {
				add(protocol.CompletionReference, "azureml:"+name)
			}
		}
	case (key == "dependencies" || key == "pip") && f.Kind == schema.CondaFile:
		add(protocol.CompletionModule, catalog.PackageNames()...)
	}
	return words
}

// sizeAbout describes the GPU of a VM size.
func sizeAbout(size string) string {
	vm, ok := catalog.VMSize(size)
	if !ok || vm.GPU == "" {
		return ""
	}
	return vm.GPUs + " × " + vm.GPU
}

// expressions returns the expressions that jobs in a file may use.
func expressions(p *project, f *schema.File) (words []word) {
	add := func(prefix string, names flow.Names) {
		for _, name := range names.List(mostItems) {
			w := word{text: "${{" + prefix + name + "}}", kind: protocol.CompletionVariable}
			if !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
	}
	for _, b := range flow.Read(p.result.Project) {
		if b.File != f {
			continue
		}
		if b.Parent != nil {
			add("parent.inputs.", b.Parent.Inputs)
			add("parent.outputs.", b.Parent.Outputs)
			if b.Key != nil {
				add("parent.jobs."+b.Key.Value+".outputs.", b.Outputs)
			}
			continue
		}
		add("inputs.", b.Inputs)
		add("outputs.", b.Outputs)
		add("search_space.", b.Space)
	}
	return words
}
