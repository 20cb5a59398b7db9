package migrate

import (
	"fmt"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/source"
)

// duplicate returns a key that a mapping in the tree has twice, or nil.
func duplicate(n *document.Node) (again *document.Node) {
	if n == nil {
		return nil
	}
	seen := map[string]bool{}
	for _, e := range n.Entries() {
		if seen[e.Key.Value] {
			return e.Key
		}
		seen[e.Key.Value] = true
		if again = duplicate(e.Value); again != nil {
			return again
		}
	}
	for _, item := range n.Items() {
		if again = duplicate(item); again != nil {
			return again
		}
	}
	return nil
}

// check validates the files against the schemas of their formats. An error is a bug in amlfix, and nothing is written.
func (m *Migration) check() error {
	for _, f := range m.Files {
		kind := m.Emitter.Schema(f)
		if kind == "" || len(f.Text) > source.MaxSize {
			continue // files that large are not read, not even by the check
		}
		src := source.New(f.Path, f.Text)
		if again := duplicate(document.Parse(src).Root()); again != nil {
			return fmt.Errorf("%s:%d: amlfix would write a key twice, which is a bug in amlfix: please report it with the old files: %s", f.Path, src.LineAt(again.Span.Start), again.Value)
		}
		for _, found := range format.Validate(kind, src, document.Parse(src).Root()) {
			if found.Severity > finding.Info {
				return fmt.Errorf("%s:%d: amlfix would write an invalid file, which is a bug in amlfix: please report it with the old files: %s",
					f.Path, src.LineAt(found.Span.Start), found.Message)
			}
		}
	}
	return nil
}
