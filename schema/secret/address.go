package secret

import (
	"bytes"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/source"
)

// longestUser is the length, in bytes, from which on a single word before the host of a URL counts as a token rather
// than a user.
const longestUser = 20

// maxLogin is how far, in bytes, a login is searched before the "@" of an address without a scheme, and its host after
// it. User names and passwords together are far shorter; tokens of any length are found by their form.
const maxLogin = 512

// addressed finds logins and tokens of conda channels in URLs. A URL in the query of another is searched separately.
func addressed(text []byte, found []Token) []Token {
	for at := scheme(text, 0); at < len(text); {
		from := at + len("://")
		next := scheme(text, from)
		found = inAddress(text, at, from, from+wordLength(text[from:next]), found)
		at = next
	}
	return schemeless(text, found)
}

// scheme returns the offset of the next "://" from at on, or the text's length if there is none. It searches for
// slashes, which are rarer than colons.
func scheme(text []byte, at int) int {
	for from := at + 1; from < len(text); from++ {
		i := bytes.Index(text[from:], []byte("//"))
		if i < 0 {
			break
		}
		if from += i; text[from-1] == ':' {
			return from - 1
		}
	}
	return len(text)
}

// wordLength returns the number of bytes before a space, a quote or a bracket that ends a URL.
func wordLength(text []byte) int {
	if i := bytes.IndexAny(text, " \t\r\n\"'<>`"); i >= 0 {
		return i
	}
	return len(text)
}

// inAddress finds the secrets in the URL between from and end, whose "://" begins at colon.
func inAddress(text []byte, colon, from, end int, found []Token) []Token {
	host := from
	stop := from + len(text[from:end])
	if i := bytes.IndexAny(text[from:end], "/?#"); i >= 0 {
		stop = from + i
	}
	at := bytes.LastIndexByte(text[from:stop], '@')
	if at < 0 && named(text[from:stop]) { // u:pa/ss@host: what follows the colon is not a port
		at = bytes.LastIndexByte(text[from:end], '@')
	}
	if at >= 0 {
		host = from + at + 1
		if value := login(text, colon, from, from+at); value.Len() > 0 {
			found = add(found, text, Token{Kind: Login, Span: source.Span{Start: colon, End: host}, Value: value})
		}
	}
	if bytes.HasSuffix(text[:colon], []byte("azureml")) {
		return found // azureml://registries/r/models/t/versions/1
	}
	return channel(text, host, end, found)
}

// named reports whether a host is followed by a colon and something other than a port.
func named(host []byte) bool {
	_, port, ok := bytes.Cut(host, []byte(":"))
	return ok && len(port) > 0 && len(bytes.Trim(port, "0123456789")) > 0 && port[0] != '$' && port[0] != '{'
}

// login returns the secret in the login between from and end: the password, or a user name that is a token.
func login(text []byte, colon, from, end int) source.Span {
	user, password, _ := bytes.Cut(text[from:end], []byte(":"))
	whole := source.Span{Start: from, End: from + len(user)}
	web := bytes.HasSuffix(text[:colon], []byte("http")) || bytes.HasSuffix(text[:colon], []byte("https"))
	alone := len(password) == 0 || string(password) == "x-oauth-basic" // GitHub's placeholder
	switch {
	case alone && web && len(user) >= longestUser:
		return whole
	case alone:
		return source.Span{}
	}
	if port, _, more := bytes.Cut(password, []byte(";")); more && len(bytes.Trim(port, "0123456789")) == 0 {
		return source.Span{} // JDBC: host:1433;user=me@domain
	}
	return source.Span{Start: whole.End + 1, End: end}
}

// channel finds the token of a conda channel in the path of a URL as conda does: after "/t/". Forums have such URLs
// too, with the number of a topic.
func channel(text []byte, host, end int, found []Token) []Token {
	const mark = "/t/"
	i := bytes.Index(text[host:end], []byte(mark))
	if i < 0 {
		return found
	}
	start := host + i + len(mark)
	stop := end
	if j := bytes.IndexAny(text[start:end], "/?#,;"); j >= 0 {
		stop = start + j
	}
	next, _, _ := bytes.Cut(text[min(stop+1, end):end], []byte("/"))
	if topic(text[host:start], text[start:stop], next) {
		return found
	}
	return add(found, text, Token{Kind: Channel, Span: source.Span{Start: start - len(mark), End: stop}, Value: source.Span{Start: start, End: stop}})
}

// topic reports whether the part of a path after "/t/" is the title of a forum's topic, or a placeholder in capitals.
func topic(host, part, next []byte) bool {
	title := len(bytes.Trim(part, "abcdefghijklmnopqrstuvwxyz0123456789-")) == 0 && bytes.IndexByte(part, '-') > 0
	return len(next) > 0 && len(bytes.Trim(next, "0123456789")) == 0 ||
		title && hasAnyPrefix(host, "discuss", "forum", "community", "discourse") ||
		len(bytes.Trim(part, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_")) == 0 || part[0] == '$' || part[0] == '{'
}

// noUsers are words before a colon that are not user names: they say what follows, or are keys without a space after
// the colon.
var noUsers = []string{"address", "username", "azureml", "mailto", "email", "e-mail", "mail", "author", "maintainer", "contact", "npm", "pkg", "sip", "xmpp", "acct"}

// schemeless finds logins without a scheme, user:password@host, as in names of images and addresses of machines.
func schemeless(text []byte, found []Token) []Token {
	done := 0
	for at := 0; ; at++ {
		i := bytes.IndexByte(text[at:], '@')
		if i < 0 {
			return found
		}
		at += i
		if value, ok := loginBefore(text, max(done, at-maxLogin), at); ok {
			rest := text[at+1 : min(at+maxLogin, len(text))]
			rest = rest[:wordLength(rest)]
			if n := bytes.IndexAny(rest, "/,"); n >= 0 {
				rest = rest[:n]
			}
			at += bytes.LastIndexByte(rest, '@') + 1 // in a password that contains "@"
			value.End = at
			found = add(found, text, Token{Kind: Login, Span: source.Span{Start: value.Start, End: at + 1}, Value: value})
		}
		done = at + 1
	}
}

// loginBefore reports whether the "@" at offset at ends user:password, starting at from or later, and returns the span
// of the password.
func loginBefore(text []byte, from, at int) (value source.Span, ok bool) {
	const oracle = "jdbc:oracle:" // thin:user/password@host or @//host
	if i := bytes.LastIndex(text[from:at], []byte(oracle)); i >= 0 {
		login := text[from+i+len(oracle) : at]
		if slash := bytes.IndexByte(login, '/'); slash >= 0 && !bytes.ContainsAny(login, " \t\r\n\"'") {
			return source.Span{Start: at - len(login) + slash + 1, End: at}, true
		}
	}
	if at+1 >= len(text) || !isAlnum(text[at+1]) || hasAnyPrefix(text[at+1:], "sha256:", "sha384:", "sha512:", "latest", "default") {
		return value, false
	}
	start := from + bytes.LastIndexAny(text[from:at], " \t\r\n\"'()[]{}<>|`") + 1
	if i := bytes.LastIndex(text[start:at], []byte(`\/`)); i >= 0 {
		start += i + len(`\/`) // slashes may be escaped in JSON
	}
	user, password, ok := bytes.Cut(text[start:at], []byte(":"))
	first := len(bytes.TrimRight(user, nameLetters)) // of the name at the end
	if before := start + first - 1; before >= 0 && (text[before] == '/' || text[before] == '@') && (before == 0 || text[before-1] != '\\') {
		return value, false
	}
	user = user[first:]
	if !ok || len(user) == 0 || len(password) == 0 || bytes.IndexByte(password, '/') >= 0 || strings.IndexByte("$%", password[0]) >= 0 ||
		slices.ContainsFunc(noUsers, func(word string) bool { return strings.EqualFold(word, string(user)) }) {
		return value, false
	}
	return source.Span{Start: start + first + len(user) + 1, End: at}, !archived(text[max(0, at-maxLogin):min(at+maxLogin, len(text))])
}

// archived reports whether bytes are those of an archive or an image, where a:b@c occurs by chance: they have a zero,
// as the variables of a process do too, and many of them are not UTF-8, unlike a few letters of Latin-1.
func archived(text []byte) bool {
	return bytes.IndexByte(text, 0) >= 0 && len(bytes.ToValidUTF8(text, nil)) < len(text)*7/8
}

const nameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

func hasAnyPrefix(text []byte, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return bytes.HasPrefix(text, []byte(p)) })
}
