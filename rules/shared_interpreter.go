package rules

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

// interpreters reports paths of Python that are misspelt, or of Windows for a machine with Linux. SDK v1 uses the path
// only in an environment of the user's own.
func interpreters(p *Pass) {
	for _, t := range p.Project.Targets {
		at, compute := t.PythonLocation, t.File.Kind == schema.Compute
		if !at.Explicit || !at.Node.IsString() || !compute && !t.UserManaged.Bool {
			continue
		}
		text := schema.Slashes(at.Text)
		name := text[strings.LastIndexByte(text, '/')+1:]
		stem := strings.TrimRight(strings.TrimSuffix(name, ".exe"), "0123456789.")
		switch key := at.Key.Value; {
		case len(stem) > 4 && !strings.Contains(stem, "python") && plain.DistanceWithin(stem, "python", 2) <= 2:
			right := at.Text[:len(at.Text)-len(name)] + "python" + name[len(stem):]
			p.reportAs(finding.Warning, at.Location(fmt.Sprintf("%q names no known interpreter: did you mean %q?", key, right)),
				at.Fix(finding.Text(right), finding.Unsafe, fmt.Sprintf("write %q", right)))
		case compute && t.Type.Text == "remote" && schema.HasDrive(text):
			p.reportAs(finding.Warning, at.Location(fmt.Sprintf("%q is a Windows path, but the machine of a remote target runs Linux: write the path there, such as /usr/bin/python3", key)), nil)
		}
	}
}
