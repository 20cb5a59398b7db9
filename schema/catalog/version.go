package catalog

import (
	"slices"
	"strconv"
	"strings"
)

// numbers reads the leading dotted numbers of a version, at most three: 2.7.post1 gives [2 7].
func numbers(version string) []int {
	var list []int
	for part := range strings.SplitSeq(version, ".") {
		end := 0
		for end < len(part) && part[end] >= '0' && part[end] <= '9' {
			end++
		}
		n, err := strconv.Atoi(part[:end])
		if err != nil {
			break
		}
		list = append(list, n)
		if len(list) == 3 || end < len(part) {
			break
		}
	}
	return list
}

// CompareVersions compares dotted numbers as NVIDIA writes them (driver 450.80.02, CUDA 10.1): -1, 0 or 1. A missing
// part counts as zero and whatever follows the third number is ignored.
func CompareVersions(a, b string) int {
	x, y := numbers(a), numbers(b)
	for len(x) < 3 {
		x = append(x, 0)
	}
	for len(y) < 3 {
		y = append(y, 0)
	}
	return slices.Compare(x, y)
}

// join returns the first n numbers as a version, or "" if there are fewer.
func join(list []int, n int) string {
	if len(list) < n {
		return ""
	}
	parts := make([]string, n)
	for i := range parts {
		parts[i] = strconv.Itoa(list[i])
	}
	return strings.Join(parts, ".")
}

// byVersion returns the row of a release: of its patch version, of its minor version, or of the minor version with .0,
// in that order. A major version alone matches nothing.
func byVersion[T any](lookup func(string) (T, bool), version string) (T, bool) {
	list := numbers(version)
	patch, minor := join(list, 3), join(list, 2)
	for _, key := range []string{patch, minor, minor + ".0"} {
		if row, ok := lookup(key); ok && minor != "" {
			return row, true
		}
	}
	var zero T
	return zero, false
}
