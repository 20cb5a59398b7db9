package settings

import (
	"errors"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/requirement"
)

// images checks the images that replace others: without this, only a run that needs one finds that Docker refuses it.
// An image that is replaced may be wrong, as long as a job's file says the same.
func (c *checker) images(n *document.Node) {
	if !n.IsMapping() {
		return
	}
	for _, e := range n.Entries() {
		image := e.Value.Resolve()
		if !image.IsString() || c.full() {
			continue
		}
		_, err := requirement.ParseImage(image.Value)
		if wrong, ok := errors.AsType[*requirement.ParseError](err); ok {
			c.report(e.Value, "this is not a valid image reference: "+wrong.Reason, nil)
		}
	}
}
