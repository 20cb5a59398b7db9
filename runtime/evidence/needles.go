package evidence

// needles finds any of several texts, each at least two bytes long, in one pass that skips most bytes, using the
// Wu-Manber algorithm: two bytes determine how far ahead a text can begin at the earliest. nil: every text may contain
// one.
type needles struct {
	least int              // the length of the shortest text
	jump  [1 << 16]uint8   // by two bytes: how far to skip before a text can begin
	begun map[int][]string // by two bytes whose jump is 0: the texts that start with them
}

func newNeedles(texts []string) *needles {
	least := shortest(texts)
	if least < 2 || least > 255 {
		return nil
	}
	n := &needles{least: least, begun: map[int][]string{}}
	for i := range n.jump {
		n.jump[i] = uint8(least - 1)
	}
	for _, t := range texts {
		for i := 1; i < least; i++ {
			pair := int(t[i-1])<<8 | int(t[i])
			n.jump[pair] = min(n.jump[pair], uint8(least-1-i))
		}
		pair := int(t[least-2])<<8 | int(t[least-1])
		n.begun[pair] = append(n.begun[pair], t)
	}
	return n
}

// first returns the position of the first text in p; len(p) if there is none.
func first[T string | []byte](n *needles, p T) int {
	if n == nil {
		return 0
	}
	for i := n.least - 1; i < len(p); {
		pair := int(p[i-1])<<8 | int(p[i])
		if step := n.jump[pair]; step > 0 {
			i += int(step)
			continue
		}
		at := i - n.least + 1
		for _, t := range n.begun[pair] {
			if len(p)-at >= len(t) && string(p[at:at+len(t)]) == t {
				return at
			}
		}
		i++
	}
	return len(p)
}
