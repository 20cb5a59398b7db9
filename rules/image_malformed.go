package rules

import (
	"errors"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/template"
)

var imageMalformed = Rule{
	ID:       "image/malformed",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "The base image is not a valid image reference.",
	Why: `Docker rejects a reference that contains a space, two colons in a row, or capital letters in the repository
name. The job fails before its container starts.`,
	Remedy: "Removes spaces and extra colons.",
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
		for _, t := range imageUses(p) {
			var fault *requirement.ParseError
			if strings.ContainsAny(t.Image.Text, "<>{}[]$") || template.In(t.Image.Text) || standIn(t.Image.Text) || !errors.As(t.err, &fault) {
				continue
			}
			message := "Docker does not accept this image reference: " + fault.Reason
			var fix *finding.Fix
			if repaired, ok := repairedImage(t.Image.Text); ok {
				message += fmt.Sprintf("; write %q", repaired)
				fix = t.Image.Fix(finding.Text(repaired), finding.Safe, fmt.Sprintf("write %q", repaired))
			} else if lower := strings.ToLower(t.Image.Text); lower != t.Image.Text {
				if _, err := requirement.ParseImage(lower); err == nil {
					message += fmt.Sprintf("; did you mean %q?", lower)
				}
			}
			p.report(t.Image.Location(message), fix)
		}
	},
}

// standIn reports whether the host of an image is a name that a script replaces, as in ACR_NAME.azurecr.io/a:1.
func standIn(image string) bool {
	host, _, _ := strings.Cut(image, "/")
	label, _, ok := strings.Cut(host, ".")
	return ok && strings.Contains(label, "_") && label == strings.ToUpper(label)
}
