package migrate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/secret"
)

// mostWays is the maximum number of jobs that a run configuration becomes; real projects submit one a few times.
const mostWays = 50

// ways splits the lines that submit a run configuration into lists, one for each job: lines with other scripts,
// arguments or targets submit other jobs. Lines that do not say what they run count only if there are no others.
func (m *Migration) ways(s *schema.Job, lines []submission) (list [][]submission) {
	at := map[string]int{}
	for _, l := range lines {
		if !l.command || l.sweep != "" || !m.has(l.script) || slices.ContainsFunc(l.words, func(w string) bool { return strings.HasPrefix(w, "<") }) {
			continue
		}
		words := []string{cmp.Or(l.target, s.TargetName.Text), l.script}
		if words = append(words, l.arguments...); len(l.arguments) == 0 {
			for _, a := range s.Arguments {
				words = append(words, argumentText(a.Node))
			}
		}
		key := strings.Join(words, "\x00")
		i, known := at[key]
		if !known {
			i, list = len(list), append(list, nil)
			at[key] = i
		}
		list[i] = append(list[i], l)
	}
	if len(list) == 0 || m.Options.Script != "" {
		return [][]submission{lines}
	}
	if len(list) > mostWays {
		m.fail(&ConfigError{fmt.Sprintf("%s is submitted in %d different ways, but at most %d can be migrated: remove lines such as %s, or name one script with --script", account.Name(s.File.Rel), len(list), mostWays, list[mostWays][0].at)})
		return list[:1]
	}
	return list
}

// wayName returns the name of a job after the first, which runs a script.
func wayName(name, script string) string {
	if own := stem(script); own != name {
		return name + "-" + own
	}
	return name
}

// overriding returns the line whose script and arguments the CLI v1 used instead of those in the run configuration, or
// nil.
func (j *Job) overriding() *submission {
	i := slices.IndexFunc(j.submitted, func(l submission) bool { return l.sdk && l.command && l.script != "" })
	if i < 0 || j.Source.Dialect != schema.SDKv1 || j.Source.File.Of != "" {
		return nil
	}
	return &j.submitted[i]
}

// replaces reports whether the arguments in a line are known, and others than those in a run configuration.
func (m *Migration) replaces(words []string, arguments []schema.Field) bool {
	if len(words) == 0 || len(arguments) == 0 || slices.Contains(words, "") || secret.Contains(strings.Join(words, " ")) {
		return false
	}
	return !slices.EqualFunc(words, arguments, func(word string, a schema.Field) bool { return word == argumentText(a.Node) })
}
