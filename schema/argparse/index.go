package argparse

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// index finds the options of a parser by their names.
type index struct {
	byName   map[string]int // indexes of the arguments
	sorted   []named
	negative bool // an option looks like a negative number
}

type named struct {
	name     string
	argument int
}

func indexOf(arguments []Argument) *index {
	x := &index{byName: map[string]int{}}
	for i, a := range arguments {
		for _, n := range a.Names {
			if a.Positional {
				continue
			}
			x.byName[n] = i
			x.sorted = append(x.sorted, named{n, i})
			x.negative = x.negative || isNegative(n)
		}
	}
	plain.SortFunc(x.sorted, func(a, b named) int { return strings.Compare(a.name, b.name) })
	return x
}

// abbreviated returns the only argument with an option whose name begins with a text, or that is the letter; -1 if
// there is none, and several if there are more.
func (x *index) abbreviated(begin, letter string) (argument int, several bool) {
	argument = -1
	if i, ok := x.byName[letter]; ok {
		argument = i
	}
	from, _ := slices.BinarySearchFunc(x.sorted, begin, func(n named, begin string) int { return strings.Compare(n.name, begin) })
	for _, n := range x.sorted[from:] {
		if !strings.HasPrefix(n.name, begin) {
			break
		}
		if argument >= 0 && argument != n.argument {
			return argument, true
		}
		argument = n.argument
	}
	return argument, false
}

// Option returns the argument with an option's name.
func (p Parser) Option(name string) (a Argument, ok bool) {
	if p.index == nil {
		return a, false
	}
	i, ok := p.index.byName[name]
	if ok {
		a = p.Arguments[i]
	}
	return a, ok
}
