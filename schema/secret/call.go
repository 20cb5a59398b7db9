package secret

import "bytes"

// setters end the names of functions that take a name and its value.
var setters = []string{"setdefault", "env", ".get", ".set", "_secret"}

// call hides the second argument of the call whose parenthesis is at offset at if the first is the name of a secret:
// environ.setdefault("API_KEY", "x").
func (s *scanner) call(at int) int {
	name := s.skip(at+1, " \t\r\n\"'\\")
	end := s.nameEnd(name)
	comma := s.skip(end, `"'\ `)
	from := s.skip(s.skip(min(comma+1, len(s.text)), " \t\r\n"), "bBfFrRuU")
	if s.byteAt(comma) != ',' || !isQuote(s.text[name-1]) || !isQuote(s.byteAt(s.skip(from, `\`))) ||
		!endsInAny(string(s.text[max(0, at-len(setters[0])):at]), setters) || !s.isSecret(string(s.text[name:end]), comma) {
		return at
	}
	return s.cover(s.argument(from))
}

// element hides the text of the XML element that begins at offset at if its name is a secret's. "key" alone is the name
// of something else there.
func (s *scanner) element(at int) int {
	end := s.nameEnd(at + 1)
	from := end + bytes.IndexAny(s.text[end:], "<>") + 1
	stop := from + bytes.IndexByte(s.text[from:], '<')
	name := string(s.text[at+1 : end])
	if from <= end || s.text[from-1] != '>' || stop < from || s.byteAt(stop+1) != '/' || name == "key" || !s.isSecret(name, from) {
		return at
	}
	return s.cover(from, stop)
}

// settings are commands with the name and the value of a setting as arguments.
var settings = []string{"git config ", "config set", "configure set", "remote modify "}

// configured hides the secrets in such commands: git config x.password hunter2.
func (s *scanner) configured() {
	for at := 0; ; {
		i := bytes.IndexByte(s.text[at:], 'f') // rarer than the first letters
		if i < 0 {
			return
		}
		at += i + 1
		if c := s.byteAt(at); c != 'i' && c != 'y' {
			continue
		}
		for _, word := range []string{"ig ", "ig set", "igure set", "y "} {
			end := at + len(word)
			if hasAnyPrefix(s.text[at:], word) && endsInAny(string(s.text[max(0, end-len("remote modify ")):end]), settings) {
				at = s.configuredAt(end)
				break
			}
		}
	}
}

// configuredAt hides the secret in the rest of such a command, which begins at offset at, and returns where to
// continue.
func (s *scanner) configuredAt(at int) int {
	end := min(at+maxCommand, len(s.text))
	if i := bytes.IndexAny(s.text[at:end], ";&|\r\n"); i >= 0 {
		end = at + i
	}
	for at < end {
		at = s.skip(at, " \t\"'")
		from := at
		for at < end && !isSpace(s.text[at]) && !isQuote(s.text[at]) {
			at++
		}
		name := s.text[from:at]
		value := s.skip(s.skip(at, `"'`), " \t")
		if value < end && s.text[from] != '-' && s.isSecret(string(name[bytes.LastIndexAny(name, ".:/")+1:]), at) {
			return s.cover(s.argument(value))
		}
	}
	return at
}
