package text_test

import (
	"testing"

	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

func edit(start, end int, new string) text.Edit {
	return text.Edit{Span: source.Span{Start: start, End: end}, New: new}
}

func TestApply(t *testing.T) {
	for _, c := range []struct {
		old   string
		edits []text.Edit
		want  string // "!" when they do not fit
	}{
		{"abc", nil, "abc"},
		{"abc", []text.Edit{edit(1, 2, "x")}, "axc"},
		{"abc", []text.Edit{edit(1, 2, ""), edit(0, 0, "x"), edit(3, 3, "z")}, "xacz"},
		// insertions at one place keep their order and come before the replacement
		{"abc", []text.Edit{edit(1, 2, "3"), edit(1, 1, "1"), edit(1, 1, "2")}, "a123c"},
		// touching is fine, overlapping is not
		{"abc", []text.Edit{edit(0, 1, "x"), edit(1, 3, "z")}, "xz"},
		{"abc", []text.Edit{edit(0, 2, "x"), edit(1, 3, "z")}, "!"},
		{"abc", []text.Edit{edit(2, 4, "x")}, "!"},
		{"abc", []text.Edit{edit(-1, 0, "x")}, "!"},
		{"abc", []text.Edit{edit(2, 1, "x")}, "!"},
	} {
		text.Sort(c.edits)
		got, err := text.Apply([]byte(c.old), c.edits)
		if err != nil {
			got = []byte("!")
		}
		if string(got) != c.want {
			t.Errorf("%q with %v is %q (%v), want %q", c.old, c.edits, got, err, c.want)
		}
	}
}

func TestTaken(t *testing.T) {
	var taken text.Taken
	for _, c := range []struct {
		name  string
		edits []text.Edit
		want  bool
	}{
		{"first", []text.Edit{edit(10, 20, ""), edit(20, 20, "x")}, true},
		{"before", []text.Edit{edit(2, 9, "")}, true},
		{"touches the end", []text.Edit{edit(20, 25, "")}, false},
		{"touches the begin", []text.Edit{edit(9, 9, "x")}, false},
		{"inside", []text.Edit{edit(12, 13, "")}, false},
		{"around", []text.Edit{edit(1, 30, "")}, false},
		{"one of two is free", []text.Edit{edit(40, 41, ""), edit(15, 16, "")}, false},
		{"so nothing was taken", []text.Edit{edit(40, 41, "")}, true},
		{"a deletion beside a deletion", []text.Edit{edit(41, 43, "")}, true},
		{"an insertion beside it", []text.Edit{edit(43, 43, "x")}, false},
		{"a deletion that overlaps it", []text.Edit{edit(42, 45, "")}, false},
		{"between", []text.Edit{edit(25, 30, ""), edit(0, 0, "x")}, true},
		{"the same", []text.Edit{edit(25, 30, "")}, false},
		{"insertion where one is", []text.Edit{edit(0, 0, "x")}, false},
	} {
		testkit.Same(t, c.want, taken.Add(c.edits), c.name)
	}
}

func TestMap(t *testing.T) {
	m := text.NewMap([]text.Edit{edit(2, 2, "++"), edit(4, 6, ""), edit(8, 9, "=====")})
	var got []int
	for offset := range 12 {
		got = append(got, m.New(offset))
	}
	// an insertion moves the byte it precedes; what went is where the rest closed up
	testkit.Same(t, []int{0, 1, 4, 5, 6, 6, 6, 7, 8, 13, 14, 15}, got)
	if (text.Map{}).New(7) != 7 {
		t.Error("the zero map moves bytes")
	}
}
