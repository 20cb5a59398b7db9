package check

import (
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

// maxPreviews is how many fixes of one project are worked out for a report: each
// is proved, which takes as long as checking the project again.
const maxPreviews = 200

// Edits returns a function that says what the fixes of a project replace: proved
// byte edits, or nil where a fix cannot be made or too many were asked for. It is
// for one goroutine.
func Edits(p *schema.Project) func(finding.Finding) []fixers.FileEdits {
	var preview *fixers.Preview
	left := maxPreviews
	return func(f finding.Finding) []fixers.FileEdits {
		if left--; left < 0 {
			return nil
		}
		if preview == nil {
			preview = fixers.NewPreview(p, fixers.Options{Recheck: rules.Check})
		}
		list, err := preview.Edits(f)
		if err != nil {
			return nil // the finding is reported without; --apply says why
		}
		return list
	}
}
