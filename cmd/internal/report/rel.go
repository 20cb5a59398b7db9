package report

import (
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

const slash = string(filepath.Separator)

// Rel returns a path as shown to the user: slash-separated, relative to the working directory dir, without "./". A
// relative path is assumed to be relative to dir.
func Rel(dir, name string) string {
	rest, below := strings.CutPrefix(name, dir)
	if below && filepath.IsAbs(dir) && len(rest) > 1 && strings.HasPrefix(rest, slash) && plain.IsClean(rest, filepath.Separator) {
		return filepath.ToSlash(rest[1:]) // the most common case
	}
	if filepath.IsAbs(name) {
		if rel, ok := beside(dir, name); ok {
			return rel
		}
		if rel, err := filepath.Rel(dir, name); err == nil {
			name = rel
		}
	}
	return strings.TrimPrefix(filepath.ToSlash(filepath.Clean(name)), "./")
}

// Relative returns a text in which paths below dir are relative to it.
func Relative(dir, text string) string {
	if dir = strings.TrimSuffix(dir, slash); dir == "" {
		return text // every path begins with the root
	}
	return strings.ReplaceAll(text, dir+slash, "")
}

// beside returns what Rel returns for two clean absolute paths of which neither contains the other. filepath.Rel would
// clean both again.
func beside(dir, name string) (rel string, ok bool) {
	if slash != "/" || !strings.HasPrefix(dir, slash) || !plain.IsClean(dir, filepath.Separator) || !plain.IsClean(name, filepath.Separator) {
		return "", false
	}
	for {
		folder, inner, more := strings.Cut(dir, slash)
		other, rest, further := strings.Cut(name, slash)
		if folder != other {
			return strings.Repeat("../", strings.Count(dir, slash)+1) + name, true
		}
		if !more || !further {
			return "", false
		}
		dir, name = inner, rest
	}
}
