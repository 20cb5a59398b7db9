package secret

import (
	"bytes"
	"slices"
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
	end := name
	for end < len(s.text) && inName(s.text[end]) {
		end++
	}
	option := string(s.text[at:end])
	if option == "--password-stdin" || option == "--with-token" || option == "-S" && s.follows(at, "sudo") {
		s.piped(at)
		return end
	}
	login := slices.Contains(loginOptions, option) || (option == "-a" || option == "--auth") && s.follows(at, "http")
	if from, attached := s.cluster(at, option); attached {
		from, stop := s.argument(from)
		s.hide(s.passwordOf(option, from, stop), stop)
		return max(end, stop)
	} else if from > 0 {
		login = true
	}
	if !login && !NameIsSecret(option[name-at:]) {
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
		if from = s.passwordOf(option, from, stop); from == stop {
			return end
		}
	}
	s.hide(from, stop)
	return stop
}

// loginOptions take a user and a password: of curl, smbclient, lftp and HTTPie.
var loginOptions = []string{"--user", "--proxy-user", "-u", "-U"}

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

// passwordOf returns where the password of the user:password between from and stop begins, or stop if there is none;
// smbclient and lftp have other separators. Numbers are a user and a group.
func (s *scanner) passwordOf(option string, from, stop int) int {
	user, password, ok := bytes.Cut(s.text[from:stop], []byte(":"))
	switch {
	case option == "-U" || !ok && option == "--user":
		user, password, ok = bytes.Cut(s.text[from:stop], []byte("%"))
	case !ok && option == "-u" && s.follows(from, "lftp"):
		user, password, ok = bytes.Cut(s.text[from:stop], []byte(","))
	}
	user = bytes.Trim(user, `"'\`)
	plain := bytes.Trim(password, `"'\`)
	switch {
	case !ok || len(user) == 0 || len(plain) == 0 || len(bytes.Trim(user, nameLetters+"@+%"+`\`)) > 0,
		len(bytes.Trim(user, "0123456789")) == 0 && len(bytes.Trim(plain, "0123456789")) == 0,
		string(plain) == "root", plain[0] == '/', harmless(string(plain)):
		return stop
	}
	return stop - len(password)
}

// programs are those that take a password after a short option; for others, a port or a number of processes follows it.
// attached means without a space. A name also stands for longer ones: mongo for mongodump. Sources: their manual pages.
var programs = [...]struct {
	name, option       string
	attached, separate bool
}{
	{"sshpass", "-p", true, true},
	{"login", "-p", false, true}, // docker, podman, az, helm and oras login
	{"mysql", "-p", true, false}, // -P is the port
	{"mariadb", "-p", true, false},
	{"mongo", "-p", false, true},
	{"cqlsh", "-p", false, true},
	{"beeline", "-p", false, true},
	{"twine", "-p", false, true},
	{"publish", "-p", false, true}, // of poetry
	{"publish", "-t", false, true}, // of uv
	{"anaconda", "-t", false, true},
	{"7z", "-p", true, false},
	{"rar", "-p", true, false},
	{"unrar", "-p", true, false},
	{"redis-cli", "-a", false, true},
	{"sqlcmd", "-P", true, true},
	{"bcp", "-P", true, true},
	{"zip", "-P", false, true},
	{"unzip", "-P", true, true},
	{"ipmitool", "-P", false, true},
	{"ldap", "-w", false, true},
	{"ssh-keygen", "-N", false, true},
	{"openssl", "-k", false, true},
	{"snmp", "-A", false, true},
	{"snmp", "-X", false, true},
	{"secret set", "-b", false, true}, // of gh
	{"secret set", "--body", false, true},
}

// maxCommand is the number of bytes before a short option that are searched for its program.
const maxCommand = 256

// passwordOption reports whether the option at offset at is one after which its program takes a password, and where an
// attached password begins.
func (s *scanner) passwordOption(at int, option string) (attached int, separate bool) {
	if s.byteAt(at+1) == '-' && option != "--body" {
		return 0, false
	}
	for _, p := range programs {
		switch {
		case !strings.HasPrefix(option, p.option) || option == p.option && !p.separate || option != p.option && !p.attached, !s.follows(at, p.name):
		case option == p.option:
			return 0, true
		default:
			return at + len(p.option), false
		}
	}
	return 0, false
}

// follows reports whether the option at offset at belongs to a program whose name begins like this.
func (s *scanner) follows(at int, name string) bool {
	before := s.text[max(0, at-maxCommand):at]
	if !bytes.Contains(before, []byte(name)) {
		return false // as in nearly all files, and found faster
	}
	before = before[bytes.LastIndexAny(before, ";&|")+1:] // another command's options are not this one's
	i := bytes.LastIndex(before, []byte(name))
	if i < 0 || i > 0 && inName(before[i-1]) && before[i-1] != '-' {
		return false
	}
	rest := bytes.TrimLeft(before[i+len(name):], "abcdefghijklmnopqrstuvwxyz-")
	return len(rest) > 0 && strings.IndexByte(" \t\r\n\"'\\,", rest[0]) >= 0 || i+len(name) == len(before)
}

// cluster returns where the user and password of curl begin, given the option at offset at: after -sSu or in -ume:x.
func (s *scanner) cluster(at int, option string) (from int, attached bool) {
	const others = "sSfLkvgiIjlnNpqR"
	flags, _, found := strings.Cut(option[1:], "u")
	if !found || len(option) < len("-su") || strings.Trim(flags, others) != "" || !s.follows(at, "curl") {
		return 0, false
	}
	from = at + len("-u") + len(flags)
	return from, from < at+len(option)
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
	if from, stop := s.argument(from); stop < bar && !harmless(string(s.text[from:stop])) {
		s.hide(from, stop)
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
