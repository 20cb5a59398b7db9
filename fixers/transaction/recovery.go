package transaction

import (
	"fmt"
	"strings"
)

// Recovery says what was done about a transaction that a killed process left. It reports what has happened, not a plan:
// when a caller has it, the journal is gone, and every file is in one of the lists.
type Recovery struct {
	// Finished is true if the files got their new content, and false if they kept or got back their old content.
	Finished bool
	// Files are the affected files, as absolute paths.
	Files []string
	// Edited are files that somebody changed in between; they were not touched.
	Edited []string
	// Damaged are files with their new content whose old content is lost, as after a power failure.
	Damaged []string
}

// String describes the recovery to the user in one sentence.
func (r *Recovery) String() string {
	var b strings.Builder
	if r.Finished {
		fmt.Fprintf(&b, "an interrupted repair was finished: %s", strings.Join(r.Files, ", "))
	} else {
		fmt.Fprintf(&b, "an interrupted repair was undone: %s", strings.Join(r.Files, ", "))
	}
	if len(r.Edited) > 0 {
		fmt.Fprintf(&b, "; changed since then, so not touched: %s", strings.Join(r.Edited, ", "))
	}
	if len(r.Damaged) > 0 {
		not := "is not"
		if r.Finished {
			not = "cannot be"
		}
		b.WriteString("; " + because(not, r.Damaged))
	}
	return b.String()
}

// because says of files that were, or can, not be undone why, and what to do.
func because(not string, files []string) string {
	return fmt.Sprintf("the old content stored for undo is damaged, so compare with version control what %s undone: %s", not, strings.Join(files, ", "))
}
