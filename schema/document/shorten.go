package document

import "bytes"

// Shorten cuts the text of whole-line comments, keeping the "#" and the line end, so that yaml.v3, which spends a
// quarter of its time on comments, has less to read. Lines and columns of everything else stay the same. The text is
// returned unchanged if a line that looks like a comment might be part of a value: if there are block scalars, or
// quotes that span lines.
func Shorten(text []byte) []byte {
	if bytes.IndexByte(text, '#') < 0 {
		return text
	}
	out := make([]byte, 0, len(text))
	for rest := text; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n') + 1
		if end == 0 {
			end = len(rest)
		}
		line := rest[:end]
		rest = rest[end:]
		body := bytes.TrimLeft(line, " ")
		comment := bytes.TrimRight(body, "\r\n")
		if len(comment) > 0 && comment[0] == '#' && printable(comment) {
			out = append(out, line[:len(line)-len(body)+1]...)
			out = append(out, body[len(comment):]...)
			continue
		}
		if bytes.ContainsAny(line, "|>") || bytes.Count(line, []byte{'"'})%2 != 0 || bytes.Count(line, []byte{'\''})%2 != 0 {
			return text
		}
		out = append(out, line...)
	}
	return out
}

// printable reports whether a comment is plain ASCII; other kinds of line breaks and bytes that YAML refuses are left
// to yaml.v3.
func printable(comment []byte) bool {
	for _, c := range comment {
		if c >= 0x7f || c < ' ' && c != '\t' {
			return false
		}
	}
	return true
}
