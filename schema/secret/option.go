package secret

import (
	"bytes"
	"strings"
)

// dash hides what follows the option that begins at offset at if its name is a secret's, and the password in
// --user=me:password.
func (s *scanner) dash(at int, commands bool) int {
	name := at
	for name < len(s.text) && s.text[name] == '-' {
		name++
	}
	if name-at > 2 || !isLower(s.byteAt(name)) && !isUpper(s.byteAt(name)) || at > 0 && inName(s.text[at-1]) {
		return name
	}
	end := s.nameEnd(name)
	option := string(s.text[at:end])
	if option == "--password-stdin" {
		s.piped(at)
		return end
	}
	login := isOneOf(loginOptions, option)
	if !login && !s.isSecret(option[name-at:], end) {
		attached, ok := s.passwordOption(at, option)
		if attached > 0 {
			from, stop := s.argument(attached)
			s.hide(from, stop)
			return max(end, stop)
		}
		if !ok {
			return end
		}
	}
	from, stop := s.optionValue(end, commands || login, login)
	if from >= stop || s.byteAt(s.skip(from, `"'\`)) == '-' || s.text[from] == '#' || harmless(string(s.text[from:stop])) {
		return end
	}
	if login {
		if from = s.passwordOf(from, stop); from == stop {
			return end
		}
	}
	s.hide(from, stop)
	return stop
}

// loginOptions are curl's options that take a user and a password.
var loginOptions = []string{"--user", "--proxy-user", "-u"}

// optionValue returns the span of the value of the option that ends at offset end: the next item of a list, or what
// follows a space if spaced, or an equals sign if assigned.
func (s *scanner) optionValue(end int, spaced, assigned bool) (from, stop int) {
	if from, stop = s.item(end); from < stop || !spaced {
		return from, stop
	}
	if assigned && s.byteAt(end) == '=' {
		return s.argument(end + 1)
	}
	if from = s.nextWord(end); from > end {
		return s.argument(from)
	}
	return end, end
}

// nextWord returns where the next word of a command begins after offset end, possibly on the next line if that is
// neither a pair nor an item; end if there is none.
func (s *scanner) nextWord(end int) int {
	at := s.skip(end, " \t")
	if s.byteAt(at) == '\\' && isSpace(s.byteAt(at+1)) {
		return s.skip(at+1, " \t\r\n")
	}
	next := s.skip(at, "\r\n")
	if next == at {
		return at
	}
	word := s.skip(next, " \t")
	if word == next || word >= len(s.text) || isMarker(s.text[word:]) || s.isPair(word, s.memberEnd(word)) {
		return end
	}
	return word
}

// passwordOf returns where the password of the user:password between from and stop begins, or stop if there is none.
// Numbers are a user and a group.
func (s *scanner) passwordOf(from, stop int) int {
	user, password, ok := bytes.Cut(s.text[from:stop], []byte(":"))
	user = bytes.Trim(user, `"'\`)
	plain := bytes.Trim(password, `"'\`)
	switch {
	case !ok || len(user) == 0 || len(plain) == 0 || len(bytes.Trim(user, nameLetters+"@+%")) > 0,
		len(bytes.Trim(user, "0123456789")) == 0 && len(bytes.Trim(plain, "0123456789")) == 0,
		string(plain) == "root", plain[0] == '/', harmless(string(plain)):
		return stop
	}
	return stop - len(password)
}

// programs are those that take a password after a short option; for others, a port or a number of processes follows it.
// attached means without a space. Sources: their manual pages.
var programs = [...]struct {
	name, option       string
	attached, separate bool
}{
	{"sshpass", "-p", true, true},
	{"login", "-p", false, true}, // docker, podman, az, helm and oras login
	{"mysql", "-p", true, false}, // -P is the port
	{"mysqldump", "-p", true, false},
	{"mysqladmin", "-p", true, false},
	{"mariadb", "-p", true, false},
	{"7z", "-p", true, false},
	{"redis-cli", "-a", false, true},
	{"sqlcmd", "-P", true, true},
	{"bcp", "-P", true, true},
	{"zip", "-P", false, true},
	{"unzip", "-P", false, true},
	{"ldapsearch", "-w", false, true},
	{"ldapadd", "-w", false, true},
	{"ldapmodify", "-w", false, true},
	{"ssh-keygen", "-N", false, true},
}

// maxCommand is the number of bytes before a short option that are searched for its program.
const maxCommand = 256

// passwordOption reports whether the option at offset at is one after which its program takes a password, and where an
// attached password begins.
func (s *scanner) passwordOption(at int, option string) (attached int, separate bool) {
	if s.byteAt(at+1) == '-' {
		return 0, false
	}
	before := s.text[max(0, at-maxCommand):at]
	before = before[bytes.LastIndexAny(before, ";&|")+1:] // another command's options are not this one's
	for _, p := range programs {
		if !strings.HasPrefix(option, p.option) || option == p.option && !p.separate || option != p.option && !p.attached {
			continue
		}
		i := bytes.LastIndex(before, []byte(p.name))
		if i < 0 || i > 0 && (inName(before[i-1]) && before[i-1] != '-') || i+len(p.name) < len(before) && inName(before[i+len(p.name)]) {
			continue
		}
		if option == p.option {
			return 0, true
		}
		return at + len(p.option), false
	}
	return 0, false
}

// piped hides the word that echo gives to the program that reads a password from its standard input: the option at
// offset at says so.
func (s *scanner) piped(at int) {
	start := max(0, at-maxCommand)
	bar := max(start, start+bytes.LastIndexByte(s.text[start:at], '|'))
	start += bytes.LastIndexAny(s.text[start:bar], ";&|\r\n") + 1
	echo := bytes.LastIndex(s.text[start:bar], []byte("echo "))
	if echo < 0 {
		return
	}
	from := s.skip(start+echo+len("echo "), " ")
	if bytes.HasPrefix(s.text[from:], []byte("-n ")) {
		from = s.skip(from+len("-n "), " ")
	}
	if from, stop := s.argument(from); stop < bar {
		s.cover(from, stop)
	}
}

// maxRemarks is the maximum number of comment lines between an option and its value.
const maxRemarks = 8

// behind returns the offset of the next text from at on, skipping comments.
func (s *scanner) behind(at int) int {
	for range maxRemarks {
		next := s.skip(at, " \t\r\n")
		if next == at || s.byteAt(next) != '#' || bytes.IndexByte(s.text[at:next], s.eol) < 0 {
			return next
		}
		at = s.lineEnd(next)
	}
	return at
}

// item returns the span of the list item after the option that ends at offset end, in ["--password", "x"] or in block
// style; empty if there is none.
func (s *scanner) item(end int) (from, stop int) {
	at := s.behind(s.skip(end, `"'\`))
	separator := s.byteAt(at)
	if separator != ',' && separator != '-' || s.byteAt(at+1) == '-' {
		return end, end
	}
	from = s.skip(at+1, " \t\r\n")
	if separator == '-' && from == at+1 {
		return end, end
	}
	if isQuote(s.byteAt(from)) {
		if stop, closed := s.quoteEnd(from); closed {
			return from, stop
		}
	}
	if separator == '-' {
		return from, s.indented(at, s.plainEnd(from, false))
	}
	for stop = from; stop < len(s.text); stop++ {
		c := s.text[stop]
		if c == ',' || c == s.eol || c == ']' && (isSpace(s.byteAt(stop+1)) || strings.IndexByte(",]}", s.byteAt(stop+1)) >= 0) {
			break
		}
	}
	return from, stop
}

// indented returns where an item's value ends, given the offset of its dash and the end of its first line: lines with
// deeper indentation belong to it.
func (s *scanner) indented(dash, end int) int {
	from := max(0, dash-maxColumn)
	start := bytes.LastIndexByte(s.text[from:dash], s.eol) + 1
	if start == 0 && from > 0 {
		return end
	}
	column := dash - from - start
	for {
		next := s.lineEnd(end) + 1
		text := s.skip(min(next, len(s.text)), " \t\r\n")
		if text >= len(s.text) {
			return end
		}
		start := bytes.LastIndexByte(s.text[:text], s.eol) + 1
		if text-start <= column {
			return end
		}
		end = s.lineEnd(text)
	}
}

// maxColumn is the maximum indentation of an item whose further lines are recognized.
const maxColumn = 256
