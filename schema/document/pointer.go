package document

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Pointer returns the JSON pointer (RFC 6901) from the document's root to n; for a key, the pointer of its entry. It is
// "" for the root.
func (n *Node) Pointer() string {
	var tokens []string
	for child, p := n, n.Parent; p != nil; child, p = p, p.Parent {
		tokens = append(tokens, p.token(child))
	}
	var b strings.Builder
	for _, token := range slices.Backward(tokens) {
		b.WriteByte('/')
		b.WriteString(EscapeToken(token))
	}
	return b.String()
}

func (n *Node) token(child *Node) string {
	// items are sorted by place: a list of thousands is not searched from its start for each item
	i, ok := slices.BinarySearchFunc(n.Items(), child.Properties, func(item *Node, at int) int { return cmp.Compare(item.Properties, at) })
	if ok && n.Items()[i] == child {
		return strconv.Itoa(i)
	}
	for i, item := range n.Items() {
		if item == child {
			return strconv.Itoa(i)
		}
	}
	if e := n.entryOf(child); e != nil {
		return e.Key.Value
	}
	return ""
}

// Find returns the value at a JSON pointer below n, or nil. Aliases are not followed: a change made through one would
// change other places too.
func (n *Node) Find(pointer string) *Node {
	if pointer == "" {
		return n
	}
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		token = UnescapeToken(token)
		switch {
		case n == nil:
			return nil
		case n.Kind == Mapping:
			n = n.own(token)
		case n.Kind == Sequence:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(n.Items()) {
				return nil
			}
			n = n.Items()[i]
		default:
			return nil
		}
	}
	return n
}

// EscapeToken escapes one JSON pointer token.
func EscapeToken(s string) string {
	if !strings.ContainsAny(s, "~/") {
		return s
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(s)
}

// UnescapeToken undoes EscapeToken.
func UnescapeToken(s string) string {
	if strings.IndexByte(s, '~') < 0 {
		return s
	}
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(s)
}

func (n *Node) own(key string) *Node {
	if i := n.find(key); i >= 0 {
		return n.Entries()[i].Value
	}
	return nil
}
