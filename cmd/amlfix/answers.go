package main

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/rules"
)

// answerFlags returns the flags that answer what fixes leave open.
func answerFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "gpu", Usage: "treat the compute target `TARGET` as a GPU target; in Azure ML v2, TARGET is a compute, a job file or a step of a pipeline; may be given several times"},
		&cli.StringSliceFlag{Name: "cpu", Usage: "treat the compute target `TARGET` as a CPU target: the reverse of --gpu"},
		&cli.StringSliceFlag{Name: "choose", Usage: "answer a question that a repair leaves open, as `QUESTION=ANSWER`: cuda=9.0, cntk=1bit-sgd"},
	}
}

// answersOf reads the flags.
func answersOf(ctx *cli.Context, command string) (check.Answers, error) {
	a := check.Answers{GPU: ctx.StringSlice("gpu"), CPU: ctx.StringSlice("cpu"), Choices: map[string]string{}}
	for _, t := range a.CPU {
		if slices.Contains(a.GPU, t) {
			return a, console.Usage(command, "--gpu %s and --cpu %s: give one of them", t, t)
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
			return a, console.Usage(command, "--choose %s: write it as QUESTION=ANSWER, such as cuda=9.0", text)
		case !exists:
			return a, console.Usage(command, "--choose %s: there is no question %q%s", text, question, ui.DidYouMean(question, slices.Sorted(maps.Keys(known))))
		case len(allowed) > 0 && !slices.Contains(allowed, value):
			return a, console.Usage(command, "--choose %s: the answers to %q are %s", text, question, strings.Join(allowed, ", "))
		}
		a.Choices[question] = value
	}
	return a, nil
}

// knownNames returns a *console.UsageError if --gpu or --cpu names nothing that exists: no compute target and, in v2,
// no compute and no job.
func knownNames(ctx *cli.Context, roots []check.Root, a check.Answers) error {
	if len(a.GPU)+len(a.CPU) == 0 {
		return nil
	}
	all, err := check.AskedNames(ctx.Context, roots)
	if err != nil {
		return err
	}
	return cmp.Or(cli.KnownTargets("check", "gpu", a.GPU, all.Shown, all.Also), cli.KnownTargets("check", "cpu", a.CPU, all.Shown, all.Also))
}
