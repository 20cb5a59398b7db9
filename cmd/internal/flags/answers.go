package flags

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/secret"
)

// Answers reads the flags that answer what fixes leave open.
func Answers(f Set, command string) (check.Answers, error) {
	a := check.Answers{GPU: f.StringSlice("gpu"), CPU: f.StringSlice("cpu"), Choices: map[string]string{}}
	for _, t := range a.CPU {
		if slices.Contains(a.GPU, t) {
			return a, console.Usage(command, "--gpu %s and --cpu %s: give one of them", t, t)
		}
	}
	given := f.StringSlice("choose")
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
			return a, console.Usage(command, "--choose %s: there is no question %q; the questions are %s", text, question, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		case len(allowed) > 0 && !slices.Contains(allowed, value):
			return a, console.Usage(command, "--choose %s: the answers to %q are %s", text, question, strings.Join(allowed, ", "))
		}
		a.Choices[question] = value
	}
	return a, nil
}

// KnownNames returns a *console.UsageError if --gpu or --cpu names nothing that exists: no compute target and, in v2,
// no compute and no job.
func KnownNames(ctx context.Context, command string, roots []check.Root, a check.Answers) error {
	if len(a.GPU)+len(a.CPU) == 0 {
		return nil
	}
	all, err := check.AskedNames(ctx, roots)
	if err != nil {
		return err
	}
	return cmp.Or(KnownTargets(command, "gpu", a.GPU, all.Shown, all.Also), KnownTargets(command, "cpu", a.CPU, all.Shown, all.Also))
}

// KnownTargets returns a *console.UsageError if a target named by a flag does not exist. The error lists names, which
// the user may also give in the form of other names.
func KnownTargets(command, flag string, given, names, other []string) error {
	for _, t := range given {
		switch {
		case slices.Contains(names, t), slices.Contains(other, t):
		case t == "":
			return console.Usage(command, "--%s needs the name of a compute target", flag)
		case len(names) == 0:
			return console.Usage(command, "--%s %s: there are no compute targets%s", flag, t, numberOf(command, t))
		default:
			shown := make([]string, len(names)) // a name may contain unusual characters
			for i, name := range names {
				shown[i] = secret.HideValue(name)
			}
			return console.Usage(command, "--%s %s: there is no compute target of this name%s\nThere are: %s",
				flag, t, cmp.Or(numberOf(command, t), ui.DidYouMean(t, shown)), ui.ShortList(shown))
		}
	}
	return nil
}

// numberOf asks whether a number that was given as a target of amlfix run is a number of GPUs.
func numberOf(command, target string) string {
	if _, err := strconv.Atoi(target); command == "run" && (err == nil || target == "all" || target == "none") {
		return "; did you mean --gpus " + target + "?"
	}
	return ""
}
