package rules

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/template"
)

// nameable says which names the service accepts: of at most so many letters, digits and others.
type nameable struct {
	most   int
	others string
	words  string
	// certain is Error where the client itself refuses other names.
	certain finding.Severity
}

// The client's own patterns for runs and models (azure-ai-ml 1.35.2, _restclient) are narrower:
// ^[a-zA-Z0-9][\w-]{0,255}$, and one with dots. Experiments and
// computes are described by the service's errors: microsoft/dstoolkit-mlops-v2 issue 179, MicrosoftDocs/mslearn-aml-labs
// issue 12; endpoints by the schema of their files.
var (
	ofResources   = nameable{255, "_.-", "names in a workspace have only letters, digits, hyphens and underscores", 0}
	ofComputes    = nameable{255, "-", "names of compute targets have only letters, digits and hyphens", 0}
	ofExperiments = nameable{256, "_-", "names of experiments have only letters, digits, hyphens and underscores", 0}
	ofOutputs     = nameable{255, "_-", "names of outputs have only letters, digits, hyphens and underscores", finding.Error}
	ofEndpoints   = nameable{32, "-", "names of endpoints have only letters, digits and hyphens", 0}
)

// why returns why the service rejects a name, or "".
func (n *nameable) why(name string) string {
	switch i := strings.IndexFunc(name, func(r rune) bool { return !isAlphanumeric(r) && !strings.ContainsRune(n.others, r) }); {
	case i >= 0:
		return "Azure ML rejects this name because of " + plain.Character(name, i) + ": " + n.words
	case !isAlphanumeric(rune(name[0])):
		return "Azure ML rejects this name: names begin with a letter or a digit"
	case len(name) > n.most:
		return fmt.Sprintf("Azure ML rejects this name: it has %d characters, and at most %d are allowed", len(name), n.most)
	}
	return ""
}

func isAlphanumeric(r rune) bool {
	return r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// rejected reports a field with a name that the service rejects; name is the part of its text that is the name, and fix
// makes a fix, unless it is nil.
func (n *nameable) rejected(p *Pass, at schema.Field, name string, fix func() *finding.Fix) {
	if !at.Explicit || name == "" || !isLiteral(at) {
		return
	}
	if why := n.why(name); why != "" && !p.full(at.File.Source) {
		var repair *finding.Fix
		if fix != nil {
			repair = fix()
		}
		p.reportAs(max(finding.Warning, n.certain), at.Location(why), repair)
	}
}

// isLiteral reports whether a field is text in which nothing has to be filled in.
func isLiteral(at schema.Field) bool {
	return at.Node.IsString() && !strings.ContainsAny(at.Text, "${}<>") && !template.In(at.Text)
}

// notInNames matches what names of experiments do not have.
var notInNames = plain.Regexp{Text: `[^A-Za-z0-9_-]+`}

// unnameable reports the names of assets, compute targets, experiments and endpoints in v2 files that no such thing can
// have.
func unnameable(p *Pass) {
	for _, at := range p.shared.assets {
		names := &ofResources
		if at.asset == "computes" {
			names = &ofComputes
		}
		if name, _ := referenceName(at.Text); !strings.Contains(name, "/") {
			names.rejected(p, at.Field, name, nil)
		}
	}
	for _, b := range p.shared.bodies {
		for _, e := range b.Outputs.Node.Resolve().Own() {
			if name := schema.FieldAt(b.File, e.Value, "name"); !b.Declared && notInNames.Get().MatchString(name.Text) {
				ofOutputs.rejected(p, name, name.Text, nil)
			}
		}
		experiment := schema.FieldAt(b.File, b.Node, "experiment_name")
		ofExperiments.rejected(p, experiment, experiment.Text, func() *finding.Fix {
			right := strings.Trim(notInNames.Get().ReplaceAllString(experiment.Text, "-"), "-")
			if right == "" || ofExperiments.why(right) != "" {
				return nil
			}
			return experiment.Fix(finding.Text(right), finding.Unsafe, "write "+right)
		})
		for _, at := range computes(b) {
			if strings.Contains(at.Text, "/") {
				continue
			}
			ofComputes.rejected(p, at, strings.ReplaceAll(strings.TrimPrefix(at.Text, "azureml:"), ":", ""), nil)
			name, version, ok := strings.Cut(strings.TrimPrefix(at.Text, "azureml:"), ":")
			if ok && strings.HasPrefix(at.Text, "azureml:") && strings.Trim(version, "0123456789.") == "" && version != "" && ofResources.why(name) == "" && !p.full(at.File.Source) {
				right := "azureml:" + name
				p.reportAs(finding.Warning, at.Location("compute targets have no versions, so Azure ML finds none with this name: write "+right), at.Fix(finding.Text(right), finding.Safe, "write "+right))
			}
		}
	}
	for _, f := range p.shared.v2 {
		if strings.HasSuffix(string(f.V2), "deployment") {
			at := schema.FieldAt(f, f.Root().Resolve(), "endpoint_name")
			ofEndpoints.rejected(p, at, at.Text, nil)
		}
	}
}

// referenceName returns the name in a reference such as azureml:NAME:VERSION, and what follows it.
func referenceName(text string) (name, rest string) {
	text = strings.TrimPrefix(text, "azureml:")
	if i := strings.IndexAny(text, ":@"); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}
