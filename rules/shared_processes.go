package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/plain"
)

// countOf returns the integer in a setting; ok is false for other texts, such as expressions and templates.
func countOf(at schema.Field) (n int, ok bool) {
	if !at.Explicit || at.File.Broken() {
		return 0, false
	}
	n, err := strconv.Atoi(strings.TrimSpace(at.Text))
	return n, err == nil
}

// commandOf returns a job's command if it is a string, or "".
func commandOf(j *schema.Job) string {
	if !j.Command.Explicit || !j.Command.Node.IsString() {
		return ""
	}
	return j.Command.Text
}

// launches reports whether a command runs a program that starts a job's processes itself, on all GPUs of a machine.
func launches(command string) bool {
	return slices.ContainsFunc(catalog.Launchers.Items(), func(name string) bool { return strings.Contains(command, name) })
}

var (
	perNode = plain.Regexp{Text: `--nproc[-_]per[-_]node[= ]+(\d+)(?:\s|$)`}
	visible = plain.Regexp{Text: `(?:^|[\s;&])CUDA_VISIBLE_DEVICES=(?:"([\d, -]*)"|'([\d, -]*)'|([\d,-]+))(?:[\s;&]|$)`}
)

// mostVariables is the maximum number of a job's environment variables about GPUs that are checked; real jobs have
// fewer.
const mostVariables = 50

// variablesOf returns the environment variables about GPUs that apply to a job: its own, and those of the component
// that it runs.
func (p *Pass) variablesOf(j *schema.Job) []schema.Variable {
	own := p.variablesIn(j)
	if j.Runs == nil {
		return own
	}
	list := slices.Clone(own)
	for _, v := range p.variablesIn(j.Runs) {
		if !slices.ContainsFunc(own, func(o schema.Variable) bool { return o.Name == v.Name }) {
			list = append(list, v)
		}
	}
	return list
}

// variablesIn returns the environment variables about GPUs in a job's own file, cached because thousands of jobs may
// run one component.
func (p *Pass) variablesIn(j *schema.Job) []schema.Variable {
	if len(j.Variables) == 0 {
		return nil
	}
	return p.shared.variables.of(j, func() (list []schema.Variable) {
		for _, v := range j.Variables {
			if (strings.HasPrefix(v.Name, "NCCL_") || strings.HasSuffix(v.Name, "_VISIBLE_DEVICES")) && len(list) < mostVariables {
				list = append(list, v)
			}
		}
		return list
	})
}
