package migrate

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
)

// MaxValues is the maximum number of values in the files of a project: each has a row in the audit, and nobody reads
// more.
const MaxValues = 20_000

// tooLarge returns an error for a project with more than MaxValues.
func tooLarge(files []*schema.File, root string) error {
	sum, most, values, written := 0, "", map[string]int{}, writtenIn{}
	for _, f := range files {
		if f.Stream == nil || written.has(f, root) {
			continue // what an earlier migration wrote is not read
		}
		sum += f.Stream.Values
		if values[f.Path] += f.Stream.Values; values[f.Path] > values[most] {
			most = f.Path
		}
	}
	if sum <= MaxValues {
		return nil
	}
	return fmt.Errorf("%s: the project's files contain %d values, but at most %d can be migrated: remove what no job needs, most of it in this file", most, sum, MaxValues)
}

// ConfigError reports that a run configuration cannot be migrated as asked.
type ConfigError struct{ Text string }

// choose returns the run configurations to migrate; none if there is something else to migrate or to list.
func (m *Migration) choose(found []Related) (chosen []*schema.Job, err error) {
	var names []string
	all := m.configurations()
	for _, j := range all {
		names = append(names, j.Name)
	}
	slices.Sort(names)
	if err := m.unwanted(); err != nil {
		return nil, err
	}
	switch {
	case len(names) == 0 && (m.bare() || m.lists(found)) && len(m.Options.Configs) == 0:
		return nil, nil
	case len(names) == 0 && m.lowered != nil && len(m.Skipped) > 0:
		left := m.Skipped[0]
		return nil, &ConfigError{fmt.Sprintf("no job of this project can be written for %s: %s: %s", m.Emitter.Title(), left.File, left.Why)}
	case len(names) == 0:
		already := ""
		if slices.ContainsFunc(m.Project.Files, func(f *schema.File) bool { return f.V2 != "" }) {
			already = "; the project's files are Azure ML v2 files"
			if m.lowered == nil {
				already += ", which --to compose, --to k8s and --to skypilot read"
			}
		}
		switch {
		case m.builds(built.Pipeline):
			already = "; " + m.withoutPipelines()
		case m.builds(built.AutoML):
			already = "; " + m.withoutAutoML()
		case m.builds(built.Service):
			already = "; --to v2 writes its web services"
		}
		return nil, &ConfigError{"there is no run configuration to migrate" + already}
	case m.lowered != nil && len(names) > 0:
		chosen = slices.Clone(all)
		slices.SortStableFunc(chosen, func(a, b *schema.Job) int { return cmp.Compare(m.orderOf(a), m.orderOf(b)) })
		return chosen, nil
	case len(m.Options.Configs) == 0:
		return slices.Clone(all), nil
	}
	for _, want := range m.Options.Configs {
		i := slices.IndexFunc(all, func(j *schema.Job) bool {
			return j.Name == want || j.File.Rel == filepath.ToSlash(want) || path.Base(j.File.Rel) == want
		})
		if i < 0 {
			return nil, &ConfigError{fmt.Sprintf("there is no run configuration %q; there are: %s", want, strings.Join(slices.Compact(names), ", "))}
		}
		if !slices.Contains(chosen, all[i]) {
			chosen = append(chosen, all[i])
		}
	}
	slices.SortStableFunc(chosen, func(a, b *schema.Job) int { return cmp.Compare(a.File.Rel, b.File.Rel) })
	return chosen, nil
}

// builds reports whether a program builds something of a kind.
func (m *Migration) builds(kind built.Kind) bool {
	for _, th := range m.built {
		if th.Kind == kind {
			return true
		}
	}
	return false
}
