package plain

import "slices"

// SortFunc sorts a list like slices.SortStableFunc, which is compiled separately for each struct type, at 20 to 30 kB
// each; SortFunc is not. Lists of strings and of pointers share one compiled copy there, and code that runs for every
// file also uses it.
func SortFunc[S ~[]E, E any](list S, compare func(a, b E) int) {
	order := sortedOrder(len(list), func(i, j int) int { return compare(list[i], list[j]) })
	if order == nil {
		return
	}
	sorted := make(S, len(list))
	for to, from := range order {
		sorted[to] = list[from]
	}
	copy(list, sorted)
}

// sortedOrder returns the indexes of the items in sorted order; nil if none moves.
func sortedOrder(n int, compare func(i, j int) int) []int {
	sorted := true
	for i := 1; i < n && sorted; i++ {
		sorted = compare(i-1, i) <= 0
	}
	if sorted {
		return nil
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, compare)
	return order
}
