package source

// YAML's scanner breaks lines at more characters than editors do; yaml.v3 reports line numbers in its own counting, so
// locating a node needs this table.

// BreakWidth returns the width in bytes of the YAML line break at offset i, or 0 when there is none: "\r\n" is 2; "\n"
// and "\r" are 1; U+0085 is 2; U+2028 and U+2029 are 3 (yaml.v3 v3.0.1, yamlprivateh.go is_break).
func BreakWidth(text []byte, i int) int {
	if i >= len(text) {
		return 0
	}
	switch text[i] {
	case '\n':
		return 1
	case '\r':
		if i+1 < len(text) && text[i+1] == '\n' {
			return 2
		}
		return 1
	case 0xC2:
		if i+1 < len(text) && text[i+1] == 0x85 {
			return 2
		}
	case 0xE2:
		if i+2 < len(text) && text[i+1] == 0x80 && (text[i+2] == 0xA8 || text[i+2] == 0xA9) {
			return 3
		}
	}
	return 0
}

// ScannerLines returns the offset of the first byte of every line as yaml.v3 counts lines; the first is after the byte
// order mark.
func (s *Source) ScannerLines() []int {
	start := s.Start()
	lines := make([]int, 1, s.LineCount()+1)
	lines[0] = start
	for i := start; i < len(s.Text); {
		c := s.Text[i]
		if c > '\r' && c < 0xC2 || c < '\n' {
			i++
			continue
		}
		if w := BreakWidth(s.Text, i); w > 0 {
			i += w
			lines = append(lines, i)
			continue
		}
		i++
	}
	return lines
}
