package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/finding"
)

// answers are the user's decisions that no file makes: which targets are to have
// GPUs and which not, and what fixes leave open.
type answers struct {
	gpu, cpu []string
	choices  map[string]string // by question
}

// answersOf reads the flags.
func answersOf(ctx *cli.Context, command string) (answers, error) {
	a := answers{gpu: ctx.StringSlice("gpu"), cpu: ctx.StringSlice("cpu"), choices: map[string]string{}}
	for _, t := range a.cpu {
		if slices.Contains(a.gpu, t) {
			return a, usage(command, "--gpu %s and --cpu %s: give one of them", t, t)
		}
	}
	given := ctx.StringSlice("choose")
	if len(given) == 0 {
		return a, nil // the tables behind the questions need not be read
	}
	known := rules.Questions()
	for _, text := range given {
		question, value, ok := strings.Cut(text, "=")
		allowed, exists := known[question]
		switch {
		case !ok || value == "":
			return a, usage(command, "--choose %s: write it as QUESTION=ANSWER, such as cuda=9.0", text)
		case !exists:
			return a, usage(command, "--choose %s: there is no question %q%s", text, question, didYouMean(question, slices.Sorted(maps.Keys(known)), asIs))
		case len(allowed) > 0 && !slices.Contains(allowed, value):
			return a, usage(command, "--choose %s: the answers to %q are %s", text, question, strings.Join(allowed, ", "))
		}
		a.choices[question] = value
	}
	return a, nil
}

// add gives one more answer.
func (a *answers) add(one finding.Answer) {
	switch one.Flag {
	case finding.AnswerGPU:
		a.gpu = append(slices.Clone(a.gpu), one.Value)
	case finding.AnswerCPU:
		a.cpu = append(slices.Clone(a.cpu), one.Value)
	case finding.AnswerChoose:
		a.choices = maps.Clone(a.choices)
		if a.choices == nil {
			a.choices = map[string]string{}
		}
		a.choices[one.Key] = one.Value
	}
}

// options returns how a project is read with these answers and, where they say
// nothing, those of its settings.
func (a answers) options(r root) schema.Options {
	choices := maps.Clone(r.settings.Choices)
	if choices == nil {
		choices = map[string]string{}
	}
	maps.Copy(choices, a.choices)
	without := func(list, other []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(t string) bool { return slices.Contains(other, t) })
	}
	return schema.Options{
		Sharing:    r.sharing,
		GPU:        slices.Concat(a.gpu, without(r.settings.GPU, a.cpu)),
		CPU:        slices.Concat(a.cpu, without(r.settings.CPU, a.gpu)),
		Choices:    choices,
		NoComments: r.isolated,
	}
}

// words returns the answers as they are written on a command line.
func (a answers) words() (words []string) {
	for _, t := range a.gpu {
		words = append(words, "--gpu", escape.Word(t))
	}
	for _, t := range a.cpu {
		words = append(words, "--cpu", escape.Word(t))
	}
	for _, question := range slices.Sorted(maps.Keys(a.choices)) {
		words = append(words, "--choose", escape.Word(question+"="+a.choices[question]))
	}
	return words
}
