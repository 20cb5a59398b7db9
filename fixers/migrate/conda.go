package migrate

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/condaenv"
	"github.com/amlfix/amlfix/fixers/migrate/solve"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/requirement"
)

// Conda is a cleaned conda environment.
type Conda struct {
	// Name is the file's name, unique within the migration.
	Name string
	// Source is where it comes from.
	Source *schema.Environment
	// GPU means that its packages use a GPU; Spark means that the session's own Python is used.
	GPU, Spark bool
	// CNTK means that it can only be installed on an old system.
	CNTK bool
	// Jobs are the jobs that use it.
	Jobs []*Job
	// Text is the content of the file.
	Text []byte
	// Items are the requirements in the file; Python is the version that it installs, or "".
	Items  []requirement.Requirement
	Python string
	// Added are the packages that are in no source file, with the reason.
	Added []condaenv.Added

	// Verdict is a resolver's result for pip's part; nil if none was run.
	Verdict *solve.Verdict

	base  condaenv.Base
	more  *schema.Environment // what a program adds to it
	lost  []string            // what it changes in a way that is not carried over
	named []string            // packages that the user names
	notes []condaenv.NodeNote // added to the ledger once the file's name is known

	checkedFor string // the Python version that the resolver ran for
}

// environments determines what each job runs in: image, conda file, Dockerfile.
func (m *Migration) environments() {
	for _, j := range m.all() {
		if m.readImage(j); j.Registered == "" {
			m.askLost(j)
		}
		if j.Registered != "" {
			m.readInterpreter(j)
			continue
		}
		m.readDockerfile(j)
		m.readInterpreter(j)
		if m.usesConda(j) {
			m.useConda(j)
		}
	}
	for _, c := range m.Conda {
		m.clean(c)
	}
	m.joinCondas()
	m.nameCondas()
	for _, j := range m.all() {
		if j.Conda != nil && j.Conda.CNTK && j.Dockerfile == nil && j.Image.Replaced {
			j.Dockerfile = cntkDockerfile(j)
		}
		m.extendDockerfile(j)
		m.tellImage(j)
	}
}

// usesConda reports whether the job's conda file is installed for it.
func (m *Migration) usesConda(j *Job) bool {
	s := j.Source
	t := s.Target
	if at := m.installed(j); at.Explicit && !j.Spark {
		m.askExported(j, at)
		return false
	}
	if s.Environment == nil || !s.Environment.Node.IsMapping() {
		if t != nil && t.UserManaged.Bool && !t.Container() && !t.Image.Explicit && !m.lost(j, lostImages...).Explicit && j.Place == OnLocal && !j.Spark && !j.Part && s.Dialect == schema.SDKv1 {
			m.askInstalled(j)
			return false
		}
		if t != nil && t.UserManaged.Bool && !j.Spark {
			m.Ledger.Map(j.Name, "no conda file", "the image must contain all packages", t.UserManaged)
		}
		m.askCondaFile(j)
		return false
	}
	switch {
	case t == nil:
		return true
	case t.Type.Text == "local" || t.Type.Text == "remote" || t.UserManaged.Bool && !t.Container() && j.Place == OnLocal:
		return m.askEnvironment(j)
	case t.UserManaged.Bool:
		m.Ledger.Drop(j.Name, "the user of the target manages its packages", s.CondaPath)
		if !j.Spark {
			m.Ledger.Map(j.Name, "no conda file", "the image must contain all packages", t.UserManaged)
		}
		if onlyUser(s.Environment) {
			m.Ledger.Node(account.Note{For: j.Name, Disposition: account.Dropped, Why: "the user of the target manages its packages"}, s.Environment.Node)
		}
		return false
	}
	return true
}

// askCondaFile asks about a conda file that a job names but that is missing or contains no environment: without its
// packages, the script fails at its first import.
func (m *Migration) askCondaFile(j *Job) {
	s := j.Source
	if !s.CondaPath.Explicit || s.CondaPath.Text == "" || s.Target != nil && s.Target.UserManaged.Bool || j.Spark || j.Dockerfile != nil {
		return
	}
	why := "which does not exist"
	if s.Environment != nil {
		why = "which is not a conda environment"
	}
	m.Decide(&account.Question{ID: "conda-file", Scope: j.Name, Ask: "Which packages does the job need?", Choices: []string{"none"},
		Why: account.Place(s.CondaPath) + " names " + account.Name(s.CondaPath.Text) + ", " + why + ": fix that and migrate again; `none` installs nothing"})
	m.Ledger.Decide(j.Name, "nothing is installed", "conda-file", s.CondaPath)
}

// askInstalled asks about the packages of a job that ran in the Python of this computer, of which no file lists any.
func (m *Migration) askInstalled(j *Job) {
	s := j.Source
	m.Decide(&account.Question{ID: "conda-file", Scope: j.Name, Ask: "Which packages does the job need?", Choices: []string{"none"},
		Why: account.Place(s.Target.UserManaged) + " says that they are in the Python of this computer, which the new job does not use: list them in a conda file there, and migrate again; `none` installs nothing"})
	m.Ledger.Decide(j.Name, "nothing is installed", "conda-file", s.Target.UserManaged, s.CondaPath)
}

// installedKey is the key with the name of a conda environment of this computer that a program copies.
const installedKey = "installed"

// installed returns the name of the conda environment that a job's own one is copied from.
func (m *Migration) installed(j *Job) (f schema.Field) {
	for _, of := range []*schema.File{j.Source.File.Uses, j.Source.File} {
		if python := of.Root().Get("python"); m.built[of] != nil && python != nil && !f.Explicit {
			f = schema.FieldAt(of, python, installedKey)
		}
	}
	return f
}

// askExported asks about packages that the program lists when it runs.
func (m *Migration) askExported(j *Job, at schema.Field) {
	export := "`conda env export --no-builds --name " + escape.Word(at.Text) + " > environment.yml`"
	m.Decide(&account.Question{ID: "conda-file", Scope: j.Name, Ask: "Which packages does the job need?", Choices: []string{"none"},
		Why: account.Place(at) + " copies those that a conda environment of this computer has: export it with " + export + ", call Environment.from_conda_specification with that file instead, and migrate again; `none` installs nothing"})
	m.Ledger.Decide(j.Name, "nothing is installed", "conda-file", at)
}

// onlyUser reports whether at most one of the migrated jobs uses an environment.
func onlyUser(e *schema.Environment) bool {
	n := 0
	for _, j := range e.Jobs {
		if j.Dialect != schema.V2 {
			n++
		}
	}
	return n == 1
}

// askEnvironment asks what to install for a job that used what was installed on its machine.
func (m *Migration) askEnvironment(j *Job) bool {
	s := j.Source
	answer, _ := m.Decide(&account.Question{ID: "environment", Scope: j.Name, Ask: "Which packages does the job find installed?", Default: "conda", Choices: []string{"conda", "image"},
		Why: "the job used the packages on its machine, which no file lists; `conda` installs the conda file, `image` installs nothing"})
	m.Ledger.Decide(j.Name, "installed: "+answer, "environment", s.Target.UserManaged)
	if answer != "conda" {
		m.Ledger.Decide(j.Name, "nothing is installed", "environment", s.CondaPath)
		if onlyUser(s.Environment) {
			m.Ledger.Node(account.Note{For: j.Name, Disposition: account.Decided, Result: "not installed", Why: "decision `environment`"}, s.Environment.Node)
		}
	}
	return answer == "conda"
}

// useConda sets the conda environment of a job, creating it if needed.
func (m *Migration) useConda(j *Job) {
	e, more, named, lost := j.Source.Environment, m.morePackages(j), m.askPackages(j), m.lostCalls(j)
	for _, c := range m.Conda {
		if c.Source == e && (c.more == more || c.more != nil && more != nil && c.more.Node == more.Node) && slices.Equal(c.named, named) && slices.Equal(c.lost, lost) && c.GPU == j.GPU && c.Spark == j.Spark && c.Jobs[0].Serves == j.Serves && c.base == j.Image.Base {
			j.Conda = c
			c.Jobs = append(c.Jobs, j)
			return
		}
	}
	j.Conda = &Conda{Source: e, more: more, named: named, lost: lost, GPU: j.GPU, Spark: j.Spark, base: j.Image.Base, Jobs: []*Job{j}}
	m.Conda = append(m.Conda, j.Conda)
}

// clean writes an environment without what is gone.
func (m *Migration) clean(c *Conda) {
	in := condaenv.Input{Serves: slices.ContainsFunc(c.Jobs, func(j *Job) bool { return j.Serves }), Source: c.Source, Program: c.more, Named: c.named, Lost: c.lost, Project: m.Name(), GPU: c.GPU, Spark: c.Spark, Base: c.base, GPUBase: m.Emitter.Base(true), Scripts: m.scripts, Decide: m.Decide, Refuse: m.Refuse, Answered: m.Answered, AsOf: m.Project.AsOf()}
	for _, j := range c.Jobs {
		in.Replaced = in.Replaced || j.Dockerfile == nil && j.Image.Replaced
		if strings.HasPrefix(j.Image.Old, "microsoft/mmlspark") {
			in.Preinstalled = append(in.Preinstalled, j.Script)
		}
	}
	out := condaenv.Clean(in)
	c.Text, c.CNTK, c.Added, c.notes, c.Items, c.Python = out.Text, out.CNTK, out.Added, out.Notes, out.Items, out.Python
}

// joinCondas merges environments from one file that turned out equal.
func (m *Migration) joinCondas() {
	var kept []*Conda
	for _, c := range m.Conda {
		i := slices.IndexFunc(kept, func(o *Conda) bool {
			return o.Source == c.Source && o.CNTK == c.CNTK && bytes.Equal(o.Text, c.Text)
		})
		if i < 0 {
			kept = append(kept, c)
			continue
		}
		for _, j := range c.Jobs {
			j.Conda = kept[i]
		}
		kept[i].Jobs = append(kept[i].Jobs, c.Jobs...)
		kept[i].notes = append(kept[i].notes, c.notes...)
	}
	m.Conda = kept
}

// nameCondas names each environment after its source file, with a suffix if a file has several.
func (m *Migration) nameCondas() {
	taken := map[string]bool{}
	for _, c := range m.Conda {
		base := path.Base(c.Source.File.Rel)
		stem := strings.TrimSuffix(base, path.Ext(base))
		if c.Source.File.Kind != schema.CondaFile {
			stem = "conda_dependencies_" + c.Jobs[0].Name
		}
		several := slices.ContainsFunc(m.Conda, func(o *Conda) bool { return o != c && o.Source == c.Source })
		switch {
		case !several || strings.Contains(strings.ToLower(stem), "gpu"):
		case c.Spark:
			stem += "_spark"
		case c.GPU:
			stem += "_gpu"
		}
		if m.Emitter.Schema(File{Path: strings.ToLower(stem) + ".yml"}) != format.Conda { // what other files are called
			stem = "conda_" + stem
		}
		name := stem + ".yml"
		if taken[strings.ToLower(name)] {
			name = stem + "_" + c.Jobs[0].Name + ".yml"
		}
		for taken[strings.ToLower(name)] {
			name = "_" + name
		}
		taken[strings.ToLower(name)] = true
		c.Name = name
		for _, n := range c.notes {
			n.For = name
			m.Ledger.Node(n.Note, n.Node)
		}
	}
	for _, j := range m.all() {
		if j.Conda != nil && j.Conda.Source.File.Kind == schema.CondaFile {
			m.Ledger.Map(j.Name, "`"+j.Conda.Name+"`", "cleaned up; see its own keys", j.Source.CondaPath)
		}
	}
}
