package edit

// removeFlow deletes the removed parts of a flow collection, each with exactly one comma. Neighbours that are removed
// together count as one.
func (e *editor) removeFlow(b bracketed) error {
	order := b.removedInOrder()
	for len(order) > 0 {
		n := 1
		for n < len(order) && order[n] == order[n-1]+1 {
			if b.gaps[order[n]].comment {
				return e.refuse(b.removed[order[0]], "there are comments between the entries to be removed")
			}
			n++
		}
		if err := e.removeRun(b, order[0], order[n-1], b.removed[order[0]]); err != nil {
			return err
		}
		order = order[n:]
	}
	return nil
}

// removeRun deletes the parts first to last.
func (e *editor) removeRun(b bracketed, first, last, change int) error {
	start, end := b.parts[first].start, b.parts[last].end
	before, behind := b.gaps[first], b.gaps[last+1]
	tail := end // after the comma that follows on the same line
	if behind.comma >= 0 && e.sameLine(end, behind.comma) {
		tail = behind.comma + 1
	}
	at, alone := e.after(tail)
	alone = alone && !at.end && at.at <= b.close && e.beginsLine(start)
	if last+1 < len(b.parts) {
		return e.removeLeading(b, last, change, start, end, tail, at.at, alone)
	}
	switch {
	case first == 0 && alone:
		e.add(change, e.lineStart(start), at.at, "")
	case first == 0:
		e.add(change, start, tail, "")
	case alone:
		if behind.comma < 0 {
			e.add(change, before.comma, before.comma+1, "")
		}
		e.add(change, e.lineStart(start), at.at, "")
	case !before.comment && tail == end:
		e.add(change, before.from, end, "")
	case !before.comment:
		e.add(change, before.comma, tail-1, "")
	default:
		e.add(change, before.comma, before.comma+1, "")
		e.add(change, start, tail, "")
	}
	return nil
}

// removeLeading deletes parts that are followed by another.
func (e *editor) removeLeading(b bracketed, last, change, start, end, tail, next int, alone bool) error {
	behind, following := b.gaps[last+1], b.parts[last+1].start
	switch {
	case alone && tail > end:
		e.add(change, e.lineStart(start), next, "")
	case !behind.broken, tail == end && !behind.comment:
		e.add(change, start, following, "")
	case tail > end:
		for start > b.open+1 && (e.text[start-1] == ' ' || e.text[start-1] == '\t') {
			start--
		}
		e.add(change, start, tail, "")
	default:
		return e.refuse(change, "there are comments between the entry and its comma")
	}
	return nil
}
