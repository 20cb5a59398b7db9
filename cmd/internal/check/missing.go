package check

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/escape"
)

// meantBy says, after a message about a path that does not exist, what may have been meant by it; "" if that is not
// clear. given is the path as it was given.
func meantBy(missing *schema.PathError, given string) string {
	base := filepath.Base(given)
	switch {
	case !errors.Is(missing.Err, fs.ErrNotExist):
		return ""
	case strings.Contains(given, "://"):
		return "; amlfix checks files and folders on this computer: clone the repository first"
	case strings.ContainsAny(base, "*?["):
		return "; the shell passes a pattern on as it is if nothing matches: amlfix without a path checks everything here"
	}
	entries, _ := os.ReadDir(filepath.Dir(missing.Path))
	stem, ending := cutEnding(base)
	var stems []string // of those with the same ending
	near := ""
	for _, e := range entries {
		switch other, its := cutEnding(e.Name()); {
		case strings.EqualFold(other, stem):
			near = e.Name()
		case its == ending:
			stems = append(stems, other)
		}
	}
	if stem = ui.Nearest(stem, stems); near == "" && stem != "" {
		near = stem + ending
	}
	if near == "" {
		return ""
	}
	return "; did you mean " + escape.Word(filepath.Join(filepath.Dir(given), near)) + "?"
}

// cutEnding returns the parts of a name before and from its last period.
func cutEnding(name string) (stem, ending string) {
	ending = filepath.Ext(name)
	return strings.TrimSuffix(name, ending), ending
}
