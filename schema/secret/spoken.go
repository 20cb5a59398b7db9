package secret

import (
	"bytes"
	"strings"
)

// spoken are commands that take a secret as a word without an option of its own. next is their second word, or "-" and
// a letter that is among their options. Sources: their manual pages.
var spoken = [...]struct{ command, next, secret string }{
	{"config", "", keyed}, // of git, npm, poetry, rclone
	{"configure", "set", keyed},
	{"remote", "modify", keyed}, // of dvc
	{"htpasswd", "-b", last},
	{"alias", "set", last}, // of mc
	{"add_user", "", last}, // of rabbitmqctl
	{"change_password", "", last},
	{"chpasswd", "", piped},
	{"kinit", "", piped},
}

// Where the secret is: in the word after the name of a secret setting, in the last word, or in what echo prints.
const keyed, last, piped = "keyed", "last", "piped"

// spokenWords hides the secrets of these commands.
func (s *scanner) spokenWords() {
	for _, c := range spoken {
		for at := 0; ; {
			i := bytes.Index(s.text[at:], []byte(c.command))
			if i < 0 {
				break
			}
			start := at + i
			at = start + len(c.command)
			switch {
			case start > 0 && inName(s.text[start-1]) || at < len(s.text) && inName(s.text[at]):
			case c.secret == piped:
				s.piped(start)
			default:
				s.hideWord(at, c.next, c.secret == keyed)
			}
		}
	}
}

// hideWord hides the secret among the words from offset at on, in a command or in a list.
func (s *scanner) hideWord(at int, next string, keyed bool) {
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
		if word == "" || word[0] == ']' || second && word != next || !keyed && count > 0 && word[0] == '-' {
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
			setting := next == "modify" || strings.ContainsAny(word, "._:-") && (strings.IndexByte(word, '/') < 0 || strings.Contains(word, ":_"))
			due = keyed && setting && NameIsSecret(word) && !strings.HasSuffix(word, "helper") // a program that stores them
		}
		at = over
		if isQuote(s.byteAt(at)) {
			if begin == 0 || !isQuote(s.text[begin-1]) {
				break // the end of the whole command
			}
			at++
		}
	}
	if !keyed && count > 1 && option == "" && !harmless(string(s.text[from:stop])) {
		hide(from, stop)
	}
}
