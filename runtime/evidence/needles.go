package evidence

// needles finds any of several texts, each of at least two bytes, in one pass that leaves most bytes out, as Wu and Manber
// do: two bytes tell how far on a text can begin at the earliest. nil: every text may hold one.
type needles struct {
	least int              // the length of the shortest text
	jump  [1 << 16]uint8   // by the last two of so many bytes: how far the next ones are that may begin a text
	begun map[int][]string // the texts that these two bytes, where jump is 0, are in the beginning of
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

// first returns where the first text is that p holds; len(p): it holds none.
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
