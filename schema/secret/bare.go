package secret

import "bytes"

// bare hides what follows a secret's key without a colon, on a line from first to end: such a file cannot be parsed,
// and messages show its lines.
func (s *scanner) bare(first, end int) {
	at, quote := first, 0
	if at < end && isQuote(s.text[at]) {
		at, quote = at+1, 1
	}
	stop := at
	for stop < end && inName(s.text[stop]) {
		stop++
	}
	name := s.text[at:stop]
	if next := s.skip(stop, " \t"); next > stop && next < end && string(name) == "ENV" { // of a Dockerfile
		s.bare(next, end)
		return
	}
	if len(name) == 0 || quote > 0 && !isQuote(s.byteAt(stop)) {
		return
	}
	stop += quote
	value := s.skip(stop, " \t")
	if value == stop || value >= end || s.text[value] == '=' || !s.isSecret(string(name), stop) || s.isPair(first, end) {
		return
	}
	text := bytes.TrimRight(s.text[value:min(end, s.plainEnd(value, false))], " \t\r\n,")
	if len(text) > 0 && text[0] != '#' && text[0] != ':' && !harmless(string(text)) {
		s.hide(value, value+len(text))
	}
}
