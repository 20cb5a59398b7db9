package account

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
)

// Disposition is what happened to a key of a source file.
type Disposition int

// The dispositions. If a row has several, the greatest counts.
const (
	Dropped Disposition = iota + 1 // it has no counterpart, and the row says why
	Mapped                         // something in the new files has the same meaning
	Decided                        // someone had to choose; the row names the decision
)

// String returns the word that MIGRATION.md uses.
func (f Disposition) String() string { return [...]string{"", "dropped", "mapped", "decision"}[f] }

// Note says what one job, or one written file, made of a key's value.
type Note struct {
	// For is the job's name, or the name of a written file.
	For         string
	Disposition Disposition
	// Result is what is in the new files; Why is the reason. Either may be "".
	Result, Why string
}

// Row is one key of a source file with a value: a scalar, a list item, or an empty list or mapping.
type Row struct {
	File *schema.File
	// Key is the path of keys, as in environment.docker.baseImage or dependencies[3].pip[0].
	Key string
	// Value is the key's value on one line, with secrets masked.
	Value string
	Notes []Note

	node  *document.Node
	path  []string
	keys  []source.Span // of the keys on the path
	again bool          // an earlier entry has the same key
}

// Disposition returns the row's disposition, or 0 if it has no notes yet.
func (r *Row) Disposition() (disposition Disposition) {
	for _, n := range r.Notes {
		disposition = max(disposition, n.Disposition)
	}
	return disposition
}

// Ledger holds a row for every key of every source file.
type Ledger struct {
	// Rows are sorted by path, and within a file in its order.
	Rows []*Row

	files   map[*schema.File]bool
	rows    map[*document.Node][]*Row // for each node, all rows below it
	secrets map[*source.Source][]source.Span
}

// New returns an empty ledger.
func New() *Ledger {
	return &Ledger{files: map[*schema.File]bool{}, rows: map[*document.Node][]*Row{}, secrets: map[*source.Source][]source.Span{}}
}

// Hidden returns the spans of a file's secrets, which are cached: a program makes thousands of things.
func (l *Ledger) Hidden(f *schema.File) []source.Span {
	spans, ok := l.secrets[f.Source]
	if !ok {
		spans = secret.Spans(f.Source.Text)
		l.secrets[f.Source] = spans
	}
	return spans
}

// Add adds the keys of a file, unless the ledger has them.
func (l *Ledger) Add(f *schema.File) {
	if f == nil || l.files[f] {
		return
	}
	l.files[f] = true
	hidden := l.Hidden(f)
	var rows []*Row
	for i, root := range f.Stream.Documents {
		var path []string
		if f.Of != "" {
			path = []string{f.Of}
		}
		if i > 0 {
			path = []string{"document " + strconv.Itoa(i+1)}
		}
		rows = append(rows, l.walk(f, root, path, nil, hidden, false)...)
	}
	rows = slices.DeleteFunc(slices.Clone(rows), func(row *Row) bool { return row.File != f }) // what stands for another file's
	at, _ := slices.BinarySearchFunc(l.Rows, f.Rel, func(row *Row, rel string) int { return cmp.Or(cmp.Compare(row.File.Rel, rel), -1) })
	l.Rows = slices.Insert(l.Rows, at, rows...)
}

// Stands makes a node stand for nodes of a file: notes about it are entered for those.
func (l *Ledger) Stands(n *document.Node, of ...*document.Node) {
	var rows []*Row
	for _, o := range of {
		rows = append(rows, l.rows[o]...)
	}
	l.rows[n] = rows
}

// Has reports whether the keys of a file are in the ledger.
func (l *Ledger) Has(f *schema.File) bool { return l.files[f] }

// walk returns the rows below a node.
func (l *Ledger) walk(f *schema.File, n *document.Node, path []string, keys, hidden []source.Span, again bool) (below []*Row) {
	path, keys = slices.Clip(path), slices.Clip(keys)
	if rows, stands := l.rows[n]; stands {
		return rows
	}
	switch {
	case n.Kind == document.Mapping && len(n.Entries()) > 0:
		seen := map[string]bool{}
		for _, e := range n.Entries() {
			below = append(below, l.walk(f, e.Value, append(path, e.Key.Value), append(keys, e.Key.Span), hidden, again || seen[e.Key.Value])...)
			seen[e.Key.Value] = true
		}
	case n.Kind == document.Sequence && len(n.Items()) > 0:
		for i, item := range n.Items() {
			below = append(below, l.walk(f, item, append(path, "["+strconv.Itoa(i)+"]"), keys, hidden, again)...)
		}
	default:
		below = []*Row{{File: f, Key: keyText(path), Value: valueText(f, n, path, hidden), node: n, path: path, keys: keys, again: again}}
	}
	l.rows[n] = below
	return below
}

func keyText(path []string) string {
	var b strings.Builder
	for _, p := range path {
		if b.Len() > 0 && !strings.HasPrefix(p, "[") {
			b.WriteByte('.')
		}
		b.WriteString(p)
	}
	return cmp.Or(b.String(), "(the whole file)")
}

// valueText returns the value of a node on one line, with secrets masked, including those that are known only by the
// name of their variable.
func valueText(f *schema.File, n *document.Node, path []string, hidden []source.Span) string {
	const longest = 60
	span := n.Span
	if source.AnyOverlaps(hidden, span) {
		return secret.Mask
	}
	key := ""
	if len(path) > 0 {
		key = path[len(path)-1]
	}
	if n.Kind == document.Scalar && (secret.Variable(key, n.Text()) || key == "password" && n.Text() != "") {
		return secret.Mask
	}
	raw := string(f.Source.Slice(span))
	if n.Style == document.Literal || n.Style == document.Folded { // its header is not part of the value
		_, raw, _ = strings.Cut(raw, "\n")
	}
	text := strings.Join(strings.Fields(secret.HideValue(raw)), " ")
	if n.Kind == document.Alias {
		text = "*" + n.Value
	}
	return plain.Fit(text, longest)
}

// Map records that the keys of fields became result; who is the name of a job or of a written file. Fields without a
// key are skipped.
func (l *Ledger) Map(who, result, why string, fields ...schema.Field) {
	l.note(Note{who, Mapped, result, why}, fields)
}

// MapRest is Map for those fields that have no notes yet.
func (l *Ledger) MapRest(who, result, why string, fields ...schema.Field) {
	for _, f := range fields {
		if l.Unknown(f) {
			l.Map(who, result, why, f)
		}
	}
}

// Drop records that the keys of fields have no counterpart.
func (l *Ledger) Drop(who, why string, fields ...schema.Field) {
	l.note(Note{who, Dropped, "", why}, fields)
}

// DropRest is Drop for those fields that have no notes yet.
func (l *Ledger) DropRest(who, why string, fields ...schema.Field) {
	for _, f := range fields {
		if l.Unknown(f) {
			l.Drop(who, why, f)
		}
	}
}

// Decide records that the keys of fields became result because of a decision.
func (l *Ledger) Decide(who, result, decision string, fields ...schema.Field) {
	l.note(Note{who, Decided, result, "decision `" + decision + "`"}, fields)
}

func (l *Ledger) note(note Note, fields []schema.Field) {
	for _, f := range fields {
		if f.Node != nil {
			l.Node(note, f.Node)
		}
	}
}

// Node adds a note to every key at or below a node.
func (l *Ledger) Node(note Note, n *document.Node) {
	for _, row := range l.rows[n] {
		if !slices.Contains(row.Notes, note) {
			row.Notes = append(row.Notes, note)
		}
	}
	if n.Kind == document.Alias && n.Target() != nil {
		l.Node(note, n.Target())
	}
}

// Unknown reports whether no key at or below a field has a note yet. It is true for a field without a key.
func (l *Ledger) Unknown(f schema.Field) bool {
	return !slices.ContainsFunc(l.rows[f.Node], func(row *Row) bool { return len(row.Notes) > 0 })
}

// Fields returns the fields at some keys of a mapping, which may be absent.
func Fields(f *schema.File, n *document.Node, names ...string) (list []schema.Field) {
	for _, name := range names {
		list = append(list, schema.FieldAt(f, n, name))
	}
	return list
}

// Given returns the fields that are present in their file.
func Given(fields ...schema.Field) (list []schema.Field) {
	for _, f := range fields {
		if f.Explicit {
			list = append(list, f)
		}
	}
	return list
}
