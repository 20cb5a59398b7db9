package migrate

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/fixers/migrate/condaenv"
	"github.com/amlfix/amlfix/fixers/migrate/solve"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

// Emitter writes the files of one format.
type Emitter interface {
	// Format returns the word that selects it: "v2".
	Format() string
	// Title returns the name of the format in sentences: "Azure ML v2".
	Title() string
	// Base returns the image to use for a job whose own image is gone.
	Base(gpu bool) condaenv.Base
	// Keeps reports whether jobs in this format may use an image of the sources.
	Keeps(image string) bool
	// Schema returns the format that a file is validated against before it is written, or "" for files without one.
	Schema(f File) format.Kind
	// Emit adds the files of m.Jobs with m.Write, asks questions with m.Decide, and records in m.Ledger what happened
	// to the keys it used. It need not record keys that have no counterpart in any format.
	Emit(m *Migration) error
	// Secret returns a phrase that says where to put the value of a secret variable now.
	Secret(j *Job, v Variable) string
	// Next returns the commands that use the written files, one per line.
	Next(m *Migration) []string
}

// Options are what the user specifies in addition to the files.
type Options struct {
	// Configs are the names or paths of the run configurations to migrate; if empty, all are migrated.
	Configs []string
	// Script is the script for run configurations that name none, relative to the project's folder.
	Script string
	// Out is the folder to write, as a path of the operating system; "" means azureml in the project's folder.
	Out string
	// Given is Out as the user wrote it, for Commit: links in it are not followed inside Trees. "" means Out.
	Given string
	// Trees are the folders, in addition to the project's, in which nothing is written through a link.
	Trees []string
	// Answers are the answers to decisions, by "ID" or "SCOPE/ID".
	Answers map[string]Answer
	// Resolve, if not nil, checks pip's part of every environment.
	Resolve solve.Resolver
	// RewriteScripts means that scripts are rewritten in place, instead of a diff being written.
	RewriteScripts bool
}

// File is a file to write.
type File struct {
	// Path is slash-separated and relative to the folder that is written.
	Path string
	Text []byte
}

// Migration is a project that is being migrated.
type Migration struct {
	Project *schema.Project
	// Read is the project as its files describe it, without what programs build.
	Read    *schema.Project
	Options Options
	Emitter Emitter
	// Jobs are the jobs to write, ordered by file.
	Jobs []*Job
	// Parts are jobs of which only the environment or the compute target is written, because no job uses it. Assets are
	// compute targets and data that are described outside jobs.
	Parts  []*Job
	Assets []*Asset
	// Pipelines are the pipelines; their steps are among the jobs.
	Pipelines []*Pipeline
	// Services are the web services, each with a part for its environment.
	Services []*WebService
	// Conda are the conda files that the jobs use, without duplicates.
	Conda []*Conda
	// Ledger accounts for every key of the sources.
	Ledger *account.Ledger
	// Decisions are in the order in which they were asked.
	Decisions []*account.Decision
	// ScriptIssues are the places in scripts that will no longer work.
	ScriptIssues []ScriptIssue
	// Rewritten are the scripts that are rewritten, or that the diff rewrites.
	Rewritten []Rewritten
	// Skipped are the files of the configuration folders that are not sources, with the reason.
	Skipped []Skipped
	// Refused are the pipelines that are not migrated, with the reason.
	Refused []Skipped
	// Related are the other files of the repository that concern Azure ML.
	Related []Related
	// Taken are the files that only notebooks contained.
	Taken []Taken
	// Ignore is the .amlignore that is written to the project's folder together with a new folder; nil for none.
	Ignore []byte
	// Files are the files to write, including MIGRATION.md, sorted by path.
	Files []File
	// Listed means that there is nothing to write except the list of what was found.
	Listed bool

	scripts    *scripts
	built      map[*schema.File]*built.Thing
	made       []*schema.File               // by command lines
	lines      map[*schema.File]submission  // those that became jobs
	serving    map[*schema.File]*WebService // by the file of their part
	lowered    map[*schema.File]*leaving    // v2 jobs, by the file that stands for them
	submitted  []submission
	named      map[string][]submission // the same, by the last word of the run configuration's path
	unsearched unsearched
	alone      []submission            // those that name no run configuration
	pipelines  map[string]*schema.File // by the path of the file
	refused    map[string]string       // why a pipeline is not migrated, by its path
	users      map[*schema.File][]*Job // by their files, once all are read
	home       string                  // the folder in which the project was found
	ignores    bool                    // amlfix wrote the project's .amlignore
	used       map[string]bool
	asked      map[[4]string]*account.Decision
	written    map[string]bool         // the paths of Files
	known      map[string]string       // the names of assets by their kind and values
	names      map[string]*plain.Names // of jobs and pipelines, services, and each kind of asset
	errs       []error
}

// Skipped is a file that was not migrated.
type Skipped struct {
	File, Why string
	// Unread means that the file may describe a job but cannot be read; Job means that it is a job that the new format
	// cannot express.
	Unread, Job bool
}

// DefaultOut is the folder that is written if none is named.
const DefaultOut = "azureml"

// MaxValues is the maximum number of values in the files of a project: each has a row in the audit, and nobody reads
// more.
const MaxValues = 20_000

// tooLarge returns an error for a project with more than MaxValues.
func tooLarge(files []*schema.File, root string) error {
	sum, most, values, written := 0, "", map[string]int{}, map[string]bool{}
	for _, f := range files {
		dir := filepath.Dir(f.Path)
		if _, known := written[dir]; !known {
			written[dir] = Written(dir, root)
		}
		if f.Stream == nil || written[dir] {
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

// New reads a project and creates its files in the emitter's format, without writing them to disk. The error is an
// *AnswerError or *ConfigError if the options do not fit the project; any other error says which file cannot be read.
func New(p *schema.Project, e Emitter, opts Options) (*Migration, error) {
	if err := tooLarge(p.Files, p.Root); err != nil {
		return nil, err
	}
	home := p.Root
	submitted, made, found, left := readSubmissions(p.Boundary(), p.Root, cmp.Or(opts.Out, filepath.Join(p.Root, DefaultOut)))
	submitted, lone := alone(submitted)
	p = rooted(p, submitted)
	for _, list := range [][]submission{submitted, lone} {
		for i, s := range list {
			list[i].at = account.Name(way(p.Root, s.file)) + ":" + strconv.Itoa(s.line)
		}
	}
	opts.Out = cmp.Or(opts.Out, filepath.Join(p.Root, DefaultOut))
	opts.Trees = append([]string{p.Root}, opts.Trees...)
	m := &Migration{Project: p, Options: opts, submitted: submitted, alone: lone, home: home, Emitter: e, Ledger: account.New(), used: map[string]bool{}, asked: map[[4]string]*account.Decision{}, written: map[string]bool{}, names: map[string]*plain.Names{}, known: map[string]string{}}
	m.scripts = readScripts(p.Root, opts.Out)
	m.unsearched = left
	m.unsearched.add(m.scripts.left)
	m.made = m.placed(made)
	found = slices.DeleteFunc(found, m.isV2)
	found = m.readBuilt(found)
	if err := tooLarge(slices.Concat(m.Project.Files, m.made, slices.Collect(maps.Values(m.pipelines))), p.Root); err != nil {
		return nil, err
	}
	m.readV2()
	chosen, err := m.choose(found)
	if err != nil {
		return nil, err
	}
	m.rewrite()
	every := chosen
	chosen = m.readPipelines(found, chosen)
	for _, j := range chosen {
		m.source(j)
	}
	sweeps := m.findSweeps(found, chosen)
	for _, j := range chosen {
		m.readSwept(j, sweeps[j])
	}
	m.readParts()
	m.leave(every, found)
	m.leaveV2()
	m.Ignore = m.ignored()
	m.relate(found)
	m.environments()
	if err := m.solve(); err != nil {
		return nil, err
	}
	m.askRewrites()
	if err := m.checkScript(); err != nil {
		return nil, err
	}
	if err := e.Emit(m); err != nil {
		return nil, err
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	if len(m.Files) == 0 {
		m.Ignore, m.Taken = nil, nil
	}
	if patch := m.patch(); len(patch) > 0 {
		m.Write(patchFile, patch)
	}
	m.Listed = len(m.Files) == 0
	m.tellOpen()
	m.tellSweeps()
	m.Ledger.Close(m.holds)
	m.ScriptIssues = m.scripts.needs()
	if err := errors.Join(append(m.errs, m.unused())...); err != nil {
		return nil, err
	}
	known := m.hideSecrets()
	for _, d := range m.Decisions { // the command prints them
		for _, text := range []*string{&d.Ask, &d.Why, &d.Default, &d.Example} {
			*text = known.Replace(*text, secret.Mask)
		}
	}
	report := []byte(known.Replace(string(m.report()), secret.Mask))
	plain.SortFunc(m.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	m.Write(account.Report, slices.Concat(report, record(m.Files, report)))
	plain.SortFunc(m.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return m, nil
}

// fail records an error that the user has to fix, unless one with the same text is recorded.
func (m *Migration) fail(err error) {
	if !slices.ContainsFunc(m.errs, func(e error) bool { return e.Error() == err.Error() }) {
		m.errs = append(m.errs, err)
	}
}

// WriteConda adds a conda file, unless another job's call has added it.
func (m *Migration) WriteConda(c *Conda) {
	if !m.writes(c.Name) {
		m.Write(c.Name, c.Text)
	}
}

func (m *Migration) writes(name string) bool {
	return m.written[name]
}

// Write adds a file. It panics if there is a file with this path, because that is a bug in the emitter.
func (m *Migration) Write(name string, text []byte) {
	if m.writes(name) {
		panic("migrate: two files would be written as " + name)
	}
	m.written[name] = true
	m.Files = append(m.Files, File{name, text})
}

// Up returns a slash-separated path of the project relative to the written folder: "../train.py". The result is
// absolute if there is no relative path, as between two Windows drives.
func (m *Migration) Up(rel string) string {
	return way(m.Options.Out, filepath.Join(m.Project.Root, filepath.FromSlash(rel)))
}

// way returns a path relative to a folder, with slashes, or the absolute path if there is no relative one.
func way(from, to string) string {
	folder, err1 := filepath.Abs(from)
	target, err2 := filepath.Abs(to)
	rel, err3 := filepath.Rel(folder, target)
	if errors.Join(err1, err2, err3) != nil {
		return filepath.ToSlash(target)
	}
	return filepath.ToSlash(rel)
}

// down returns the written folder relative to the project's folder.
func (m *Migration) down() string { return way(m.Project.Root, m.Options.Out) }

// Open returns the decisions that have no answer and no default.
func (m *Migration) Open() (open []*account.Decision) {
	for _, d := range m.Decisions {
		if d.Open() {
			open = append(open, d)
		}
	}
	return open
}

// Marks returns a comment line with the Marker for each open decision about a job that marked, the lines already
// written, does not mention.
func (m *Migration) Marks(j *Job, marked []string) (lines []string) {
	if slices.ContainsFunc(marked, func(line string) bool { return strings.Contains(line, account.Marker) }) {
		return nil // one is enough to lead to MIGRATION.md
	}
	for _, d := range m.Open() {
		if slices.Contains(d.Scopes, j.Name) || j.Step != nil && j.Step.In != nil && slices.Contains(d.Scopes, j.Step.In.Name) {
			lines = append(lines, account.Marker+": "+d.Ask+" See "+account.Report)
		}
	}
	return lines
}

// Name returns the name of the project's folder in lowercase letters, digits and dashes.
func (m *Migration) Name() string {
	abs, err := filepath.Abs(m.Project.Root)
	if err != nil {
		abs = m.Project.Root
	}
	return account.Slug(filepath.Base(abs))
}

// ConfigError reports that a run configuration cannot be migrated as asked.
type ConfigError struct{ Text string }

func (e *ConfigError) Error() string { return e.Text }

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
		return nil, &ConfigError{fmt.Sprintf("%s: no job of this project can be written for %s: %s: %s", m.Project.Root, m.Emitter.Title(), left.File, left.Why)}
	case len(names) == 0:
		already := ""
		if slices.ContainsFunc(m.Project.Files, func(f *schema.File) bool { return f.V2 != "" }) {
			already = "; its files are those of Azure ML v2"
		}
		for _, th := range m.built {
			if th.Kind == built.Pipeline {
				already = "; " + m.withoutPipelines() + ", or use --to v2"
			}
		}
		return nil, &ConfigError{m.Project.Root + ": there is no run configuration to migrate" + already}
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

// source adds the files that describe a job to the ledger.
func (m *Migration) source(j *schema.Job) {
	for _, f := range sources(j) {
		if !m.isPart(f) && f.Of != f.Rel {
			m.Ledger.Add(f)
		}
	}
}

func sources(j *schema.Job) (files []*schema.File) {
	add := func(f *schema.File) {
		if f != nil && !slices.Contains(files, f) {
			files = append(files, f)
		}
	}
	add(j.File)
	add(j.EnvironmentFile)
	if j.Target != nil {
		add(j.Target.File)
	}
	if j.Environment != nil {
		add(j.Environment.File)
	}
	add(j.Spark)
	return files
}

// isNew reports whether a file has none of the old formats, or belongs only to a v2 file: an earlier migration may have
// written it.
func (m *Migration) isNew(f *schema.File) bool {
	switch f.Kind {
	case schema.Compute, schema.RunConfig, schema.SparkFile, schema.Unknown:
		return false
	case schema.CondaFile:
	default:
		return true
	}
	return Written(filepath.Dir(f.Path), m.Project.Root) || slices.ContainsFunc(m.Project.V2Environments, func(e *schema.V2Environment) bool {
		return e.File == f || e.Conda != nil && e.Conda.File == f
	})
}

// leave accounts for the files that no chosen job uses. If everything is migrated, those that another file would use
// are sources too, and their keys are dropped. Files that Related describes in more detail are left to it.
func (m *Migration) leave(chosen []*schema.Job, found []Related) {
	more := map[string]bool{}
	for _, r := range found {
		more[way(m.Project.Root, r.File)] = r.What == hyperdriveFile || r.What == pipelineFile || more[way(m.Project.Root, r.File)]
	}
	for _, f := range m.Project.Files {
		switch {
		case m.Ledger.Has(f):
		case m.isNew(f):
		case f.Err != nil:
			m.Skipped = append(m.Skipped, Skipped{File: f.Rel, Why: f.ReadError(), Unread: true})
		case f.Kind == schema.Unknown && more[f.Rel]:
		case f.Kind == schema.Unknown:
			m.Skipped = append(m.Skipped, Skipped{File: f.Rel, Why: "not a job file"})
		case f.Of != "":
		case len(chosen) < len(m.configurations()):
			m.Skipped = append(m.Skipped, Skipped{File: f.Rel, Why: "not used by the chosen run configurations"})
		case f.Root() == nil || f.Kind == schema.RunConfig:
			m.Skipped = append(m.Skipped, Skipped{File: f.Rel, Why: "it cannot be read: fix it first (amlfix shows what is wrong), then migrate again", Unread: true})
		default:
			m.Ledger.Add(f)
			for _, root := range f.Stream.Documents {
				m.Ledger.Node(account.Note{Disposition: account.Dropped, Why: "no run configuration uses this file"}, root)
			}
		}
	}
}
