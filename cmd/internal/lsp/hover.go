package lsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/lsp/protocol"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/secret"
)

// hover explains what is at a position: the meaning of a key, or what is known about an image, a package or a VM size,
// with the source.
func (s *Server) hover(params *protocol.PositionParams) (*protocol.Hover, error) {
	d := s.buffer(params.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	grid := s.grid(d.path, d.text)
	for _, p := range s.places(d, grid.offset(params.Position)) {
		text := p.facts(s.engine.Day())
		if p.isKey {
			text = p.meaning()
		}
		if text != "" {
			return &protocol.Hover{Contents: protocol.MarkupContent{Kind: "markdown", Value: text}, Range: grid.ranged(p.node.Span)}, nil
		}
	}
	return nil, nil
}

// meaning explains a key and its possible values.
func (p place) meaning() string {
	at := p.shape()
	text := at.text()
	if text == "" {
		return ""
	}
	text = fmt.Sprintf("**%s**: %s", markdown(escape.Terminal(p.node.Value)), markdown(text))
	if names := at.values(); len(names) > 0 && len(names) <= 30 {
		text += "\n\nOne of: `" + strings.Join(names, "`, `") + "`"
	}
	return text
}

// Keys whose values are in the catalog.
var (
	imageKeys = []string{"baseDockerImage", "baseImage", "base_image", "image", "FROM"}
	sizeKeys  = []string{"vmSize", "vm_size", "size", "instance_type", "instanceType"}
	nameKeys  = []string{"environment", "environmentName"}
)

// asked returns what the value at the position names in the catalog, or "".
func (p place) asked() string {
	key := keyOf(p.value)
	switch {
	case slices.Contains(imageKeys, key), slices.Contains(sizeKeys, key), slices.Contains(nameKeys, key):
		return p.value.Value
	case key == "dependencies", key == "pip":
		if r, err := requirement.ParsePip(p.value.Value); err == nil && r.Kind == requirement.Package {
			return p.value.Value
		}
	}
	return ""
}

const mostFacts = 4

// facts returns what is known about the value at the position.
func (p place) facts(asOf string) string {
	query := p.asked()
	if query == "" || len(secret.Spans([]byte(query))) > 0 || strings.ContainsAny(query, " \n") {
		return ""
	}
	list := catalog.Facts(query, asOf)
	var b strings.Builder
	for i, f := range list {
		if i == mostFacts {
			fmt.Fprintf(&b, "\n…and %d more: `amlfix facts %s`\n", len(list)-i, query)
			break
		}
		fmt.Fprintf(&b, "**%s**\n\n", markdown(f.Subject))
		for _, v := range f.Values {
			fmt.Fprintf(&b, "- %s: %s\n", markdown(v.Name), markdown(v.Text))
		}
		fmt.Fprintf(&b, "- source: %s (seen %s)\n\n", markdown(f.Source), markdown(f.Seen))
	}
	return b.String()
}

// markdown escapes a text for Markdown.
func markdown(text string) string {
	return strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "<", "&lt;", "[", `\[`, "#", `\#`, "|", `\|`).Replace(text)
}
