package migrate

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
)

// hyperdriveFile is what Related calls a HyperDrive configuration.
const hyperdriveFile = "settings of HyperDrive"

// Sweep is a HyperDrive configuration, as "az ml run submit-hyperdrive" accepted it.
type Sweep struct {
	File *schema.File
	// Root has the usable keys of File, under the names that package built uses for those of HyperDriveConfig.
	Root *document.Node

	lines []submission // that name it
}

// findSweeps returns the sweeps of each run configuration: those that submissions name, and those that a decision
// assigns to it. Only v2 has sweeps.
func (m *Migration) findSweeps(found []Related, chosen []*schema.Job) map[*schema.Job][]*Sweep {
	if m.Emitter.Format() != "v2" {
		return nil
	}
	var files []*schema.File
	for _, r := range found {
		if r.What == hyperdriveFile {
			if f := m.hyperdrive(r.File); f != nil {
				files = append(files, f)
			}
		}
	}
	sweeps := map[*schema.Job][]*Sweep{}
	for _, f := range files {
		used := false
		for _, s := range chosen {
			lines := slices.DeleteFunc(m.linesOf(s), func(l submission) bool { return l.sweep == "" || meant(l.sweep, files) != f })
			if len(lines) > 0 && (s.File.Of == "" || s.File.Of == ofLine) {
				sweeps[s] = append(sweeps[s], &Sweep{File: f, lines: lines})
				used = true
			}
		}
		if s := m.askSwept(f, chosen); !used && s != nil {
			sweeps[s] = append(sweeps[s], &Sweep{File: f})
		}
	}
	for _, list := range sweeps {
		slices.SortStableFunc(list, func(a, b *Sweep) int { return cmp.Compare(len(b.lines), len(a.lines)) })
	}
	return sweeps
}

// hyperdrive reads a HyperDrive configuration, or returns nil for a file that the CLI v1 would have rejected.
func (m *Migration) hyperdrive(name string) *schema.File {
	f := m.Project.FileAt(way(m.Project.Root, name))
	if f == nil {
		f = m.parsed(name)
	}
	if f == nil || f.Err != nil || f.Broken() || f.Of != "" || len(f.Stream.Documents) != 1 || !f.Root().Get("sampling").IsMapping() {
		return nil
	}
	return f
}

// meant returns the file that a command line names: by its path or, as in the CLI v1, by the end of its name; nil if
// there is not exactly one.
func meant(name string, files []*schema.File) (found *schema.File) {
	for _, f := range files {
		if f.Rel == path.Clean(name) {
			return f
		}
	}
	for _, f := range files {
		if !strings.HasSuffix(path.Base(f.Rel), name) {
			continue
		}
		if found != nil {
			return nil
		}
		found = f
	}
	return found
}

// askSwept asks which run configuration belongs to a file that no command line names.
func (m *Migration) askSwept(f *schema.File, chosen []*schema.Job) *schema.Job {
	if len(m.Options.Configs) > 0 || slices.ContainsFunc(plain.Both(m.submitted, m.alone), func(s submission) bool { return s.sweep != "" && meant(s.sweep, []*schema.File{f}) != nil }) {
		return nil
	}
	var names []string
	var jobs []*schema.Job
	for _, s := range chosen {
		if s.File.Of == "" && s.Dialect == schema.SDKv1 && !slices.Contains(names, s.Name) {
			names, jobs = append(names, s.Name), append(jobs, s)
		}
	}
	if len(jobs) == 0 {
		return nil
	}
	q := account.Question{ID: "sweep", Scope: f.Rel, Ask: "Which run configuration does " + account.Name(f.Rel) + " sweep?", Choices: append(slices.Clip(names), "none"), Default: "none",
		Why: "it contains HyperDrive settings, but no `az ml run submit-hyperdrive` uses it"}
	if len(names) == 1 {
		q.Default = names[0]
	}
	answer, _ := m.Decide(&q)
	if i := slices.Index(names, answer); i >= 0 {
		return jobs[i]
	}
	return nil
}

// linesOf returns the lines that submit a job.
func (m *Migration) linesOf(s *schema.Job) []submission {
	if line, ok := m.lines[s.File]; ok {
		return []submission{line}
	}
	return m.submissionsOf(s)
}

// readSwept reads a run configuration, and again for each of its sweeps. If all lines sweep it, there is no job without
// a sweep.
func (m *Migration) readSwept(s *schema.Job, sweeps []*Sweep) {
	if l := m.lowered[s.File]; l != nil {
		m.Jobs = append(m.Jobs, m.read(s, l.name, nil))
		return
	}
	if th := m.built[s.File]; th != nil && th.Alone && !m.outside() {
		j := m.read(s, m.nameOf(s), nil)
		j.Alone, j.Experiment = true, th.AloneIn
		m.Jobs = append(m.Jobs, j, m.read(s, m.nameOf(s)+"-sweep", nil))
		return
	}
	submitted := m.linesOf(s)
	alone := len(submitted) == 0 || slices.ContainsFunc(submitted, func(l submission) bool { return l.sweep == "" })
	named := slices.ContainsFunc(sweeps, func(w *Sweep) bool { return len(w.lines) > 0 })
	if plain := alone || !named; plain {
		for i, lines := range m.ways(s, submitted) {
			if i > 0 {
				m.Jobs = append(m.Jobs, m.read(s, wayName(m.nameOf(s), lines[0].script), lines))
				continue
			}
			j := m.read(s, m.nameOf(s), lines)
			m.Jobs = append(m.Jobs, j)
			m.askLine(j, submitted, named)
		}
	}
	for _, w := range sweeps {
		name, lines := m.nameOf(s), w.lines
		if len(m.Jobs) > 0 && m.Jobs[len(m.Jobs)-1].Source == s {
			name += "-sweep"
		}
		if len(lines) == 0 {
			lines = submitted
		}
		j := m.read(s, name, lines)
		m.Jobs = append(m.Jobs, j)
		m.askLine(j, lines, true)
		m.readSweep(j, w)
	}
}
