package migrate

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
)

// ignoreFile is the file that Azure ML reads, instead of .gitignore, in the folder that it uploads.
const ignoreFile = ".amlignore"

// ignoreHead is the first line of the file that amlfix writes.
const ignoreHead = "# Written by amlfix: jobs do not need these, and the old files may contain secrets.\n"

// ignored returns the content for the project's .amlignore, so that the old files, which may contain secrets, and the
// new ones are not uploaded with the code; nil if there already is one, and for formats that upload nothing.
func (m *Migration) ignored() []byte {
	if m.Emitter.Format() != "v2" || m.Project.Exists(ignoreFile) {
		old, ok := m.Project.Code(ignoreFile)
		m.ignores = ok && bytes.HasPrefix(old.Text, []byte(ignoreHead))
		return nil
	}
	var folders []string
	add := func(rel string) {
		if named(rel) && rel != "./" && !slices.Contains(folders, rel) {
			folders = append(folders, rel)
		}
	}
	for _, row := range m.Ledger.Rows {
		switch folder := path.Dir(row.File.Rel); {
		case slices.Contains(schema.ConfigFolders, path.Base(folder)):
			add(folder + "/")
		case row.File.Kind == schema.RunConfig && row.File.Of == "":
			add(row.File.Rel)
		}
	}
	slices.Sort(folders)
	add(m.down() + "/")
	if len(folders) == 0 {
		return nil
	}
	m.ignores = true
	var b strings.Builder
	b.WriteString(ignoreHead)
	literal := strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)
	for _, folder := range folders {
		b.WriteString("/" + literal.Replace(folder) + "\n")
	}
	if git, ok := m.Project.Code(".gitignore"); ok && len(git.Text) > 0 {
		b.WriteString("\n# From .gitignore, which Azure ML ignores if this file exists.\n")
		b.Write(git.Text)
	}
	return []byte(b.String())
}
