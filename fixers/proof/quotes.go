package proof

import (
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

// quotes checks that quotes were kept where the new value allows it, and that a JSON file is still JSON.
func (c *checker) quotes() error {
	if c.Before.json && !validJSON(c.New) {
		return c.fail(Bytes, "the file is JSON and would no longer be JSON")
	}
	for i, change := range c.Changes {
		t := c.touched[i]
		var models []*document.Node // what each fresh node is to look like
		switch change.Op {
		case finding.SetScalar:
			models = []*document.Node{t.old}
		case finding.RenameKey:
			models = []*document.Node{t.key}
		case finding.InsertEntry:
			models = []*document.Node{t.siblingKey, t.sibling}
		case finding.AppendItem:
			models = []*document.Node{t.sibling}
		default: // the others write no value beside one
		}
		for k, model := range models {
			if k < len(t.fresh) && model != nil && !alike(model, t.fresh[k]) {
				return c.fail(Bytes, "%q would be quoted differently from what it replaces or follows", t.fresh[k].Value)
			}
		}
	}
	return nil
}

// alike reports whether a string is quoted like its model, if the model is a quoted string. Single quotes cannot hold
// every character.
func alike(model, fresh *document.Node) bool {
	if model.Kind != document.Scalar || model.Tag() != "!!str" || fresh.Tag() != "!!str" {
		return true
	}
	switch model.Style {
	case document.DoubleQuoted:
		return fresh.Style == document.DoubleQuoted
	case document.SingleQuoted:
		ascii := !strings.ContainsFunc(fresh.Value, func(r rune) bool { return r < ' ' || r > '~' })
		return fresh.Style == document.SingleQuoted || fresh.Style == document.DoubleQuoted && !ascii
	default:
		return true
	}
}
