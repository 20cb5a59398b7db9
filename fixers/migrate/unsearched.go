package migrate

import (
	"slices"

	"github.com/amlfix/amlfix/fixers/migrate/account"
)

// unsearched is what a search of a repository skipped.
type unsearched struct {
	files  []string // too large, or not readable
	beyond int      // files after the maximum number that is searched
	cut    bool     // the search ended early, after the maximum number of entries
}

func (u *unsearched) add(other unsearched) {
	u.files = append(u.files, other.files...)
	u.beyond = max(u.beyond, other.beyond)
	u.cut = u.cut || other.cut
}

// reportUnsearched lists files that may concern Azure ML but were not searched.
func (m *Migration) reportUnsearched(p printer) {
	u := m.unsearched
	slices.Sort(u.files)
	u.files = slices.Compact(u.files)
	if len(u.files) == 0 && u.beyond == 0 && !u.cut {
		return
	}
	p("\n## Not searched\n\nThese may concern Azure ML too; check them yourself.\n\n")
	const most = 50 // rows; nobody reads more
	for _, name := range u.files[:min(len(u.files), most)] {
		p("- %s: not readable, or larger than %d MB\n", account.Name(way(m.Project.Root, name)), sizeLimit(name)>>20)
	}
	if more := len(u.files) - most; more > 0 {
		p("- %d more files that are not readable or too large\n", more)
	}
	if u.beyond > 0 {
		p("- %d files after the first %d\n", u.beyond, maxNotes)
	}
	if u.cut {
		p("- everything after the first %d files and folders of the repository\n", maxEntries)
	}
}
