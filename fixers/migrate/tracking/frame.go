package tracking

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/python"
)

// frames are functions of pandas that return a DataFrame, unless an argument makes them return something else.
var frames = []string{"DataFrame", "read_csv", "read_excel", "read_parquet", "read_json", "read_table", "read_pickle", "concat", "merge", "get_dummies"}

// splitting are arguments that make them return parts.
var splitting = []string{"chunksize", "iterator", "squeeze", "sheet_name", "typ"}

// FrameAppends returns the 1-based lines on which a script calls append on what is certainly a pandas DataFrame: a name
// that is set only to DataFrames, or to the results of append on it.
func FrameAppends(text []byte) (lines []int) {
	src := string(text)
	if len(text) > MaxSize || !strings.Contains(src, "pandas") || !strings.Contains(src, ".append(") {
		return nil
	}
	if _, why := foreign(src); why != "" {
		return nil
	}
	p, ok := read(src)
	if !ok {
		return nil
	}
	for _, s := range p.all {
		for i := 0; i+3 < len(s.Tokens); i++ {
			t := s.Tokens[i:]
			if t[0].Kind == python.Name && t[1].Text == "." && t[2].Text == "append" && t[3].Text == "(" && (i == 0 || s.Tokens[i-1].Text != ".") && p.isFrame(s, t[0].Text) {
				lines = append(lines, 1+strings.Count(src[:t[0].At], "\n"))
			}
		}
	}
	return lines
}

// isFrame reports whether a name is certainly a DataFrame.
func (p *program) isFrame(s *python.Statement, name string) bool {
	list, in := p.bindings(s, name)
	o := owner{in, "frame " + name}
	if v, known := p.verdicts[o]; known {
		return v.one
	}
	one := false
	for _, b := range list {
		if b.how != assigned || p.starred(b.at) {
			one = false
			break
		}
		if len(b.value) > 3 && b.value[0].Text == name && b.value[2].Text == "append" {
			continue
		}
		if one = p.makesFrame(b); !one {
			break
		}
	}
	p.verdicts[o] = verdict{one: one}
	return one
}

// makesFrame reports whether a name is set to a new DataFrame.
func (p *program) makesFrame(b binding) bool {
	open := slices.IndexFunc(b.value, func(k python.Token) bool { return k.Kind == python.Operator && k.Text == "(" })
	if open < 1 {
		return false
	}
	c, ok := python.CallAt(b.value, open)
	if !ok || c.Open || c.End != len(b.value)-1 {
		return false
	}
	for _, key := range splitting {
		if _, given := c.Keywords[key]; given {
			return false
		}
	}
	module, function := p.resolve(b.at, b.value[:open])
	return module == "pandas" && slices.Contains(frames, function) && (function != "concat" || len(c.Keywords) == 0)
}
