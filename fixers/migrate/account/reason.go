package account

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// Reasons for keys that no emitter uses.
const (
	// WhyEmpty is the reason for a key without a value; the report groups such keys.
	WhyEmpty     = "empty"
	whyUnknown   = "the old service did not read this key either"
	whyNone      = "the new format has no equivalent"
	whyDocument  = "only the first document in a file is read"
	whyRepeated  = "the key is a duplicate; the other one counts"
	whyExample   = "a placeholder of the template"
	whyReference = "repeats another value in the file"
)

// Close adds, to every key without notes, the reason why it has no counterpart. Call it after all other notes are
// written. holds reports whether one of the catalog's conditions holds for all jobs of a file.
func (l *Ledger) Close(holds func(f *schema.File, when string) bool) {
	unknown := map[*schema.File][]source.Span{}
	for _, row := range l.Rows {
		if len(row.Notes) > 0 {
			continue
		}
		if _, known := unknown[row.File]; !known {
			unknown[row.File] = unknownKeys(row.File)
		}
		row.Notes = []Note{{"", Dropped, "", row.reason(unknown[row.File], holds)}}
	}
}

// FormatOf returns the format of a file of Workbench or SDK v1, "" for others.
func FormatOf(f *schema.File) format.Kind {
	switch {
	case f.Kind == schema.Compute:
		return format.Compute
	case f.Kind == schema.CondaFile:
		return format.Conda
	case f.Kind == schema.SparkFile:
		return format.Spark
	case f.Kind == schema.RunConfig && f.Dialect == schema.SDKv1:
		return format.SDKRunConfig
	case f.Kind == schema.RunConfig:
		return format.WorkbenchRunConfig
	}
	return ""
}

// unknownKeys returns the keys of a file that its format does not have.
func unknownKeys(f *schema.File) (spans []source.Span) {
	kind := FormatOf(f)
	if kind == "" || f.Of != "" { // what a program passes to the SDK uses the SDK's names
		return nil
	}
	for _, found := range format.Validate(kind, f.Source, f.Root()) {
		if found.Rule == format.RuleUnknownKey {
			spans = append(spans, found.Span)
		}
	}
	return spans
}

// reason says why a key has no counterpart.
func (r *Row) reason(unknown []source.Span, holds func(*schema.File, string) bool) string {
	switch {
	case len(r.path) > 0 && strings.HasPrefix(r.path[0], "document "):
		return whyDocument
	case len(r.path) > 0 && r.path[len(r.path)-1] == "EXAMPLE_ENV_VAR":
		return whyExample
	case r.node.Kind == document.Alias:
		return whyReference
	case r.again:
		return whyRepeated
	case r.node.IsNull(), r.node.Kind != document.Scalar, r.node.Text() == "":
		return WhyEmpty
	}
	dialect, path := deadPath(r)
	if slices.ContainsFunc(r.keys, func(key source.Span) bool { return source.AnyOverlaps(unknown, key) }) {
		return whyUnknown
	}
	k, ok := catalog.LookupDeadKey(dialect, path, func(when string) bool {
		if when == "false" {
			return strings.EqualFold(r.node.Text(), "false")
		}
		return holds(r.File, when)
	})
	if ok {
		return k.Why
	}
	return whyNone
}

// deadPath returns the dialect and path by which the catalog lists a row's key.
func deadPath(row *Row) (dialect string, path []string) {
	for i, p := range row.path {
		if !strings.HasPrefix(p, "[") && (i > 0 || row.File.Of == "") {
			path = append(path, p)
		}
	}
	switch {
	case row.File.Kind >= schema.V2JobFile:
		return "v2", ownPath(path)
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

// ownPath returns the path of a v2 key relative to its step or component, which have the keys of jobs.
func ownPath(path []string) []string {
	for {
		switch {
		case len(path) > 2 && path[0] == "jobs":
			path = path[2:]
		case len(path) > 1 && path[0] == "component":
			path = path[1:]
		default:
			return path
		}
	}
}

// Result says what happened to a key, with equal results merged.
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
