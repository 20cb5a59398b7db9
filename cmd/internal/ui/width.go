package ui

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// width returns how many terminal columns text takes, which must come from Printable.
func width(text string) int {
	n := 0
	for _, r := range text {
		n += runeWidth(r)
	}
	return n
}

// runeWidth returns 2 for East Asian wide characters and emoji, 0 for marks combined with the preceding character, and
// otherwise 1.
func runeWidth(r rune) int {
	switch {
	case r < utf8.RuneSelf:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	}
	_, wide := slices.BinarySearchFunc(wideRanges[:], r, func(w [2]rune, r rune) int {
		switch {
		case w[1] < r:
			return -1
		case w[0] > r:
			return 1
		}
		return 0
	})
	if wide {
		return 2
	}
	return 1
}

// wideRanges are the large blocks that Unicode's EastAsianWidth.txt classifies as W or F; single wide symbols elsewhere
// count as narrow.
var wideRanges = [...][2]rune{
	{0x1100, 0x115f}, {0x2e80, 0x303e}, {0x3041, 0x33ff}, {0x3400, 0x4dbf}, {0x4e00, 0x9fff},
	{0xa000, 0xa4cf}, {0xa960, 0xa97f}, {0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe6f},
	{0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x17000, 0x18cff}, {0x1b000, 0x1b2ff}, {0x1f300, 0x1f64f},
	{0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
}
