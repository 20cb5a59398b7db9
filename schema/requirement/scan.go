package requirement

// spaces are the bytes that separate tokens.
const spaces = " \t\n\v\f\r"

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isAlpha(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) }

// isNameByte reports whether a byte can be in a Python distribution name.
func isNameByte(c byte) bool { return isAlnum(c) || c == '-' || c == '_' || c == '.' }

// isVersionByte reports whether a byte can be in a version or a version pattern of pip or conda.
func isVersionByte(c byte) bool { return isNameByte(c) || c == '+' || c == '!' || c == '*' }

func isOperatorByte(c byte) bool {
	return c == '=' || c == '<' || c == '>' || c == '!' || c == '~'
}

func skipSpaces(s string, i, end int) int {
	for i < end && isSpace(s[i]) {
		i++
	}
	return i
}

// skip returns the position after the bytes of a class.
func skip(s string, i, end int, class func(byte) bool) int {
	for i < end && class(s[i]) {
		i++
	}
	return i
}

// trim narrows [start, end) to exclude spaces at both ends.
func trim(s string, start, end int) (int, int) {
	start = skipSpaces(s, start, end)
	for end > start && isSpace(s[end-1]) {
		end--
	}
	return start, end
}

// skipName returns the end of the PEP 508 name at i, or i if there is none. A name starts and ends with a letter or
// digit.
func skipName(s string, i, end int) int {
	j := i
	if i < end && isAlnum(s[i]) {
		j = skip(s, i, end, isNameByte)
	}
	for j > i && !isAlnum(s[j-1]) {
		j--
	}
	return j
}

// skipOperator returns the end of the longest comparison operator at i, or i.
func skipOperator(s string, i, end int) int {
	j := i
	for j < end && j < i+3 && isOperatorByte(s[j]) {
		j++
	}
	for ; j > i; j-- {
		switch s[i:j] {
		case "===", "==", "!=", "<=", ">=", "~=", "=", "<", ">":
			return j
		}
	}
	return i
}

// commentStart returns the start of a comment as pip defines it, a "#" at the start or after a space, or end.
func commentStart(s string, start, end int) int {
	for i := start; i < end; i++ {
		if s[i] == '#' && (i == start || isSpace(s[i-1])) {
			return i
		}
	}
	return end
}
