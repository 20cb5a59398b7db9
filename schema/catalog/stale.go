package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// StaleRow is a row that describes a current state and was not compared with its source for a while.
type StaleRow struct {
	Table string
	// Line is the row's line in its file, 1-based.
	Line int
	// Key is the row's first column.
	Key string
	Origin
}

// Stale returns the rows of the tables in a folder whose status is current and that were last seen more than the given
// number of days before asOf (2006-01-02), ordered by table and line. It fails if asOf is not a valid day.
func Stale(folder fs.FS, asOf string, days int) ([]StaleRow, error) {
	before, err := daysBefore(asOf, days)
	if err != nil {
		return nil, err
	}
	files, err := fs.Glob(folder, "tables/*.csv")
	if err != nil || len(files) == 0 {
		return nil, cmp.Or(err, errors.New("there are no tables: run it in the root of the repository"))
	}
	var list []StaleRow
	for _, file := range files {
		name := strings.TrimSuffix(path.Base(file), ".csv")
		records := readTableOf(folder, name)
		if !slices.Contains(records[0].columns, "status") {
			continue
		}
		for _, r := range records {
			if r.text("status") == "current" && r.text("seen") < before {
				list = append(list, StaleRow{Table: name, Line: r.line, Key: r.cells[0], Origin: r.origin()})
			}
		}
	}
	return list, nil
}

// daysBefore returns the day that is the given number of days before another.
func daysBefore(asOf string, days int) (string, error) {
	day, err := time.Parse(time.DateOnly, asOf)
	if err != nil {
		return "", fmt.Errorf("%q is not a day such as %s: %w", asOf, AsOf, err)
	}
	return day.AddDate(0, 0, -days).Format(time.DateOnly), nil
}

// FreshDays is how many days a row that describes a current state is trusted.
const FreshDays = 90

// Stale reports whether a fact says that something is current but was last compared with its source more than FreshDays
// before the day asOf (2006-01-02).
func (f Fact) Stale(asOf string) bool {
	before, err := daysBefore(asOf, FreshDays)
	return err == nil && f.Seen < before && slices.Contains(f.Values, FactValue{"status", "current"})
}
