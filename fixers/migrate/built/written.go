package built

import (
	"strconv"

	"github.com/amlfix/amlfix/schema/python"
	"github.com/amlfix/amlfix/schema/source"
)

// Writing is a cell of a notebook that writes a file.
type Writing struct {
	// Number is the number of the cell, and At where it is.
	Number int
	At     source.Span
	// Path is as the program names it, or "" if it computes it.
	Path string
}

// Writings returns the calls of get_ipython().run_cell_magic("writefile", PATH, NUMBER) in a program, in its order.
func Writings(src *source.Source, folder string) (list []Writing) {
	p, ok := open(src, folder)
	if !ok {
		return nil
	}
	const bracket = 5 // get_ipython ( ) . run_cell_magic (
	for _, s := range p.all {
		t := s.Tokens
		if len(t) <= bracket || python.Written(t[:bracket]) != "get_ipython().run_cell_magic" {
			continue
		}
		c, ok := python.CallAt(t, bracket)
		if !ok || len(c.Positional) != 3 || len(c.Keywords) > 0 {
			continue
		}
		number, err := strconv.Atoi(python.Written(c.Positional[2]))
		if magic, _ := python.Literal(c.Positional[0]); magic != "writefile" || err != nil {
			continue
		}
		w := Writing{Number: number, At: source.Span{Start: t[0].At, End: t[c.End].End}}
		if n := p.eval(c.Positional[1], 0).text(); n != nil && len(s.Blocks) == 0 {
			w.Path = n.Value
		}
		list = append(list, w)
	}
	return list
}
