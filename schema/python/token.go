// Package python splits the text of Python programs into tokens and statements, and reads calls and literal values in
// them. It runs nothing and builds no tree; its results for a text that Python would reject are meaningless.
package python

import (
	"strings"
	"unicode/utf8"
)

// Kind is the kind of a Token.
type Kind uint8

// The kinds of tokens.
const (
	end     Kind = iota
	Newline      // the end of a statement; its text is the indentation of the next line
	Name
	Number
	String // a string; its text is the value
	Other  // a string whose value is not in the text, such as an f-string
	Operator
)

// Token is a word, a literal or an operator of a program.
type Token struct {
	Kind Kind
	Text string
	At   int // byte offset of its beginning
	End  int // byte offset of its end
}

// scanner splits a program into tokens. It reads each byte once.
type scanner struct {
	text   string
	at     int
	depth  int // of brackets
	tokens []Token
	count  int  // of tokens
	only   bool // count them, and keep none
	broken bool // the rest cannot be scanned
}

// Scan splits a program into tokens; ok is false if it cannot be scanned to its end.
func Scan(text string) (tokens []Token, ok bool) {
	const usual, large = 5, 1 << 16 // bytes per token, and of a text whose tokens take much memory
	s := scanner{text: strings.TrimPrefix(text, "\ufeff"), count: len(text) / usual}
	if len(text) > large {
		counter := scanner{text: s.text, only: true}
		counter.scan()
		s.count = counter.count
	}
	s.tokens = make([]Token, 0, s.count)
	s.scan()
	shift := len(text) - len(s.text)
	for i := range s.tokens {
		s.tokens[i].At += shift
		s.tokens[i].End += shift
	}
	return s.tokens, !s.broken && s.depth == 0
}

func (s *scanner) scan() {
	s.line()
	for s.at < len(s.text) && !s.broken {
		s.token()
	}
	s.emit(Newline, "", s.at)
}

func (s *scanner) emit(k Kind, text string, start int) {
	if s.count++; !s.only {
		s.tokens = append(s.tokens, Token{k, text, start, s.at})
	}
}

// line scans the beginning of a line outside brackets: its indentation counts unless the line is empty.
func (s *scanner) line() {
	for {
		start := s.at
		for s.at < len(s.text) && strings.IndexByte(" \t\f", s.text[s.at]) >= 0 {
			s.at++
		}
		indent := s.text[start:s.at]
		if s.at < len(s.text) && s.text[s.at] == '#' {
			s.comment()
		}
		if s.at < len(s.text) && (s.text[s.at] == '\n' || s.text[s.at] == '\r') {
			s.at++
			continue
		}
		s.emit(Newline, indent, start)
		return
	}
}

func (s *scanner) comment() {
	if n := strings.IndexAny(s.text[s.at:], "\r\n"); n >= 0 {
		s.at += n
		return
	}
	s.at = len(s.text)
}

func (s *scanner) token() {
	start := s.at
	switch c := s.text[s.at]; {
	case c == '\n' || c == '\r':
		s.at++
		if s.depth == 0 {
			s.line()
		}
	case c == ' ' || c == '\t' || c == '\f':
		s.at++
	case c == '#':
		s.comment()
	case c == '\\': // the line continues
		s.at++
		if strings.HasPrefix(s.text[s.at:], "\r\n") {
			s.at++
		}
		if s.at >= len(s.text) || strings.IndexByte("\r\n", s.text[s.at]) < 0 {
			s.broken = true
			return
		}
		s.at++
	case c == '"' || c == '\'':
		s.string("", start)
	case isNameByte(c) && (c < '0' || c > '9'):
		for s.at < len(s.text) && isNameByte(s.text[s.at]) {
			s.at++
		}
		word := s.text[start:s.at]
		if s.at < len(s.text) && (s.text[s.at] == '"' || s.text[s.at] == '\'') && len(word) <= 2 && strings.Trim(strings.ToLower(word), "rbuft") == "" {
			s.string(strings.ToLower(word), start)
			return
		}
		s.emit(Name, word, start)
	case c >= '0' && c <= '9' || c == '.' && s.at+1 < len(s.text) && s.text[s.at+1] >= '0' && s.text[s.at+1] <= '9':
		s.number(start)
	default:
		s.operator(c, start)
	}
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

func (s *scanner) number(start int) {
	for s.at < len(s.text) {
		c := s.text[s.at]
		if (c == '+' || c == '-') && (s.text[s.at-1]|0x20 != 'e' || strings.HasPrefix(s.text[start:], "0x")) || c != '+' && c != '-' && c != '.' && !isNameByte(c) {
			break
		}
		s.at++
	}
	s.emit(Number, s.text[start:s.at], start)
}

func (s *scanner) operator(c byte, start int) {
	s.at++
	switch c {
	case '(', '[', '{':
		s.depth++
	case ')', ']', '}':
		if s.depth--; s.depth < 0 {
			s.broken = true
		}
	default:
		if s.at == len(s.text) || strings.IndexByte("=*/<>.", s.text[s.at]) < 0 {
			break // it has one character
		}
		for _, long := range []string{"**=", "//=", ">>=", "<<=", "...", "**", "//", ">>", "<<", "==", "!=", "<=", ">=", "->", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=", ":="} {
			if strings.HasPrefix(s.text[start:], long) {
				s.at = start + len(long)
				break
			}
		}
	}
	s.emit(Operator, s.text[start:s.at], start)
}
