package edit

import "strings"

// plainSafe reports whether s, written without quotes, is read as the string s by YAML 1.1 and YAML 1.2 readers alike.
func plainSafe(s string, flow bool) bool {
	if s == "" || !printable(s) || s[0] == ' ' || s[len(s)-1] == ' ' {
		return false
	}
	if strings.ContainsRune(",[]{}#&*!|>'\"%@`", rune(s[0])) {
		return false
	}
	if strings.ContainsRune("-?:", rune(s[0])) && (len(s) == 1 || s[1] == ' ') {
		return false
	}
	if strings.HasPrefix(s, "---") || strings.HasPrefix(s, "...") ||
		strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.HasSuffix(s, ":") {
		return false
	}
	// YAML 1.1 readers fail at ":" and "?" in flow style.
	if flow && strings.ContainsAny(s, ",[]{}:?") {
		return false
	}
	return !otherType(s)
}

// otherType reports whether some reader reads the plain scalar s as anything but a string. When in doubt it says so:
// quotes do no harm.
func otherType(s string) bool {
	switch strings.ToLower(s) {
	case "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "<<", "=",
		".nan", ".inf", "+.inf", "-.inf", "+.nan", "-.nan":
		return true
	}
	return number(strings.ToLower(s)) || timestamp(s)
}

// number covers integers, floats and base-60 numbers of both YAML versions.
func number(s string) bool {
	s = strings.TrimLeft(s, "+-")
	switch {
	case strings.HasPrefix(s, "0x"):
		return only(s[2:], "0123456789abcdef_")
	case strings.HasPrefix(s, "0b"):
		return only(s[2:], "01_")
	case strings.HasPrefix(s, "0o"):
		return only(s[2:], "01234567_")
	}
	if s == "" || !strings.ContainsAny(s, "0123456789") || strings.ContainsRune("_e:", rune(s[0])) {
		return false
	}
	if strings.Contains(s, ":") {
		return only(s, "0123456789_:.") && strings.Count(s, ".") <= 1
	}
	mantissa, exponent, found := strings.Cut(s, "e")
	if found && !only(strings.TrimLeft(exponent, "+-"), "0123456789_") {
		return false
	}
	return only(mantissa, "0123456789_.") && strings.Count(mantissa, ".") <= 1
}

// timestamp covers what begins with a date: 2020-01-31, 2020-1-31 10:00:00.
func timestamp(s string) bool {
	i := 0
	for part, width := range [3][2]int{{4, 4}, {1, 2}, {1, 2}} {
		if part > 0 {
			if i >= len(s) || s[i] != '-' {
				return false
			}
			i++
		}
		start := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		if i-start < width[0] || i-start > width[1] {
			return false
		}
	}
	return i == len(s) || strings.ContainsRune("tT ", rune(s[i]))
}

func only(s, chars string) bool {
	return s != "" && strings.Trim(s, chars) == ""
}
