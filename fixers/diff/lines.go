// Package diff shows what a patch changes, as a unified diff that "git apply" takes, with secrets masked unless exact
// bytes are asked for.
package diff

import (
	"bytes"
	"slices"
)

// lines splits text after every "\n", as git does; carriage returns stay with their line, and the last line may lack
// its newline.
func lines(text []byte) [][]byte {
	return slices.AppendSeq(make([][]byte, 0, bytes.Count(text, []byte("\n"))+1), bytes.Lines(text))
}

// span is a run of lines that differ: a[aLo:aHi] became b[bLo:bHi].
type span struct{ aLo, aHi, bLo, bHi int }

// maxCells bounds the memory of the comparison; above it, which no configuration file reaches, everything between the
// first and the last difference is shown as replaced.
const maxCells = 16 << 20

// compare returns the runs of lines that differ, in order, by a longest common subsequence of what lies between the
// common beginning and end.
func compare(a, b [][]byte) (spans []span) {
	head := 0
	for head < len(a) && head < len(b) && bytes.Equal(a[head], b[head]) {
		head++
	}
	aEnd, bEnd := len(a), len(b)
	for aEnd > head && bEnd > head && bytes.Equal(a[aEnd-1], b[bEnd-1]) {
		aEnd--
		bEnd--
	}
	if aEnd == head && bEnd <= head {
		return nil
	}
	if (aEnd-head+1)*(bEnd-head+1) > maxCells {
		return []span{{head, aEnd, head, bEnd}}
	}
	common := commonLengths(a[head:aEnd], b[head:bEnd])
	i, j := head, head
	for i < aEnd || j < bEnd {
		if i < aEnd && j < bEnd && bytes.Equal(a[i], b[j]) {
			i++
			j++
			continue
		}
		s := span{i, i, j, j}
		for (i < aEnd || j < bEnd) && (i == aEnd || j == bEnd || !bytes.Equal(a[i], b[j])) {
			if j == bEnd || i < aEnd && common[i-head+1][j-head] >= common[i-head][j-head+1] {
				i++
			} else {
				j++
			}
		}
		s.aHi, s.bHi = i, j
		spans = append(spans, s)
	}
	return spans
}

// commonLengths returns, for all suffixes of a and b, how many lines they have in common in the same order.
func commonLengths(a, b [][]byte) [][]int32 {
	table := make([][]int32, len(a)+1)
	cells := make([]int32, (len(a)+1)*(len(b)+1))
	for i := range table {
		table[i] = cells[i*(len(b)+1) : (i+1)*(len(b)+1)]
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if bytes.Equal(a[i], b[j]) {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}
