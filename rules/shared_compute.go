package rules

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/template"
)

// The names of compute instances that the service accepts, as its own error describes them:
// MicrosoftDocs/pipelines-azureml issue 19. The documentation says the same of clusters, but public projects have
// clusters with longer names, and with a number at the end.
var (
	instanceNames = plain.Regexp{Text: `^[A-Za-z][A-Za-z0-9-]{2,23}$`}
	endsInNumber  = plain.Regexp{Text: `-[0-9]+$`}
)

// instanceName reports the name of a compute that the service rejects.
func instanceName(p *Pass, f *schema.File, root *document.Node) {
	name := schema.FieldAt(f, root, "name")
	if !name.Node.IsString() || template.In(name.Text) {
		return
	}
	if !strings.EqualFold(root.Get("type").Text(), instanceType) {
		ofComputes.rejected(p, name, name.Text, nil)
		return
	}
	if !instanceNames.Get().MatchString(name.Text) {
		p.report(name.Location("the name of a compute instance is 3 to 24 letters, digits and hyphens, and begins with a letter: Azure ML rejects others"), nil)
	} else if number := endsInNumber.Get().FindString(name.Text); number != "" {
		p.report(name.Location(fmt.Sprintf("Azure ML rejects the name of a compute instance that ends in a hyphen and digits: leave out the hyphen in %q", number)), nil)
	}
}

// localStep reports a pipeline, or a step of one, with compute: local, which is only for command jobs on their own.
func localStep(p *Pass, b *flow.Body) {
	if len(b.Jobs) == 0 && b.Parent == nil {
		return
	}
	for _, at := range computes(b) {
		if at.Explicit && strings.EqualFold(strings.TrimPrefix(at.Text, "azureml:"), "local") {
			p.report(at.Location("Azure ML does not run the jobs of a pipeline on this computer: write the name of a compute target, or azureml:serverless"), nil)
		}
	}
}

// computes returns the fields of a body that name a compute target.
func computes(b *flow.Body) []schema.Field {
	fields := []schema.Field{schema.FieldAt(b.File, b.Node, "compute")}
	if len(b.Jobs) > 0 {
		fields = append(fields, schema.FieldAt(b.File, b.Node.Get("settings").Resolve(), "default_compute"))
	}
	return fields
}

// misspeltSizes reports names of machine sizes that Azure does not have, where only one can be meant.
func misspeltSizes(p *Pass) {
	sizes := v2Sizes(p)
	for _, t := range p.Project.Targets {
		if t.VMSize.Explicit {
			sizes = append(sizes, t.VMSize)
		}
	}
	for _, at := range sizes {
		if !at.Explicit {
			continue
		}
		meant := catalog.SizeMeant(at.Text)
		if meant == "" {
			continue
		}
		how := finding.Unsafe
		if catalog.SpellsSize(at.Text, meant) {
			how = finding.Safe
		}
		p.report(at.Location(fmt.Sprintf("Azure has no VM size %s: did you mean %s?", shown(at.Text), meant)), at.Fix(finding.Text(meant), how, "write "+meant))
	}
}
