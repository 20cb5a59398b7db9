package plain

import (
	"strconv"
	"strings"
)

// Unused returns name or, if it is taken, name with sep and the first number from 2 on that makes it free.
func Unused(name, sep string, taken func(string) bool) string {
	free := name
	for n := 2; taken(free); n++ {
		free = name + sep + strconv.Itoa(n)
	}
	return free
}

// Names gives out names, none of them twice; the zero value has given out none. Thousands may be wanted under one name.
type Names struct {
	// Sep precedes the number of a name that is taken, as in Unused.
	Sep string
	// Fold means that names have to differ by more than the case of their letters.
	Fold bool

	next map[string]int // for each name that is taken, the number to try next
}

// Take returns name or, if it is taken, name with the first number from 2 on that makes it free, which is then taken.
func (n *Names) Take(name string) string {
	if n.next == nil {
		n.next = map[string]int{}
	}
	key := n.key(name)
	free := name
	for n.next[n.key(free)] > 0 {
		free = name + n.Sep + strconv.Itoa(n.next[key])
		n.next[key]++
	}
	n.next[n.key(free)] = 2
	return free
}

func (n *Names) key(name string) string {
	if n.Fold {
		return strings.ToLower(name)
	}
	return name
}
