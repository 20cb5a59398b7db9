package rules

import (
	"errors"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

var imageMalformed = Rule{
	ID:       "image/malformed",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "The base image is not written as Docker reads it.",
	Why: `Docker refuses a reference with a blank in it or at its end, with two colons in a row, or with capital letters in
the name of the repository. The job fails before its container starts.`,
	Remedy: "Blanks and surplus colons are removed.",
	Bad: `
-- aml_config/docker.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark::plus-0.9.9
`,
	Good: `
-- aml_config/docker.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
`,
	Check: func(p *Pass) {
		for _, t := range imageTargets(p) {
			if isTemplate(t.Image.Text) {
				continue
			}
			_, err := requirement.ParseImage(t.Image.Text)
			var fault *requirement.ParseError
			if !errors.As(err, &fault) {
				continue
			}
			message := "Docker does not understand this image: " + fault.Reason
			var fix *finding.Fix
			if mended, ok := mendedImage(t.Image.Text); ok {
				message += fmt.Sprintf("; write %q", mended)
				if change, ok := t.Image.Set(finding.Text(mended)); ok {
					fix = &finding.Fix{Title: fmt.Sprintf("write %q", mended), Applicability: finding.Safe, Changes: []finding.Change{change}}
				}
			} else if lower := strings.ToLower(t.Image.Text); lower != t.Image.Text {
				if _, err := requirement.ParseImage(lower); err == nil {
					message += fmt.Sprintf("; did you mean %q?", lower)
				}
			}
			p.report(t.Image.Location(message), fix)
		}
	},
}
