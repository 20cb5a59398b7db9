package built

import (
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/python"
)

// dumped returns the CondaDependencies that the program certainly writes to a file before an offset, and does not
// change afterwards, if any: with save, save_to_file, or "with open(FILE, 'w') as f:
// f.write(DEPENDENCIES.serialize_to_string())".
func (b *builder) dumped(file string, before int) (v value) {
	var name python.Token
	for _, s := range b.all {
		t := s.Tokens
		if t[0].At >= before {
			break
		}
		for i := 2; i+1 < len(t); i++ {
			switch t[i].Text {
			case "serialize_to_string", "save_to_file", "save":
			default:
				continue
			}
			if t[i-1].Text != "." || t[i+1].Text != "(" || i > 2 && t[i-3].Text == "." || s.Conditional() || s.Function() != nil || !b.spend(len(t)) {
				continue
			}
			one := b.eval(t[i-2:i-1], 0)
			if o := one.object; o != nil && o.base == nil && o.class == "CondaDependencies" && path.Clean(b.dumpedTo(s, i)) == path.Clean(schema.Slashes(file)) {
				v, name = one, t[i-2]
			}
		}
	}
	if v.object != nil && b.changed(name.Text, name.At) {
		return value{}
	}
	return v
}

// changed reports whether a statement after an offset may change what a name stands for.
func (b *builder) changed(name string, after int) bool {
	for _, s := range b.all {
		if s.Tokens[0].At <= after {
			continue
		}
		for i := 0; i+2 < len(s.Tokens); i++ {
			if t := s.Tokens[i:]; t[0].Text == name && t[1].Text == "." && !strings.HasPrefix(t[2].Text, "serialize") && !strings.HasPrefix(t[2].Text, "save") {
				return true
			}
		}
	}
	return false
}

// dumpedTo returns the file to which the call at an index of a statement writes, or "".
func (b *builder) dumpedTo(s *python.Statement, at int) string {
	c, _ := python.CallAt(s.Tokens, at+1)
	switch s.Tokens[at].Text {
	case "save":
		return schema.Slashes(b.text(c, "path", 0))
	case "save_to_file":
		return path.Join(schema.Slashes(b.text(c, "base_directory", 0)), schema.Slashes(b.text(c, "conda_file_path", 1)))
	}
	if len(s.Blocks) == 0 {
		return ""
	}
	head := s.Blocks[len(s.Blocks)-1].Tokens
	c, ok := python.CallAt(head, 2)
	if !ok || head[0].Text != "with" || head[1].Text != "open" || !strings.HasPrefix(b.text(c, "mode", 1), "w") || at < 4 || s.Tokens[at-4].Text != "write" {
		return ""
	}
	return schema.Slashes(b.text(c, "file", 0))
}
