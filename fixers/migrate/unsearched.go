package migrate

import (
	"slices"

	"github.com/amlfix/amlfix/fixers/migrate/account"
)

// unsearched is what a search of a repository passed over.
type unsearched struct {
	files  []string // too large, or not readable
	beyond int      // files after as many as are searched
	cut    bool     // the search ended early, after as many entries as it passes
}

func (u *unsearched) add(other unsearched) {
	u.files = append(u.files, other.files...)
	u.beyond = max(u.beyond, other.beyond)
	u.cut = u.cut || other.cut
}

// reportUnsearched says what may concern Azure ML and is in no list.
func (m *Migration) reportUnsearched(p printer) {
	u := m.unsearched
	slices.Sort(u.files)
	u.files = slices.Compact(u.files)
	if len(u.files) == 0 && u.beyond == 0 && !u.cut {
		return
	}
	p("\n## Not searched\n\nThese may concern Azure ML too; check them yourself.\n\n")
	const most = 50 // rows that somebody may read
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
