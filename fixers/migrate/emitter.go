package migrate

import (
	"github.com/amlfix/amlfix/fixers/migrate/condaenv"
	"github.com/amlfix/amlfix/schema/format"
)

// Emitter writes the files of one format.
type Emitter interface {
	// Format returns the word that selects it: "v2".
	Format() string
	// Title returns the name of the format in sentences: "Azure ML v2".
	Title() string
	// Base returns the image to use for a job whose own image is gone.
	Base(gpu bool) condaenv.Base
	// Keeps reports whether jobs in this format may use an image of the sources.
	Keeps(image string) bool
	// Schema returns the format that a file is validated against before it is written, or "" for files without one.
	Schema(f File) format.Kind
	// Emit adds the files of m.Jobs with m.Write, asks questions with m.Decide, and records in m.Ledger what happened
	// to the keys it used. It need not record keys that have no counterpart in any format.
	Emit(m *Migration) error
	// Secret returns a phrase that says where to put the value of a secret variable now.
	Secret(m *Migration, j *Job, v Variable) string
	// Next returns the commands that use the written files, one per line.
	Next(m *Migration) []string
}
