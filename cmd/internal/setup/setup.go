// Package setup writes files for a user: the settings, the pre-commit entry and the GitHub workflow that set up amlfix
// in a repository, and those of a new compute target. It reads no flags, and preserves existing content.
package setup

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/ui"
)

// Setup tells the user what it does.
type Setup struct {
	*check.Engine
	// Out lists what has become of each file; Say gets sentences about everything else.
	Out io.Writer
	Say func(format string, args ...any)
	// Revision is the revision of amlfix for others to use: a release such as v1.2.3, a commit or a branch.
	Revision string
}

// shown returns the path of a file below a folder, as shown to the user.
func (s *Setup) shown(top, name string) string {
	return s.Rel(filepath.Join(top, filepath.FromSlash(name)))
}

// done reports what was done with a file.
func (s *Setup) done(path, what string) {
	_, _ = fmt.Fprintf(s.Out, "%s: %s\n", ui.Printable(path), ui.Printable(what))
}
