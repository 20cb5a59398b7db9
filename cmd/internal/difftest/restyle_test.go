//go:build linux

package difftest

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// restyle rewrites the values of a text in the ways of people, editors and programs, at random: block and flow style,
// one line and many, JSON, all quotes, block scalars, anchors and aliases, comments, odd indentation, line endings,
// tabs. For a text that yaml.v3 cannot read, it only changes line endings and comments. The result need not mean the
// same, nor be valid.
func restyle(text []byte, r *rand.Rand) []byte {
	var root yaml.Node
	out := string(text)
	if r.IntN(4) > 0 && yaml.Unmarshal(text, &root) == nil && len(root.Content) == 1 {
		s := &styler{Rand: r, anchors: map[string]string{}, json: r.IntN(6) == 0}
		s.tabs, s.alias, s.pretty = !s.json && r.IntN(15) == 0, !s.json && r.IntN(3) == 0, r.IntN(2) == 0
		out = s.document(root.Content[0])
	}
	return []byte(resave(out, r))
}

// resave changes everything but values: line endings, spaces, comments, and the marks at both ends.
func resave(text string, r *rand.Rand) string {
	oneIn := func(n int) bool { return r.IntN(n) == 0 }
	text = strings.NewReplacer("\r\r\n", "\n", "\r\n", "\n", "\ufeff", "").Replace(text)
	if oneIn(4) {
		lines := strings.Split(text, "\n")
		at := r.IntN(len(lines))
		lines[at] += []string{" # Ünïcode 日本 😀", "  ", "\t# a tab", " #", " # a: b", "\n\n", "\n# a comment: [", "\n    # an indented one"}[r.IntN(8)]
		text = strings.Join(lines, "\n")
	}
	if oneIn(12) {
		text = "größe: \"日本\"\n" + text
	}
	if oneIn(6) {
		text = []string{"---\n", "--- # first\n", "%YAML 1.1\n---\n", "\n\n", "# head\n\n"}[r.IntN(5)] + text
	}
	if oneIn(8) {
		text += []string{"...\n", "# tail", "\n\n\n", "   "}[r.IntN(4)]
	}
	if oneIn(4) {
		text = strings.TrimRight(text, "\n")
	}
	switch r.IntN(6) {
	case 0:
		text = strings.ReplaceAll(text, "\n", "\r\n")
	case 1:
		text = strings.ReplaceAll(text, "\n", "\r\r\n")
	case 2: // mixed, as left by two editors
		half := len(text) / 2
		text = text[:half] + strings.ReplaceAll(text[half:], "\n", "\r\n")
	}
	if oneIn(8) {
		text = "\ufeff" + text
	}
	return text
}

// styler writes one document.
type styler struct {
	*rand.Rand
	json, pretty bool              // everything is JSON; on many lines
	tabs, alias  bool              // tabs after colons; equal values become aliases
	anchors      map[string]string // tag and value → anchor
}

func (s *styler) oneIn(n int) bool { return s.IntN(n) == 0 }

func (s *styler) document(n *yaml.Node) string {
	if s.json || s.oneIn(8) {
		return s.flow(n, 0) + "\n"
	}
	if text := s.block(n, s.IntN(8)/7*2); text != "" {
		return text
	}
	return s.scalar(n, 0, false) + "\n"
}

// block writes a collection on its own lines; "" for a value that has none.
func (s *styler) block(n *yaml.Node, indent int) string {
	pad, b := strings.Repeat(" ", indent), strings.Builder{}
	switch {
	case len(n.Content) == 0:
		return ""
	case n.Kind == yaml.SequenceNode:
		for _, item := range n.Content {
			s.between(&b, pad)
			deeper := indent + 2 + s.IntN(5)/4
			if below := s.block(item, deeper); below != "" && s.IntN(6) > 0 {
				if trimmed := strings.TrimLeft(below, " "); !strings.HasPrefix(trimmed, "#") && !strings.HasPrefix(trimmed, "\n") {
					b.WriteString(pad + "-" + strings.Repeat(" ", deeper-indent-1) + trimmed)
					continue
				}
				b.WriteString(pad + "-\n" + below)
				continue
			}
			b.WriteString(pad + "- " + s.inline(item, deeper) + s.ending())
		}
	case n.Kind == yaml.MappingNode:
		step := 1 + s.IntN(4)
		for i := 0; i+1 < len(n.Content); i += 2 {
			s.between(&b, pad)
			b.WriteString(pad + s.key(n.Content[i]) + ":")
			value, deeper := n.Content[i+1], indent+step
			if value.Kind == yaml.SequenceNode && s.oneIn(2) {
				deeper = indent
			}
			if below := s.block(value, deeper); below != "" && s.IntN(6) > 0 {
				b.WriteString(s.anchor() + s.comment() + "\n" + below)
				continue
			}
			if n.Content[i+1].Tag == "!!null" && n.Content[i+1].Value == "" {
				b.WriteString(s.comment() + "\n")
				continue
			}
			b.WriteString(s.space() + s.inline(value, indent+step) + s.ending())
		}
	default:
		return ""
	}
	return b.String()
}

// between occasionally inserts an empty line or a comment between two entries.
func (s *styler) between(b *strings.Builder, pad string) {
	switch s.IntN(25) {
	case 0:
		b.WriteString("\n")
	case 1:
		b.WriteString(pad + "# nvidiaDocker: true\n")
	case 2:
		b.WriteString("# Kommentar für „alle“\n")
	}
}

func (s *styler) space() string {
	switch {
	case s.tabs && s.oneIn(3):
		return "\t"
	case s.oneIn(12):
		return "   "
	}
	return " "
}

func (s *styler) comment() string {
	if s.oneIn(15) {
		return "  # why: because"
	}
	return ""
}

func (s *styler) ending() string {
	if s.oneIn(20) {
		return " \n"
	}
	return "\n"
}

// anchor adds an anchor that nothing refers to.
func (s *styler) anchor() string {
	if !s.alias || s.IntN(3) > 0 {
		return ""
	}
	name := "c" + strconv.Itoa(len(s.anchors))
	s.anchors[name] = name
	return " &" + name
}

// inline writes a value after its key or dash.
func (s *styler) inline(n *yaml.Node, indent int) string {
	if n.Kind != yaml.ScalarNode {
		return s.flow(n, max(indent, 1)) + s.comment()
	}
	known := n.Tag + n.Value
	if name := s.anchors[known]; name != "" && s.alias && s.oneIn(2) {
		return "*" + name
	}
	prefix := ""
	if s.alias && n.Value != "" && s.anchors[known] == "" && s.oneIn(4) {
		s.anchors[known] = "a" + strconv.Itoa(len(s.anchors))
		prefix = "&" + s.anchors[known] + " "
	}
	if n.Tag == "!!str" && s.oneIn(40) {
		prefix += "!!str "
	}
	text := s.scalar(n, max(indent, 1), false)
	if strings.Contains(text, "\n") {
		return prefix + text
	}
	return prefix + text + s.comment()
}

// flow writes a value in brackets, or a scalar in them.
func (s *styler) flow(n *yaml.Node, indent int) string {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind == yaml.ScalarNode {
		return s.scalar(n, indent, true)
	}
	open, shut, step := "[", "]", 1
	if n.Kind == yaml.MappingNode {
		open, shut, step = "{", "}", 2
	}
	if len(n.Content) == 0 || indent > 40 {
		return open + shut
	}
	var items []string
	for i := 0; i < len(n.Content); i += step {
		item := s.flow(n.Content[i+step-1], indent+2)
		if step == 2 {
			item = s.key(n.Content[i]) + ": " + item
		}
		items = append(items, item)
	}
	if s.json && s.pretty || !s.json && s.oneIn(3) {
		line := "\n" + strings.Repeat(" ", indent+2)
		end := line[:len(line)-2]
		if indent == 0 || s.json || s.oneIn(2) {
			end = "\n" + strings.Repeat(" ", indent)
		}
		if !s.json && s.oneIn(4) {
			shut = "," + end + shut
		} else {
			shut = end + shut
		}
		return open + line + strings.Join(items, ","+line) + shut
	}
	if !s.json && s.oneIn(5) {
		open, shut = open+" ", " "+shut
	}
	return open + strings.Join(items, ", ") + shut
}

func (s *styler) key(n *yaml.Node) string {
	switch {
	case s.json || s.oneIn(10):
		return double(n.Value)
	case s.oneIn(20):
		return single(n.Value)
	case n.Style != 0 || n.Value == "":
		return double(n.Value)
	}
	return n.Value
}

// scalar writes a scalar; it stays plain only if it was.
func (s *styler) scalar(n *yaml.Node, indent int, flow bool) string {
	special := strings.ContainsAny(n.Value, "\n\r\t,[]{}#&*!|>'\"%@`\\") || strings.Contains(n.Value, ": ") || strings.TrimSpace(n.Value) != n.Value
	text := n.Tag == "!!str" || n.Tag == ""
	switch {
	case !text && n.Tag == "!!null" && (flow || n.Value == ""):
		return "null"
	case !text:
		return n.Value
	case s.json, n.Value == "":
		return double(n.Value)
	case !flow && !strings.ContainsAny(n.Value, "\n\r\t") && strings.TrimSpace(n.Value) == n.Value && s.oneIn(10):
		return []string{"|-", ">-", "|"}[s.IntN(3)] + "\n" + strings.Repeat(" ", indent+2) + n.Value
	case n.Style == 0 && !special && s.IntN(5) > 0:
		return n.Value
	case !strings.ContainsAny(n.Value, "\n\r\t") && s.oneIn(2):
		return single(n.Value)
	}
	if words := strings.Split(n.Value, " "); len(words) == 2 && words[0] != "" && words[1] != "" && s.oneIn(2) {
		return strings.Replace(double(n.Value), " ", "\n"+strings.Repeat(" ", indent+2), 1)
	}
	return double(n.Value)
}

func single(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// double writes a text in double quotes that both JSON and YAML can read.
func double(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}
