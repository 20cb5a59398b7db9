package check

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// meantBy returns the path that was probably meant by one that does not exist, in the form of given, and what to say of
// it after a message about that; both are "" if it is not clear. given is the path as it was given.
func meantBy(missing *schema.PathError, given string) (meant, say string) {
	switch {
	case !errors.Is(missing.Err, fs.ErrNotExist):
		return "", ""
	case strings.Contains(given, "://"):
		return "", "; amlfix checks files and folders on this computer: clone the repository first"
	case strings.ContainsAny(filepath.Base(given), "*?["):
		return "", "; the shell passes a pattern on as it is if nothing matches: amlfix without a path checks everything here"
	}
	switch meant = near(missing.Path, given); meant {
	case "":
	case filepath.Clean(given):
		return "", "; the link leads to nothing"
	default:
		say = "; did you mean " + escape.Word(meant) + "?"
	}
	return meant, say
}

// near returns the path that was probably meant by one that does not exist, in the form of given; "" if there is none.
func near(path, given string) string {
	entries, _ := os.ReadDir(filepath.Dir(path))
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	if name := plain.NearestFile(filepath.Base(given), names); name != "" {
		return filepath.Join(filepath.Dir(given), name)
	}
	return ""
}

// UnreadSettings returns what in the working directory looks like settings but is not read, for use in a sentence; ""
// if there is none.
func (e *Engine) UnreadSettings() string {
	if e.Trust.Isolated || e.Trust.settings != nil || e.Trust.copy != "" {
		return ""
	}
	const endings = " .yaml .yml .toml .json "
	list, _ := os.ReadDir(e.Dir)
	for _, f := range list {
		name := strings.ToLower(f.Name())
		ending := filepath.Ext(name)
		if ending == "" || !strings.Contains(endings, " "+ending+" ") || !f.Type().IsRegular() {
			continue // before names are compared: the folder may have many files
		}
		if plain.Distance(strings.TrimPrefix(strings.TrimSuffix(name, ending), "."), "amlfix") <= 1 && !schema.Certain(e.Path(f.Name())) {
			return f.Name()
		}
	}
	if text, err := source.ReadWithin(e.Dir, e.Path("pyproject.toml")); err == nil && toolTable.Get().Match(text) {
		return "[tool.amlfix] in pyproject.toml"
	}
	return ""
}

// toolTable matches the heading of a table of amlfix in pyproject.toml.
var toolTable = plain.Regexp{Text: `(?m)^[ \t]*\[{1,2}[ \t]*tool\.amlfix[ \t]*[].]`}

// Missing returns an error if nothing has a path, and the path that was probably meant, both in the form of given.
func (e *Engine) Missing(given string) (meant string, err error) {
	path := e.Path(given)
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	meant, say := meantBy(&schema.PathError{Path: path, Err: fs.ErrNotExist}, given)
	return meant, fmt.Errorf("%w%s", &schema.PathError{Path: given, Err: fs.ErrNotExist}, say)
}
