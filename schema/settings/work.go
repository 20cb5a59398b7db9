package settings

import "slices"

// mostWork is the most that the patterns and names of a settings file may cost: each file, and each finding in it, is
// compared with all of them.
const mostWork = 10 << 10

// work is what the patterns and names taken so far cost.
type work int

// takes reports whether a pattern or name is within what a file may cost; those after the first that is not are
// refused, too.
func (w *work) takes(text string) bool {
	if *w <= mostWork {
		*w += cost(text)
	}
	return *w <= mostWork
}

// cost returns the cost of a pattern in bytes that are compared: the text after a star is tried at each place.
func cost(pattern string) (n work) {
	const each, long = 32, 64
	all, ok := alternatives(pattern)
	if !ok {
		return mostWork + 1
	}
	for _, p := range all {
		n += work(len(p)+each) * work(1+len(p)/long)
	}
	return n
}

// limit shortens the lists of patterns and names to what they may cost.
func (s *Settings) limit() {
	lists := []*[]string{&s.Select, &s.Ignore, &s.Exclude}
	for i := range s.Paths {
		lists = append(lists, &s.Paths[i].Match, &s.Paths[i].Ignore)
	}
	var w work
	for _, list := range lists {
		if n := slices.IndexFunc(*list, func(text string) bool { return !w.takes(text) }); n >= 0 {
			*list = (*list)[:n]
		}
	}
}
