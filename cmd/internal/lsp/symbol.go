package lsp

import (
	"cmp"
	"strconv"

	"github.com/amlfix/amlfix/cmd/internal/lsp/protocol"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

// deepest is the maximum depth of an outline: nobody reads further.
const deepest = 12

// documentSymbol returns a document's outline: its keys and items, in order.
func (s *Server) documentSymbol(params *protocol.DocumentParams) ([]protocol.DocumentSymbol, error) {
	list := []protocol.DocumentSymbol{}
	d, _, f := s.opened(params.TextDocument.URI)
	if f == nil || f.Stream == nil {
		return list, nil
	}
	grid := s.grid(d.path, d.text)
	for _, root := range f.Stream.Documents {
		list = append(list, outline(grid, root, 0)...)
	}
	return list, nil
}

func outline(g *grid, n *document.Node, depth int) (list []protocol.DocumentSymbol) {
	if n == nil || depth == deepest {
		return nil
	}
	for _, e := range n.Entries() {
		at := e.Key.Span
		at.End = max(at.End, e.Value.Span.End)
		list = append(list, protocol.DocumentSymbol{
			Name: named(e.Key.Value), Kind: kindOf(e.Value), Range: g.ranged(at), SelectionRange: g.ranged(e.Key.Span),
			Children: outline(g, e.Value, depth+1),
		})
	}
	for i, item := range n.Items() {
		name := strconv.Itoa(i)
		if item.Kind == document.Scalar {
			name = named(item.Value)
		}
		list = append(list, protocol.DocumentSymbol{
			Name: name, Kind: kindOf(item), Range: g.ranged(item.Span), SelectionRange: g.ranged(item.Span), Children: outline(g, item, depth+1),
		})
	}
	return list
}

// named returns a name that editors accept, without secrets: it must not be empty.
func named(name string) string {
	return cmp.Or(plain.Cut(escape.Terminal(secret.Hide(name)), 80), "(empty)")
}

func kindOf(n *document.Node) protocol.SymbolKind {
	switch {
	case n.Kind == document.Mapping:
		return protocol.SymbolObject
	case n.Kind == document.Sequence:
		return protocol.SymbolArray
	case n.Tag() == "!!bool":
		return protocol.SymbolBoolean
	case n.Tag() == "!!int", n.Tag() == "!!float":
		return protocol.SymbolNumber
	case n.IsNull():
		return protocol.SymbolNull
	default:
		return protocol.SymbolString
	}
}
