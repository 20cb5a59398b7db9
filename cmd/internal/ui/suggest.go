package ui

import "slices"

// Nearest returns the candidate that word was most likely meant to be: the one
// at the smallest edit distance, of at most two and less than half of the word;
// "" when there is none.
func Nearest(word string, candidates []string) string {
	best, found := min(2, (len(word)-1)/2)+1, ""
	for _, c := range candidates {
		if d := distance(word, c); d < best {
			best, found = d, c
		}
	}
	return found
}

// distance is the number of letters to insert, delete, replace or swap with
// their neighbour to get from a to b.
func distance(a, b string) int {
	before, last := []int(nil), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = slices.Min([]int{last[j] + 1, row[j-1] + 1, last[j-1] + cost})
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
