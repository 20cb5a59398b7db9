package plain

// Distance returns how many characters of a have to be inserted, deleted, replaced
// or swapped with their neighbour to get b (the optimal string alignment distance,
// in Unicode code points). It takes time and memory in len(a) × len(b), so callers
// compare words, not texts.
func Distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	var few [3 * 33]int // on the stack; most words are shorter
	rows := few[:]
	if need := 3 * (len(t) + 1); need > len(few) {
		rows = make([]int, need)
	}
	before, last, row := rows[:len(t)+1], rows[len(t)+1:2*len(t)+2], rows[2*len(t)+2:]
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(t)]
}
