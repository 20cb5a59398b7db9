package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/plain"
)

// mostLines is how many lines a finding takes in text, unless everything is requested.
const mostLines = 8

// fit writes the notes and the fix of a finding in at most room lines. It only refers to notes that earlier findings of
// the project already had. The last line counts what does not fit. Decisions come before reasons, and lines of files
// are shown only if there is room for all of them.
func (t *text) fit(notes []Note, fix *Fix, room int) {
	fresh, before := t.fresh(notes)
	var answers []Answer
	if fix != nil {
		answers = fix.Answers
		room--
		if fix.Notice != "" {
			room--
		}
	}
	moreNotes, moreAnswers, snippets := 0, 0, true
	if !t.opts.Verbose {
		if need := len(fresh) + len(answers) + min(len(before), 1); need > room {
			room-- // for the line that says so
			moreAnswers = max(len(answers)-room, 0)
			room -= len(answers) - moreAnswers
			if len(before) > 0 && room > 0 {
				room--
			} else {
				moreNotes, before = len(before), nil
			}
			moreNotes += max(len(fresh)-room, 0)
			fresh, answers, snippets = fresh[:min(len(fresh), room)], answers[:len(answers)-moreAnswers], false
		} else {
			snippets = need+2*len(fresh) <= room
		}
	}
	for _, n := range fresh {
		t.said[placeOf(n)] = true
		t.line(t.position(n.Place), " ", t.style.Cyan("note:"), " ", ui.Printable(n.Message))
		if snippets {
			t.snippet(n.Place, t.style.Cyan)
		}
	}
	t.seeAbove(before)
	if fix != nil {
		t.fixLine(fix)
		t.answers(answers)
		t.notice(fix.Notice)
	}
	t.more(moreAnswers, moreNotes)
}

// fresh divides notes into those that are new in the project and the others. If everything is requested, all are new.
func (t *text) fresh(notes []Note) (fresh, before []Note) {
	for _, n := range notes {
		if t.said[placeOf(n)] && !t.opts.Verbose {
			before = append(before, n)
		} else {
			fresh = append(fresh, n)
		}
	}
	return fresh, before
}

func placeOf(n Note) place { return place{n.Path, n.Line, n.Column, n.Message} }

// seeAbove lists the positions of notes that were written before.
func (t *text) seeAbove(notes []Note) {
	const most = 4
	var list []string
	for i, n := range notes {
		if i == most {
			list = append(list, fmt.Sprintf("and %d more", len(notes)-most))
			break
		}
		list = append(list, t.file(n.Path, ui.Printable(n.Path)+":"+strconv.Itoa(n.Line)))
	}
	if len(list) > 0 {
		t.line("  ", t.style.Cyan("see above:"), " ", strings.Join(list, ", "))
	}
}

// more says what did not fit.
func (t *text) more(answers, notes int) {
	var parts []string
	if answers > 0 {
		parts = append(parts, plain.Count(answers, "more answer"))
	}
	if notes > 0 {
		parts = append(parts, plain.Count(notes, "more note"))
	}
	if len(parts) > 0 {
		t.print("  ", t.style.Dim(strings.Join(parts, ", ")+": --verbose"), "\n")
	}
}
