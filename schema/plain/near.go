package plain

import (
	"path"
	"strings"
)

// Nearest returns the candidate that word was most likely meant to be: the one at the smallest edit distance, of at
// most two and less than half of the word's length without the dashes of a flag, or the one that differs in the case of
// its letters alone; "" if there is none.
func Nearest(word string, candidates []string) string {
	best, found := min(2, (len(strings.TrimLeft(word, "-"))-1)/2)+1, ""
	for _, c := range candidates {
		if strings.EqualFold(word, c) {
			return c
		}
		if d := Distance(word, c); d < best {
			best, found = d, c
		}
	}
	return found
}

// NearestFile does so for the name of a file: what differs in its ending alone, as train or job.ym, comes before what
// differs in the rest.
func NearestFile(name string, names []string) string {
	stem, ending := cutEnding(name)
	var stems []string // of those with the same ending
	const far = 2      // endings that differ more are all alike
	best, found := 0, ""
	for _, n := range names {
		other, its := cutEnding(n)
		if strings.EqualFold(other, stem) {
			if d := DistanceWithin(ending, its, far); found == "" || d <= best {
				best, found = d, n
			}
		} else if its == ending {
			stems = append(stems, other)
		}
	}
	if found != "" {
		return found
	}
	if near := Nearest(stem, stems); near != "" {
		return near + ending
	}
	return ""
}

// cutEnding returns the parts of a name before and from its last period, which is not its first character.
func cutEnding(name string) (stem, ending string) {
	ending = path.Ext(name[min(1, len(name)):])
	return strings.TrimSuffix(name, ending), ending
}
