package rules

import (
	"fmt"
	"slices"

	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/python"
	"github.com/amlfix/amlfix/schema/shell"
	"github.com/amlfix/amlfix/schema/source"
)

var jobEntryScript = Rule{
	ID:       "job/entry-script",
	Severity: finding.Error,
	Since:    "2026-11-26",
	Doc:      "The script of a deployment or of a parallel job lacks the function run(), or a deployment's init().",
	Why: `Azure ML loads the script, calls init() once and run() for each request or batch. Without one of them, the
inference server of an online deployment stops with "does not have a run() function defined", and the deployment fails
after its image was built. Parallel jobs also work without init(). Scripts that import all names of a module, or make
names while they run, are not reported.`,
	Bad:  scoringScript + "def predict(data):\n    return data\n",
	Good: scoringScript + "def run(data):\n    return data\n",
	Check: func(p *Pass) {
		for i := range p.shared.scripts {
			s := &p.shared.scripts[i]
			if s.Language != shell.Python || s.body != nil && s.node != s.body.Node.Get("task").Get("entry_script").Resolve() {
				continue
			}
			rel, there := s.find(p.Project)
			if !there || p.full(s.file.Source) {
				continue
			}
			if code, ok := p.Project.Code(rel); ok {
				names := []string{"run"}
				if s.body == nil {
					names = []string{"init", "run"}
				}
				for _, name := range undefined(code, names) {
					p.report(s.location(fmt.Sprintf("%s defines no %s(), which Azure ML calls: define it", shortName(s.Name), name)), nil)
				}
			}
		}
	},
}

// undefined returns those of the names that a script certainly does not define, import or set.
func undefined(code *source.Source, names []string) []string {
	tokens, ok := python.Scan(string(code.Text))
	if !ok {
		return nil
	}
	for i, t := range tokens {
		named := t.Kind == python.Name && (i == 0 || tokens[i-1].Text != ".")
		switch {
		case named && slices.Contains([]string{"exec", "globals", "vars", "setattr", "__getattr__"}, t.Text), t.Text == "*" && i > 0 && tokens[i-1].Text == "import":
			return nil
		case named:
			names = slices.DeleteFunc(names, func(name string) bool { return name == t.Text })
		}
	}
	return names
}

const scoringScript = onlineScript + "-- conda.yml --\n" + serverless + `      - azureml-inference-server-http==1.5.1
-- src/score.py --
def init():
    pass

`
