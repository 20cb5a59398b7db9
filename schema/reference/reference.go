// Package reference parses how Azure ML v2 files name things: by a path, by the name in a workspace or a registry, or
// by a URL. All such parsing is here. The package does not resolve names.
package reference

import (
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/template"
)

// Kind is where a reference leads.
type Kind int

// The kinds.
const (
	// None is an empty text.
	None Kind = iota
	// Undecided is a text with an expression (${{…}}) or with a placeholder that is filled in before the file is used.
	Undecided
	// Path is a local path or a plain name, depending on the key.
	Path
	// Workspace is a name in the file's workspace: azureml:NAME, with a version or a label, and
	// azureml://datastores/NAME/paths/….
	Workspace
	// Registry is a name in a registry: azureml://registries/….
	Registry
	// Resource is the id of an Azure resource, which may be in any workspace: azureml:/subscriptions/…,
	// azureml://subscriptions/…, azureml://locations/….
	Resource
	// Address is any other URL: https://…, wasbs://…, git+https://….
	Address
)

// Reference is a parsed reference.
type Reference struct {
	Kind Kind
	// Text is the reference as written.
	Text string
	// Registry is the name of the registry. Type is the kind of the named thing in a URL ("environments", "components",
	// "datastores"); usually "".
	Registry, Type string
	// Name is the name; Version and Label select one with that name. At most one of the two is not "".
	Name, Version, Label string
	// NameAt is the byte span of the name in Text; empty if there is none.
	NameAt source.Span
}

// scheme matches the scheme of a URL. A drive letter is not a scheme.
var scheme = plain.Regexp{Text: `^(?:git\+)?[A-Za-z][A-Za-z0-9+.-]+://`}

// Parse parses a reference. It never fails: what has no other kind is a Path.
func Parse(text string) Reference {
	r := Reference{Text: text}
	rest, workspace := cutPrefix(text, "azureml:")
	switch {
	case text == "":
	case strings.Contains(text, "${{") || template.In(text):
		r.Kind = Undecided
	case workspace && strings.HasPrefix(rest, "//"):
		r.address(len(text) - len(rest) + len("//"))
	case workspace && strings.HasPrefix(rest, "/"), hasPrefix(text, "/subscriptions/"):
		r.Kind = Resource
		r.parts(strings.Index(text, "/") + 1)
	case workspace:
		r.Kind = Workspace
		r.named(len(text) - len(rest))
	case scheme.Get().MatchString(text):
		r.Kind = Address
	default:
		r.Kind = Path
	}
	return r
}

// Inside reports whether the reference is a name in the file's own workspace, which other files of the project may
// define.
func (r Reference) Inside() bool { return r.Kind == Workspace && r.Name != "" }

// named parses NAME, NAME:VERSION or NAME@LABEL from an offset of the text on.
func (r *Reference) named(from int) {
	end := len(r.Text)
	if i := strings.IndexAny(r.Text[from:], ":@"); i >= 0 {
		end = from + i
		if which := r.Text[end+1:]; r.Text[end] == '@' {
			r.Label = which
		} else {
			r.Version = which
		}
	}
	r.NameAt = source.Span{Start: from, End: end}
	r.Name = r.Text[from:end]
}

// address parses what follows azureml://.
func (r *Reference) address(from int) {
	first, _, _ := strings.Cut(r.Text[from:], "/")
	switch strings.ToLower(first) {
	case "registries":
		r.Kind = Registry
	case "datastores":
		r.Kind = Workspace
	default:
		r.Kind = Resource
	}
	r.parts(from)
}

// parts parses pairs of a kind and a name from an offset on, up to the one after the name of a registry or a workspace:
// registries/R/environments/E/versions/1.
func (r *Reference) parts(from int) {
	for from < len(r.Text) {
		kind, at := r.part(from)
		name, where := r.part(at.End + 1)
		from = where.End + 1
		switch strings.ToLower(kind) {
		case "registries":
			r.Registry = name
		case "subscriptions", "resourcegroups", "workspaces", "locations", "providers": // the path of the workspace
		case "versions":
			r.Version = name
			return
		case "labels":
			r.Label = name
			return
		default:
			if r.Name != "" {
				return
			}
			r.Type, r.Name, r.NameAt = strings.ToLower(kind), name, where
		}
	}
}

// part returns the text up to the next slash, and its span.
func (r *Reference) part(from int) (string, source.Span) {
	from = min(from, len(r.Text))
	part, _, _ := strings.Cut(r.Text[from:], "/")
	return part, source.Span{Start: from, End: from + len(part)}
}

func hasPrefix(text, prefix string) bool { _, ok := cutPrefix(text, prefix); return ok }

// cutPrefix is strings.CutPrefix ignoring case.
func cutPrefix(text, prefix string) (rest string, ok bool) {
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return text, false
	}
	return text[len(prefix):], true
}
