package plain

import "unicode/utf8"

// Distance returns how many characters of a must be inserted, deleted, replaced or swapped with their neighbor to get b
// (the optimal string alignment distance, in Unicode code points). It takes time and memory in len(a) × len(b), so
// callers compare words, not texts.
func Distance(a, b string) int { return DistanceWithin(a, b, len(a)+len(b)) }

// DistanceWithin is Distance if that is at most limit; otherwise it returns a number above limit. Comparing a word with
// many others with which it has little in common is fast.
func DistanceWithin(a, b string, limit int) int {
	if d := len(a) - len(b); max(d, -d) > utf8.UTFMax*limit { // an edit adds or removes one character at most
		return limit + 1
	}
	a, b = differing(a, b)
	m, n := utf8.RuneCountInString(a), utf8.RuneCountInString(b)
	if m == 0 || n == 0 {
		return m + n
	}
	if d := m - n; d > limit || -d > limit {
		return limit + 1
	}
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
	lastLeast, beyond := 0, len(s)+len(t)+1
	for i := 1; i <= len(s); i++ {
		// Farther from the diagonal, words are more than limit edits apart.
		from, to := max(i-limit, 1), min(i+limit, len(t))
		least := beyond
		row[from-1] = beyond
		if from == 1 {
			row[0], least = i, i
		}
		if to < len(t) {
			row[to+1] = beyond
		}
		for j := from; j <= to; j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit && lastLeast > limit { // a swap goes back two rows
			return limit + 1
		}
		lastLeast = least
		before, last, row = last, row, before
	}
	return min(last[len(t)], beyond)
}

// differing returns two words without their common beginning and end, which no shortest sequence of edits changes.
func differing(a, b string) (string, string) {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && (n < len(a) && !utf8.RuneStart(a[n]) || n < len(b) && !utf8.RuneStart(b[n])) {
		n--
	}
	a, b = a[n:], b[n:]
	n = 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	for n > 0 && (!utf8.RuneStart(a[len(a)-n]) || !utf8.RuneStart(b[len(b)-n])) {
		n--
	}
	return a[:len(a)-n], b[:len(b)-n]
}
