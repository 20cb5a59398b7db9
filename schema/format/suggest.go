package format

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/plain"
)

// suggestion is what a misspelt word may have meant.
type suggestion struct {
	word     string // "" if no candidate is near
	distance int    // edits; a difference only in case and separators counts as one
	unique   bool   // no other candidate is as near
}

const separators = "_- "

// folded drops what tells base_docker_image, base-docker-image and baseDockerImage apart.
func folded(word string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(separators, r) {
			return -1
		}
		return r
	}, word)
}

// suggest returns the candidate nearest to word if it is near enough: one edit per three letters, at most three, or a
// difference in case and separators.
func suggest(word string, candidates []string) suggestion {
	bare := unmarked(word)
	limit := min(len(word)/3, 3)
	best := suggestion{distance: limit + 1}
	for _, c := range sorted(candidates) {
		if strings.EqualFold(word, c) || bare == c {
			return suggestion{c, 1, true}
		}
		if d := len(c) - len(word); d > limit || -d > limit {
			if sameFolded(word, c) {
				return suggestion{c, 1, true}
			}
			continue
		}
		d := distance(word, c, best.distance)
		switch {
		case d < best.distance:
			best = suggestion{c, d, true}
		case d == best.distance:
			best.unique = false
		}
	}
	if best.distance > limit {
		return suggestion{}
	}
	return best
}

// unmarked returns a word without the bullet, the number of a line or a list, or the mark of a diff before it, or "" if
// there is none.
func unmarked(word string) string {
	bare := strings.TrimLeftFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && r != '$' })
	if mark := word[:len(word)-len(bare)]; strings.Trim(mark, "0123456789_") == "" {
		return ""
	}
	return bare
}

// wholeName returns the only candidate that a word is a part of, such as mlflow_model for mlflow, or "".
func wholeName(word string, candidates []string) (whole string) {
	word = strings.ToLower(word)
	for _, c := range candidates {
		if !isPart(word, c) {
			continue
		}
		if whole != "" {
			return ""
		}
		whole = c
	}
	return whole
}

// onlyPart returns the only candidate that is a part of a word, such as bandit of bandit_policy, or that a word ends,
// as torch ends pytorch; "" if there is not exactly one.
func onlyPart(word string, candidates []string) (part string) {
	word = strings.ToLower(word)
	for _, c := range candidates {
		if !isPart(c, word) && (len(word) < 5 || !strings.HasSuffix(c, word)) {
			continue
		}
		if part != "" {
			return ""
		}
		part = c
	}
	return part
}

// sameFolded reports whether two words are the same but for case and what folded drops.
func sameFolded(a, b string) bool {
	x, y := strings.TrimLeft(a, separators), strings.TrimLeft(b, separators)
	if x != "" && y != "" && x[0] < utf8.RuneSelf && y[0] < utf8.RuneSelf && x[0]|0x20 != y[0]|0x20 {
		return false // as most do, without being copied
	}
	return strings.EqualFold(folded(a), folded(b))
}

// isPart reports whether a word is the beginning of a name, its end, or one of its parts between underscores.
func isPart(word, name string) bool {
	return len(word) > 2 && (strings.HasPrefix(name, word) || strings.HasSuffix(name, "_"+word) || slices.Contains(strings.Split(name, "_"), word))
}

// Shortens reports whether a key may be short for another one, as env for environment.
func Shortens(key, name string) bool { return key != name && isPart(key, name) }

// Resembles reports whether a key is another one with a part more or less, as default_compute_target for
// default_compute and continue_on_failure for continue_on_step_failure.
func Resembles(key, name string) bool {
	words, all := strings.Split(key, "_"), strings.Split(name, "_")
	within := len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(all, w) })
	return within || strings.HasPrefix(key, name+"_")
}

// sorted returns the words in order; they usually already are.
func sorted(words []string) []string {
	if slices.IsSorted(words) {
		return words
	}
	return slices.Sorted(slices.Values(words))
}

// Nearest returns the candidates that word is most likely a typo of, sorted: those with the fewest edits, or none if no
// candidate is near.
func Nearest(word string, candidates []string) (nearest []string) {
	best := suggest(word, candidates)
	if best.word == "" {
		return nil
	}
	for _, c := range sorted(candidates) {
		if distance(word, c, best.distance) == best.distance {
			nearest = append(nearest, c)
		}
	}
	nearest = slices.Compact(nearest)
	if i := slices.IndexFunc(nearest, func(c string) bool { return sameParts(word, c) }); i >= 0 {
		return nearest[i : i+1]
	}
	return nearest
}

// sameParts reports whether two words differ only in case and in what separates their parts, as in camelCase.
func sameParts(a, b string) bool {
	d := len(a) - len(b)
	return -9 < d && d < 9 && sameFolded(a, b) && a != b
}

// distance returns the number of edits between two words, one more when their case differs too, or a number above
// limit.
func distance(a, b string, limit int) int {
	if sameParts(a, b) {
		return 1
	}
	lowerA, lowerB := strings.ToLower(a), strings.ToLower(b)
	if lowerA == a && lowerB == b {
		return plain.DistanceWithin(a, b, limit)
	}
	return min(plain.DistanceWithin(a, b, limit), plain.DistanceWithin(lowerA, lowerB, limit)+1)
}
