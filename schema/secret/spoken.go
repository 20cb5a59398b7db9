package secret

import (
	"bytes"
	"strings"
)

// spoken are commands that take a secret as a word without an option of its own: each begins with before and ends with
// rare, whose first letter few words have. next is their second word, or "-" and a letter that is among their options.
// Sources: their manual pages.
var spoken = [...]struct{ before, rare, next, secret string }{
	{"con", "fig", "", keyed}, // of git, npm, poetry, rclone
	{"con", "figure", "set", keyed},
	{"remote modi", "fy", "", worded}, // of dvc
	{"htpass", "wd", "-b", last},
	{"chpass", "wd", "", piped},
	{"", "kinit", "", piped},
}

// Where the secret is: in the word after the name of a secret setting, which has several parts if keyed, in the last
// word, or in what echo prints.
const keyed, worded, last, piped = "keyed", "worded", "last", "piped"

// spokenWords hides the secrets of these commands.
func (s *scanner) spokenWords() {
	for _, letter := range []byte("fwk") {
		for at := 0; ; at++ {
			i := bytes.IndexByte(s.text[at:], letter)
			if i < 0 {
				break
			}
			if at += i; at+1 == len(s.text) || strings.IndexByte("idy", s.text[at+1]) < 0 {
				continue // not the second letter of any
			}
			for _, c := range &spoken {
				if c.rare[0] == letter && bytes.HasPrefix(s.text[at:], []byte(c.rare)) && bytes.HasSuffix(s.text[:at], []byte(c.before)) {
					s.spokenWord(at-len(c.before), at+len(c.rare), c.next, c.secret)
				}
			}
		}
	}
}

// spokenWord hides the secret of the command between start and end.
func (s *scanner) spokenWord(start, end int, next, secret string) {
	switch {
	case start > 0 && inName(s.text[start-1]) || end < len(s.text) && inName(s.text[end]):
	case secret == piped:
		s.piped(start)
	default:
		s.hideWord(end, next, secret)
	}
}

// hideWord hides the secret among the words from offset at on, in a command or in a list.
func (s *scanner) hideWord(at int, next, secret string) {
	if isQuote(s.byteAt(at)) {
		at++ // of the command itself, in a list
	}
	whole, end := s.text, min(at+maxCommand, len(s.text))
	if i := bytes.IndexAny(s.text[at:end], ";&|<>#\r\n"); i >= 0 {
		end = at + i
	}
	s.text = whole[:end]
	defer func() { s.text = whole }()
	hide := func(from, stop int) {
		if stop == end {
			stop += wordLength(whole[end:])
		}
		s.text = whole
		s.hide(from, stop)
		s.text = whole[:end]
	}
	option, second := "", next != ""
	if second && next[0] == '-' {
		option, second = next[1:], false
	}
	var from, stop, count int
	due := false // the word before is the name of a secret
	for at < end {
		begin, over := s.argument(s.skip(at, " \t,"))
		word := string(s.text[begin:over])
		if word == "" || word[0] == ']' || second && word != next || secret == last && count > 0 && word[0] == '-' {
			break
		}
		switch {
		case second:
			second = false
		case word[0] == '-':
			option = strings.Trim(option, word)
		case due && !harmless(word):
			hide(begin, over)
			due = false
		default:
			from, stop, count = begin, over, count+1
			setting := secret == worded || strings.ContainsAny(word, "._:-") && (strings.IndexByte(word, '/') < 0 || strings.Contains(word, ":_"))
			due = secret != last && setting && NameIsSecret(word) && !strings.HasSuffix(word, "helper") // a program that stores them
		}
		at = over
		if isQuote(s.byteAt(at)) {
			if begin == 0 || !isQuote(s.text[begin-1]) {
				break // the end of the whole command
			}
			at++
		}
	}
	if secret == last && count > 1 && option == "" && !harmless(string(s.text[from:stop])) {
		hide(from, stop)
	}
}
