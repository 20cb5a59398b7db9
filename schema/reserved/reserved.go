// Package reserved knows the names of the folders into which nothing that comes from elsewhere is written: git's own,
// whose hooks and settings are programs, and amlfix's. File systems know them under more than one name.
package reserved

import (
	"strings"
	"unicode"

	"github.com/amlfix/amlfix/schema/plain"
)

// Is reports whether a part of a path is ".git" or ".amlfix", or what some file system takes for one of them: other
// cases of its letters (macOS, Windows, vfat), with characters that HFS+ and ext4 do not see, with dots and spaces at
// its end or the name of a stream (".git::$INDEX_ALLOCATION", NTFS), or as a short name ("GIT~1").
func Is(part string) bool {
	name := Fold(part)
	if name == ".git" || name == ".amlfix" {
		return true
	}
	start, number, short := strings.Cut(name, "~")
	return short && (start == "git" || start == "amlfix") && number != "" && strings.Trim(number, "0123456789") == ""
}

// In reports whether some part of a path is reserved. Both slashes count as separators, on every system.
func In(path string) bool {
	for part := range strings.FieldsFuncSeq(path, func(c rune) bool { return c == '/' || c == '\\' }) {
		if Is(part) {
			return true
		}
	}
	return false
}

// Fold returns the one form of all names that some file system takes for the same as part.
func Fold(part string) string {
	part, _, _ = strings.Cut(part, ":")
	part = strings.Map(func(c rune) rune {
		if plain.IsIgnorable(c) {
			return -1
		}
		least := c // of the letters that differ in case alone
		for other := unicode.SimpleFold(c); other != c; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return unicode.ToLower(least)
	}, part)
	return strings.TrimRight(part, ". ")
}
