package account

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
)

// Reasons for keys that no emitter has a use for.
const (
	// WhyEmpty is the reason of a key that holds nothing, which the report joins with
	// others.
	WhyEmpty     = "empty"
	whyUnknown   = "not a key that the old service read either"
	whyDocument  = "only the first document of a file is read"
	whyRepeated  = "the key stands here twice; the other one counts"
	whyExample   = "the template's placeholder"
	whyReference = "repeats what is named elsewhere in the file"
)

// Close gives every key of which nothing was noted the reason why it has no
// counterpart. Whoever writes notes does so before.
func (l *Ledger) Close() {
	for _, row := range l.Rows {
		if len(row.Notes) > 0 {
			continue
		}
		row.Notes = []Note{{"", Dropped, "", row.reason()}}
	}
}

// reason says why a key has no counterpart.
func (row *Row) reason() string {
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
		return WhyEmpty
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

// Result tells what became of a key, once for all who agree.
func (r *Row) Result() string {
	type group struct {
		text string
		who  []string
	}
	var groups []group
	for _, n := range r.Notes {
		text := n.Result
		if n.Why != "" {
			text = strings.TrimPrefix(text+": "+n.Why, ": ")
		}
		i := slices.IndexFunc(groups, func(g group) bool { return g.text == text })
		if i < 0 {
			groups = append(groups, group{text: text})
			i = len(groups) - 1
		}
		if n.For != "" && !slices.Contains(groups[i].who, n.For) {
			groups[i].who = append(groups[i].who, n.For)
		}
	}
	var texts []string
	for _, g := range groups {
		if len(groups) > 1 && len(g.who) > 0 {
			g.text = strings.Join(g.who, ", ") + ": " + g.text
		}
		texts = append(texts, g.text)
	}
	return strings.Join(texts, "; ")
}
