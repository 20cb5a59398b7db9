package migrate

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/binding"
)

// The folders of a container.
const (
	Inputs  = "/data/"
	Outputs = "/outputs/"
	Workdir = "/work" // the project
)

// leaving is a v2 job that is migrated to a format outside Azure.
type leaving struct {
	job  *schema.Job
	name string
	// step is the job's role in a pipeline; nil for a job in its own file. child is the step as the files describe it.
	step  *Step
	child schema.PipelineStep
	// values replace the expressions in the command.
	values map[string]binding.Value
	// missing are required inputs without a value.
	missing         []origin
	inputs, outputs []Data
	// notes are entered in the ledger once the job has its final name.
	notes []func(name string)
	order int
}

// note records what happened to fields.
func (l *leaving) note(m *Migration, result, why string, fields ...schema.Field) {
	l.notes = append(l.notes, func(name string) {
		if result == "" {
			m.Ledger.Drop(name, why, fields...)
			return
		}
		m.Ledger.Map(name, result, why, fields...)
	})
}

// readV2 migrates v2 command jobs and pipelines to a format outside Azure: each job and each step becomes a run
// configuration whose nodes are those of its files. Next to older run configurations, v2 files are their migrated form
// rather than sources.
func (m *Migration) readV2() {
	if !m.outside() || len(m.configurations()) > 0 {
		return
	}
	m.lowered = map[*schema.File]*leaving{}
	var files []*schema.File
	take := func(l *leaving, in *schema.Pipeline) {
		f, made := m.lower(l, in)
		l.order = len(m.lowered)
		m.lowered[f] = l
		files = append(files, append(made, f)...)
	}
	used := map[*schema.Job]bool{}
	folders := writtenIn{}
	written := func(f *schema.File) bool { return folders.has(f, m.Project.Boundary()) }
	own := slices.ContainsFunc(m.Project.Jobs, func(j *schema.Job) bool { return j.Dialect == schema.V2 && !written(j.File) })
	for _, f := range m.Project.Files {
		if f.V2 == "job" && !f.Broken() && m.wanted(f) && (!own || !written(f)) {
			m.again = m.again || written(f)
			m.leavePipeline(f, used, take)
		}
	}
	for _, j := range m.Project.Jobs {
		if j.Dialect != schema.V2 || used[j] || !m.wanted(j.File) || own && written(j.File) {
			continue
		}
		if j.Kind != schema.Standalone || whyLeft(j) != "" {
			m.skipV2(j)
			continue
		}
		take(&leaving{job: j, name: j.File.Name()}, nil)
	}
	if len(files) > 0 {
		m.Project = m.Project.Adding(files)
	}
}

// skipV2 records, once per file, that a v2 file is skipped.
func (m *Migration) skipV2(j *schema.Job) {
	why := "a " + j.Kind.String() + " that needs Azure ML: only command jobs and pipelines of command jobs can be written for other platforms"
	if j.V2 != nil && j.Type == "sweep" {
		why = "a sweep, which only Azure ML runs: write its trial as a command job, and run that once for each set of arguments"
	}
	if j.Kind == schema.Component {
		why = "a component that no job in the project runs"
	}
	if !slices.ContainsFunc(m.Skipped, func(s Skipped) bool { return s.File == j.File.Rel }) {
		m.Skipped = append(m.Skipped, Skipped{File: j.File.Rel, Why: why, Job: j.Kind != schema.Component})
	}
}

// leaveV2 notes why the remaining v2 files are not migrated: those that no migrated job uses and that no earlier
// migration wrote.
func (m *Migration) leaveV2() {
	if len(m.lowered) == 0 || len(m.Options.Configs) > 0 {
		return
	}
	said, written := map[string]bool{}, writtenIn{}
	for _, row := range m.Ledger.Rows {
		said[row.File.Rel] = true
	}
	for _, s := range m.Skipped {
		said[s.File] = true
	}
	for _, f := range m.Project.Files {
		if f.V2 == "" || f.Of != "" || said[f.Rel] || written.has(f, m.Project.Boundary()) {
			continue
		}
		why := "describes something in a workspace; the new files do not need it"
		switch {
		case f.V2 == "schedule":
			why = "a schedule, which only Azure ML runs: let cron, or a CronJob of Kubernetes, start what it starts"
		case f.V2 == "compute":
			why = "a compute target of Azure ML; elsewhere a job runs on other machines"
		case f.V2 == "datastore":
			why = "a datastore of Azure ML: what a job reads from it is copied or asked for"
		case strings.HasSuffix(string(f.V2), "endpoint"):
			why = "an endpoint, which only Azure ML has"
		}
		m.Skipped = append(m.Skipped, Skipped{File: f.Rel, Why: why, Job: f.V2 == "schedule"})
	}
}

// whyLeft returns the reason why a v2 job cannot run outside Azure ML, or "" if it can.
func whyLeft(j *schema.Job) string {
	switch {
	case j.Kind == schema.Trial:
		return "is a sweep, but amlfix writes only command jobs for platforms other than Azure ML"
	case j.Type == "pipeline":
		return "runs a pipeline that is not in this project"
	case j.Type != "" && j.Type != "command":
		return "is of type `" + account.Name(j.Type) + "`, but amlfix writes only command jobs for platforms other than Azure ML"
	case !j.Command.Explicit && j.Node.Get("component") != nil:
		return "runs a component that is not in this project, so its command is not known"
	case !j.Command.Explicit || !j.Command.Node.IsString():
		return "has no command"
	}
	return ""
}

// wanted reports whether the user named a file, or named none.
func (m *Migration) wanted(f *schema.File) bool {
	return len(m.Options.Configs) == 0 || slices.ContainsFunc(m.Options.Configs, func(want string) bool {
		return f.Name() == want || f.Rel == filepath.ToSlash(want) || path.Base(f.Rel) == want
	})
}

// expandV2 replaces the expressions in a v2 job's command with paths in the container.
func (m *Migration) expandV2(j *Job, l *leaving) {
	m.codeV2(j, l.job)
	j.Inputs, j.Outputs = l.inputs, l.outputs
	for _, note := range l.notes {
		note(j.Name)
	}
	command := l.exports() + l.job.Command.Text
	m.askInputs(j, l, command)
	line, err := binding.Expand(command, func(name string) (binding.Value, bool) {
		value, ok := l.values[strings.TrimSuffix(name, ".path")]
		if name == "outputs."+schema.Artifacts || name == "outputs.artifacts" {
			return m.at(path.Join(Workdir, j.Code)), true
		}
		return value, ok
	})
	if err != nil {
		answer, open := m.Decide(&account.Question{ID: "command-line", Scope: j.Name, Ask: "What is the command of the job?", Example: "'python train.py'",
			Why: account.Place(l.job.Command) + ": " + err.Error()})
		if line = answer; open {
			line = "echo " + account.Marker + "; exit 1"
		}
	}
	j.Shell = line
}

// codeV2 sets the folder of a v2 job in the project.
func (m *Migration) codeV2(j *Job, s *schema.Job) {
	j.Code = m.codeOf(s)
	if j.Code == "." && s.Code.Explicit && path.Clean(path.Join(s.Code.File.Dir(), schema.Slashes(s.Code.Text))) != "." {
		m.Ledger.Drop(j.Name, "not a folder of the project: the job starts in the project folder", s.Code)
	} else {
		m.Ledger.Map(j.Name, "the folder in which the job starts", "", s.Code)
	}
}

// codeOf returns the folder that a v2 job starts in, relative to the project's root.
func (m *Migration) codeOf(s *schema.Job) string {
	if s.Code.Explicit {
		if code := path.Join(s.Code.File.Dir(), schema.Slashes(s.Code.Text)); named(code) && m.Project.Folder(code) {
			return code
		}
	}
	return "."
}
