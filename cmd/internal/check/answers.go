package check

import (
	"maps"
	"slices"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/finding"
)

// Answers are the user's decisions that are not in any file. The zero value contains none.
type Answers struct {
	// GPU and CPU name compute targets that should have GPUs, and that should not.
	GPU, CPU []string
	// Choices answer what fixes leave open, by question (see rules.Questions).
	Choices map[string]string
}

// Add adds one more answer. It does not modify maps and lists that copies share.
func (a *Answers) Add(one finding.Answer) {
	switch one.Flag {
	case finding.AnswerGPU:
		a.GPU = append(slices.Clone(a.GPU), one.Value)
	case finding.AnswerCPU:
		a.CPU = append(slices.Clone(a.CPU), one.Value)
	case finding.AnswerChoose:
		a.Choices = maps.Clone(a.Choices)
		if a.Choices == nil {
			a.Choices = map[string]string{}
		}
		a.Choices[one.Key] = one.Value
	}
}

// options returns how to read a project with these answers and, where they decide nothing, those in its settings.
func (a Answers) options(r Root) schema.Options {
	choices := maps.Clone(r.Settings.Choices)
	if choices == nil {
		choices = map[string]string{}
	}
	maps.Copy(choices, a.Choices)
	without := func(list, other []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(t string) bool { return slices.Contains(other, t) })
	}
	return schema.Options{
		Sharing:    r.sharing,
		GPU:        slices.Concat(a.GPU, without(r.Settings.GPU, a.CPU)),
		CPU:        slices.Concat(a.CPU, without(r.Settings.CPU, a.GPU)),
		Choices:    choices,
		Computes:   r.Settings.Computes,
		NoComments: r.isolated,
		AsOf:       r.asOf,
	}
}

// Words returns the answers as command-line arguments.
func (a Answers) Words() (words []string) {
	for _, t := range a.GPU {
		words = append(words, "--gpu", escape.Word(t))
	}
	for _, t := range a.CPU {
		words = append(words, "--cpu", escape.Word(t))
	}
	for _, question := range slices.Sorted(maps.Keys(a.Choices)) {
		words = append(words, "--choose", escape.Word(question+"="+a.Choices[question]))
	}
	return words
}
