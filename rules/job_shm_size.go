package rules

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/shell"
)

var jobShmSize = Rule{
	ID:       "job/shm-size",
	Severity: finding.Warning,
	Since:    "2026-11-22",
	Doc:      "The container has little shared memory, and the script's data loader has workers.",
	Why: `The workers of PyTorch's DataLoader pass their batches on in shared memory (/dev/shm). When it is full, one of
them is killed: "DataLoader worker is killed by signal: Bus error. It is possible that dataloader's workers are out of
shared memory". An Azure ML container has 2 GB of it unless shm_size says otherwise, which is often enough for small
batches, so a missing shm_size is a note; less than 1 GB is a warning. The size is a limit and reserves nothing.`,
	Remedy: "With --unsafe, and for a job named by --gpu, replaces a small size with 8g.",
	Bad:    loaderJob + "64m\n" + loader,
	Good:   loaderJob + "16g\n" + loader,
	Check: func(p *Pass) {
		var run map[*document.Node][]*script
		for _, j := range p.Project.Jobs {
			size := j.Docker.ShmSize
			if j.Kind == schema.Deployment || !size.Explicit && (j.Dialect != schema.V2 || j.Kind == schema.Component) || size.File.Broken() || j.Target == nil || j.Target.Type.Text == "localdocker" {
				continue
			}
			amount, known := plain.Bytes(size.Text)
			if size.Explicit && (!known || amount >= 1<<30) || strings.Contains(j.Node.Get("resources").Get("docker_args").Text(), "--ipc") {
				continue
			}
			if run == nil {
				run = p.scriptsByNode()
			}
			loader := p.loaderOf(j, run)
			switch {
			case loader == "":
			case size.Explicit:
				p.report(size.Location(fmt.Sprintf("%s loads data with worker processes, which pass batches on in shared memory, and %s is too small: write 8g or more", shown(loader), shown(size.Text))), largerShm(size, j.Target.Requested()))
			default:
				p.reportAs(finding.Info, j.Command.Location(shown(loader)+" loads data with worker processes, which get 2 GB of shared memory here: if one stops with a bus error, set a larger shm_size under resources, such as 8g"), nil)
			}
		}
	},
}

const loaderJob = `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python train.py
code: src
environment: azureml:training:3
compute: azureml:gpu-cluster
resources:
  shm_size: `

const loader = `-- src/train.py --
import torch

loader = torch.utils.data.DataLoader(data, batch_size=64, num_workers=4)
`

// largerShm returns the fix that writes a larger size, which reserves nothing.
func largerShm(size schema.Field, asked bool) *finding.Fix {
	how := finding.Unsafe
	if asked {
		how = finding.Safe
	}
	return size.Fix(finding.Text("8g"), how, "write 8g")
}

// scriptsByNode returns the scripts of v2 jobs by the mapping of their job.
func (p *Pass) scriptsByNode() map[*document.Node][]*script {
	run := map[*document.Node][]*script{}
	for i := range p.shared.scripts {
		if s := &p.shared.scripts[i]; s.body != nil && s.Language == shell.Python && s.Certain && !s.Made {
			run[s.body.Node] = append(run[s.body.Node], s)
		}
	}
	return run
}

// loaderOf returns the script of a job that loads data with workers of PyTorch's DataLoader, or "" if none certainly
// does.
func (p *Pass) loaderOf(j *schema.Job, run map[*document.Node][]*script) string {
	if j.Dialect != schema.V2 {
		if name := scriptOf(j); name != "" && !strings.HasPrefix(name, "$") && p.loads(name).literal {
			return j.Script.Text
		}
		return ""
	}
	scripts := run[j.Node]
	if j.Runs != nil && len(scripts) == 0 {
		scripts = run[j.Runs.Node]
	}
	for _, s := range scripts {
		rel, there := s.find(p.Project)
		if !there {
			continue
		}
		if l := p.loads(rel); l.literal || l.option && workersAsked(j) {
			return s.Name
		}
	}
	return ""
}

// loading is where a script gets the number of its DataLoader's workers from: a literal of its own, or an option.
type loading struct{ literal, option bool }

var (
	workersLiteral = plain.Regexp{Text: `^[^#]*\bnum_workers *= *[1-9]`}
	workersOption  = plain.Regexp{Text: `^[^#]*\bnum_workers *= *\w+\.\w*workers`}
	workersGiven   = plain.Regexp{Text: `--(?:dataloader[-_])?(?:num[-_])?workers[= ]+(?:([1-9]\d*)|\$\{\{ *inputs\.(\w+) *\}\})`}
)

// loads returns what a script says about its workers, and reads each script once.
func (p *Pass) loads(rel string) loading {
	return p.shared.loading.of(rel, func() (l loading) {
		code, ok := p.Project.Code(rel)
		if !ok || !p.Project.Imports(rel, "torch") || !bytes.Contains(code.Text, []byte("DataLoader")) {
			return l
		}
		for line := range bytes.Lines(code.Text) {
			if bytes.Contains(line, []byte("num_workers")) { // a pattern for all lines takes far longer
				l.literal = l.literal || workersLiteral.Get().Match(line)
				l.option = l.option || workersOption.Get().Match(line)
			}
		}
		return l
	})
}

// workersAsked reports whether a job's command, or an input that it names, gives a number of workers.
func workersAsked(j *schema.Job) bool {
	m := workersGiven.Get().FindStringSubmatch(commandOf(j))
	if m == nil {
		return false
	}
	if m[1] != "" {
		return true
	}
	input := j.Node.Get("inputs").Resolve().Get(m[2]).Resolve()
	if input.IsMapping() {
		input = input.Get("default").Resolve()
	}
	n, err := strconv.Atoi(input.Text())
	return err == nil && n > 0
}
