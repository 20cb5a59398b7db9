package source

import "bytes"

// Comments returns the span of every comment in some lines, from its "#" to the end of its line, in file order. A "#"
// begins a comment at the start of a line or after a space; skip, sorted and disjoint, are the spans of scalars, in
// which it never does. Parsers' own comment lists are not used: yaml.v3 v3.0.1 loses comments and moves them on files
// with CRLF (go-yaml/yaml#695).
func (s *Source) Comments(lines Span, skip []Span) []Span {
	var comments []Span
	text := s.Text[:lines.End]
	for i := max(s.Start(), lines.Start); i < len(text); i++ {
		next := bytes.IndexByte(text[i:], '#')
		if next < 0 {
			break
		}
		i += next
		for len(skip) > 0 && skip[0].End <= i {
			skip = skip[1:]
		}
		if len(skip) > 0 && skip[0].Contains(i) {
			i = skip[0].End - 1
			continue
		}
		if i > s.Start() && !beforeComment(text[i-1]) {
			continue
		}
		end := len(text)
		if line := bytes.IndexByte(text[i:], '\n'); line >= 0 {
			end = i + line
		}
		if cr := bytes.IndexByte(text[i:end], '\r'); cr >= 0 {
			end = i + cr
		}
		comments = append(comments, Span{i, end})
		i = end
	}
	return comments
}

func beforeComment(c byte) bool {
	switch c {
	case ' ', '\t', '\n', '\r', ',', '[', ']', '{', '}':
		return true
	}
	return false
}
