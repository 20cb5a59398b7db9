package rules

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/amlfix/amlfix/schema"
)

// countOf returns the whole number that a setting gives; ok is false for other texts,
// such as expressions and templates.
func countOf(at schema.Field) (n int, ok bool) {
	if !at.Explicit || at.File.Broken() {
		return 0, false
	}
	n, err := strconv.Atoi(strings.TrimSpace(at.Text))
	return n, err == nil
}

// commandOf returns what a job's command says, where it is one text.
func commandOf(j *schema.Job) string {
	if !j.Command.Explicit || !j.Command.Node.IsString() {
		return ""
	}
	return j.Command.Text
}

// launchers are the programs that start the processes of a job by themselves, on all the
// GPUs of a machine.
var launchers = []string{"torchrun", "torch.distributed", "accelerate", "deepspeed", "horovodrun", "mpirun", "mpiexec", "composer", "colossalai", "bagua"}

// launches reports whether a command starts processes by itself.
func launches(command string) bool {
	return slices.ContainsFunc(launchers, func(name string) bool { return strings.Contains(command, name) })
}

var (
	perNode = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`--nproc[-_]per[-_]node[= ]+(\d+)(?:\s|$)`) })
	visible = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|[\s;&])CUDA_VISIBLE_DEVICES=(?:"([\d, -]*)"|'([\d, -]*)'|([\d,-]+))(?:[\s;&]|$)`)
	})
)

// variablesOf returns the environment variables that are in force in a job: its own,
// and those of the component that it runs.
func variablesOf(j *schema.Job) []schema.Variable {
	if j.Runs == nil {
		return j.Variables
	}
	list := slices.Clone(j.Variables)
	for _, v := range j.Runs.Variables {
		if !slices.ContainsFunc(j.Variables, func(own schema.Variable) bool { return own.Name == v.Name }) {
			list = append(list, v)
		}
	}
	return list
}
