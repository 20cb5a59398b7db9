// Package reference parses how files of Azure ML v2 name things: by a path, by the
// name in a workspace or a registry, by an address. It is the only place that does.
// What a name stands for it does not know.
package reference

import (
	"regexp"
	"strings"
	"sync"

	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/template"
)

// Kind is where a reference leads.
type Kind int

// The kinds.
const (
	// None is an empty text.
	None Kind = iota
	// Undecided is a text with an expression (${{…}}) or with what is filled in
	// before the file is used.
	Undecided
	// Path is a path of this computer, or a plain name: which one depends on the key.
	Path
	// Workspace is a name in the workspace of the file: azureml:NAME, with a
	// version or a label, and azureml://datastores/NAME/paths/….
	Workspace
	// Registry is a name in a registry: azureml://registries/….
	Registry
	// Resource is the id of a resource of Azure, which may be in any workspace:
	// azureml:/subscriptions/…, azureml://subscriptions/…, azureml://locations/….
	Resource
	// Address is any other address: https://…, wasbs://…, git+https://….
	Address
)

// Reference is a parsed reference.
type Reference struct {
	Kind Kind
	// Text is the reference as it is written, Path the path or the plain name: the
	// text without "file:".
	Text, Path string
	// Registry is the name of the registry. Type is the kind of what is named as an
	// address has it: "environments", "components", "datastores"; mostly "".
	Registry, Type string
	// Name is what is named, Version and Label which one. At most one of the
	// two is not "".
	Name, Version, Label string
	// NameAt and VersionAt are where the name, and the version or the label, are in
	// Text, in bytes; empty where there is none.
	NameAt, VersionAt source.Span
}

// scheme matches the beginning of an address. A drive letter is none.
var scheme = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:git\+)?[A-Za-z][A-Za-z0-9+.-]+://`) })

// Parse parses a reference. It never fails: what is none of the other kinds is a
// path.
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
	case scheme().MatchString(text):
		r.Kind = Address
	default:
		r.Kind, r.Path = Path, text
		if path, ok := strings.CutPrefix(text, "file:"); ok {
			r.Path = path
		}
	}
	return r
}

// Inside reports whether the reference names something that files beside it may
// define: in the workspace that they are for, by a name.
func (r Reference) Inside() bool { return r.Kind == Workspace && r.Name != "" }

// named reads NAME, NAME:VERSION or NAME@LABEL, from an offset of the text on.
func (r *Reference) named(from int) {
	end := len(r.Text)
	if i := strings.IndexAny(r.Text[from:], ":@"); i >= 0 {
		end = from + i
		r.VersionAt = source.Span{Start: end + 1, End: len(r.Text)}
		if which := r.Text[end+1:]; r.Text[end] == '@' {
			r.Label = which
		} else {
			r.Version = which
		}
	}
	r.NameAt = source.Span{Start: from, End: end}
	r.Name = r.Text[from:end]
}

// address reads what follows azureml://.
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

// parts reads pairs of a kind and a name, from an offset on, as far as the one
// behind the name of a registry or a workspace: registries/R/environments/E/versions/1.
func (r *Reference) parts(from int) {
	for from < len(r.Text) {
		kind, at := r.part(from)
		name, where := r.part(at.End + 1)
		from = where.End + 1
		switch strings.ToLower(kind) {
		case "registries":
			r.Registry = name
		case "subscriptions", "resourcegroups", "workspaces", "locations", "providers": // where the workspace is
		case "versions":
			r.Version, r.VersionAt = name, where
			return
		case "labels":
			r.Label, r.VersionAt = name, where
			return
		default:
			if r.Name != "" {
				return
			}
			r.Type, r.Name, r.NameAt = strings.ToLower(kind), name, where
		}
	}
}

// part returns the text up to the next slash, and where it is.
func (r *Reference) part(from int) (string, source.Span) {
	from = min(from, len(r.Text))
	part, _, _ := strings.Cut(r.Text[from:], "/")
	return part, source.Span{Start: from, End: from + len(part)}
}

func hasPrefix(text, prefix string) bool { _, ok := cutPrefix(text, prefix); return ok }

// cutPrefix is strings.CutPrefix, whatever the case.
func cutPrefix(text, prefix string) (rest string, ok bool) {
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return text, false
	}
	return text[len(prefix):], true
}
