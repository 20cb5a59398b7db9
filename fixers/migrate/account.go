package migrate

import (
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
)

// Reasons for keys that no emitter has a use for.
const (
	whyEmpty     = "empty"
	whyUnknown   = "not a key that the old service read either"
	whyDocument  = "only the first document of a file is read"
	whyRepeated  = "the key stands here twice; the other one counts"
	whyExample   = "the template's placeholder"
	whyReference = "repeats what is named elsewhere in the file"
)

// account gives every key that is left the reason why it has no counterpart.
func (m *Migration) account() {
	for _, row := range m.Ledger.Rows {
		if len(row.Notes) > 0 {
			continue
		}
		row.Notes = []Note{{"", Dropped, "", m.reason(row)}}
	}
}

func (m *Migration) reason(row *Row) string {
	switch {
	case len(row.path) > 0 && strings.HasPrefix(row.path[0], "document "):
		return whyDocument
	case len(row.path) > 0 && row.path[len(row.path)-1] == "EXAMPLE_ENV_VAR":
		return whyExample
	case row.node.Kind == document.Alias:
		return whyReference
	case row.again:
		return whyRepeated
	case row.node.IsNull(), row.node.Kind != document.Scalar, row.node.Text() == "":
		return whyEmpty
	}
	dialect, path := deadPath(row)
	if k, ok := catalog.LookupDeadKey(dialect, path); ok {
		return k.Why
	}
	return whyUnknown
}

// deadPath returns how the catalog names a row's key.
func deadPath(row *Row) (dialect string, path []string) {
	for _, p := range row.path {
		if !strings.HasPrefix(p, "[") {
			path = append(path, p)
		}
	}
	switch {
	case row.File.Kind == schema.Compute:
		return "compute", path
	case row.File.Kind == schema.SparkFile:
		return "spark", path
	case row.File.Kind == schema.RunConfig && row.File.Dialect == schema.Workbench:
		return "workbench", path
	case row.File.Kind == schema.RunConfig:
		for i := range path {
			path[i] = plain.CamelCase(path[i])
		}
		if len(path) > 1 && path[0] == "environment" {
			return "environment", path[1:]
		}
		return "sdk", path
	}
	return "environment", path
}
