package edit

import "strings"

// flow makes the edits of a flow mapping or sequence, as in JSON.
func (e *editor) flow(w *work) error {
	b, err := e.bracketed(w)
	if err != nil {
		return err
	}
	if len(w.removed) > 0 {
		if len(w.inserts) > 0 {
			return e.refuse(w.firstChange(), "entries cannot be added to and removed from one bracketed collection at the same time")
		}
		return e.removeFlow(b)
	}
	for _, k := range w.insertedAfter() {
		written, change, err := w.insertions(k, func(in insert) (string, error) { return e.written(w, in, e.separator(w, k)) })
		if err != nil {
			return err
		}
		if k >= 0 {
			e.insertFlow(b, k, change, written)
		} else if err := e.insertFirst(b, change, written); err != nil {
			return err
		}
	}
	return nil
}

// separator returns what is between key and value of part k: ": " or like it.
func (e *editor) separator(w *work, k int) string {
	if k < 0 || w.parts[k].key == nil || w.parts[k].value.Span.Len() == 0 {
		return ": "
	}
	between := string(e.text[w.parts[k].key.Span.End:w.parts[k].value.Properties])
	if strings.Trim(between, " ") != ":" || strings.Count(between, ":") != 1 || strings.HasPrefix(between, " ") && strings.HasSuffix(between, ":") {
		return ": "
	}
	return between
}

// insertFlow puts new parts after part k of a flow collection.
func (e *editor) insertFlow(b bracketed, k, change int, written []string) {
	p, before, behind := b.parts[k], b.gaps[k], b.gaps[k+1]
	last := k == len(b.parts)-1
	var line string
	var ownLine bool
	switch {
	case !last:
		ownLine = behind.broken && e.beginsLine(b.parts[k+1].start)
		line, _ = e.leading(b.parts[k+1].start)
	default:
		ownLine = before.broken && e.beginsLine(p.start)
	}
	if own, ok := e.leading(p.start); ok {
		line = own
	}
	comma := behind.comma >= 0
	if !ownLine || comma && !e.sameLine(p.end, behind.comma) {
		sep := e.comma(b, k)
		e.add(change, p.end, p.end, sep+strings.Join(written, sep))
		return
	}
	end := p.end
	if comma {
		end = behind.comma + 1
	}
	at, ok := e.after(end)
	if !ok || at.end || !last && at.at > b.parts[k+1].start || at.at > b.close {
		// The closing bracket is on the same line.
		eol := e.eolAbove(p.end)
		e.add(change, p.end, p.end, ","+eol+line+strings.Join(written, ","+eol+line))
		return
	}
	if !comma {
		e.add(change, p.end, p.end, ",")
	}
	lines := make([]string, len(written))
	for i, one := range written {
		lines[i] = line + one
		if i < len(written)-1 || comma {
			lines[i] += ","
		}
	}
	e.add(change, at.at, at.at, at.lines(lines...))
}

// comma returns what to write between two parts on one line, as part k's neighbours do.
func (e *editor) comma(b bracketed, k int) string {
	for _, g := range []int{k + 1, k} {
		if g > 0 && g < len(b.parts) && !b.gaps[g].broken && !b.gaps[g].comment {
			return string(e.text[b.gaps[g].from:b.gaps[g].to])
		}
	}
	if b.parts[k].key != nil && e.separator(b.work, k) == ":" {
		return ","
	}
	return ", "
}

// insertFirst puts parts into an empty flow collection.
func (e *editor) insertFirst(b bracketed, change int, written []string) error {
	inside := b.gaps[0]
	if !inside.broken {
		space := ""
		if inside.to > inside.from {
			space = " "
		}
		e.add(change, inside.from, inside.from, space+strings.Join(written, ", "))
		return nil
	}
	at, ok := e.after(inside.from)
	if !ok || at.at > b.close {
		return e.refuse(change, "the empty brackets are written in an unusual way")
	}
	outer := e.lineStart(b.open)
	indent := string(e.text[outer:e.skipSpaces(outer)]) + "  "
	lines := make([]string, len(written))
	for i, one := range written {
		lines[i] = indent + one
		if i < len(written)-1 {
			lines[i] += ","
		}
	}
	e.add(change, at.at, at.at, at.lines(lines...))
	return nil
}
