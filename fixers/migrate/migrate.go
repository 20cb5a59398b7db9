package migrate

import (
	"cmp"
	"errors"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/fixers/migrate/solve"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

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
	// outputs are the names in v2 of data that jobs register, by those that readers have.
	outputs map[string]output
	// Taken are the files that only notebooks contained.
	Taken []Taken
	// Ignore is the .amlignore that is written to the project's folder together with a new folder; nil for none.
	Ignore []byte
	// Files are the files to write, including MIGRATION.md, sorted by path.
	Files []File
	// Listed means that there is nothing to write except the list of what was found.
	Listed bool
	// Misspelt says, for people, which answers in the settings seem to be meant for a decision with another name.
	Misspelt []string

	unread     []ScriptIssue // what programs set that is not read
	scripts    *scripts
	built      map[*schema.File]*built.Thing
	grafts     map[*built.Thing]*graft
	made       []*schema.File               // by command lines
	loaded     []*schema.File               // run configurations that only a step of a pipeline loads
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
	again      bool                    // what an earlier migration to v2 wrote is migrated
	ignores    bool                    // amlfix wrote the project's .amlignore
	used       map[string]bool
	asked      map[[6]string]*account.Decision
	leaders    map[[5]string]string         // the first scope of each question
	first      map[string]*account.Decision // the first one of each id
	written    map[string]bool              // the paths of Files
	known      map[string]string            // the names of assets by their kind and values
	names      map[string]*plain.Names      // of jobs and pipelines, services, and each kind of asset
	lostOf     map[*schema.File][]string    // the calls that are not carried over, by the file that they change
	errs       []error
}

// DefaultOut is the folder that is written if none is named.
const DefaultOut = "azureml"

// New reads a project and creates its files in the emitter's format, without writing them to disk. The error is an
// *AnswerError or *ConfigError if the options do not fit the project; any other error says which file cannot be read.
func New(p *schema.Project, e Emitter, opts Options) (*Migration, error) {
	if err := tooLarge(p.Files, p.Root); err != nil {
		return nil, err
	}
	home := p.Root
	folders := listing{}
	submitted, made, found, left := readSubmissions(folders, p.Boundary(), p.Root)
	submitted, lone := alone(submitted)
	p = rooted(p, submitted)
	for _, list := range [][]submission{submitted, lone} {
		for i, s := range list {
			list[i].at = account.Name(way(p.Root, s.file)) + ":" + strconv.Itoa(s.line)
		}
	}
	opts.Out = cmp.Or(opts.Out, filepath.Join(p.Root, DefaultOut))
	opts.Trees = append([]string{p.Root}, opts.Trees...)
	m := &Migration{Project: p, Options: opts, submitted: submitted, alone: lone, home: home, Emitter: e, Ledger: account.New(), used: map[string]bool{}, asked: map[[6]string]*account.Decision{}, leaders: map[[5]string]string{}, first: map[string]*account.Decision{}, written: map[string]bool{}, names: map[string]*plain.Names{}, known: map[string]string{}, lostOf: map[*schema.File][]string{}}
	for i, s := range submitted {
		if script := path.Join(s.folder, s.script); s.config != "" && s.script != "" && m.has(script) {
			submitted[i].script = script
		}
	}
	m.scripts = readScripts(folders, p.Root)
	m.unsearched = left
	m.unsearched.add(m.scripts.left)
	m.made = m.placed(made)
	if err := m.decide(slices.DeleteFunc(found, m.isV2)); err != nil {
		return nil, err
	}
	if err := m.emit(); err != nil {
		return nil, err
	}
	m.finish()
	return m, nil
}

// decide reads what belongs to the jobs that were found, and decides what becomes of them.
func (m *Migration) decide(found []Related) error {
	found = m.readBuilt(found)
	if err := tooLarge(slices.Concat(m.Project.Files, m.made, slices.Collect(maps.Values(m.pipelines))), m.Project.Root); err != nil {
		return err
	}
	m.readV2()
	chosen, err := m.choose(found)
	if err != nil {
		return err
	}
	m.rewrite()
	every := chosen
	chosen = m.readPipelines(found, m.withoutLoaded(chosen))
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
	return m.solve()
}

// emit makes the new files and checks them.
func (m *Migration) emit() error {
	m.askRewrites()
	if err := m.checkScript(); err != nil {
		return err
	}
	if err := m.Emitter.Emit(m); err != nil {
		return err
	}
	if len(m.errs) == 0 { // otherwise an answer that is refused may be what is wrong with a file
		if err := m.check(); err != nil {
			return err
		}
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
	m.ScriptIssues = slices.DeleteFunc(slices.Concat(m.scripts.needs(), m.fixedPaths()), m.stillWorks)
	return errors.Join(append(m.errs, m.unused())...)
}

// finish masks secrets, and adds the report.
func (m *Migration) finish() {
	m.followOutputs()
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
}

// fail records an error that the user has to fix, unless one with the same text is recorded.
func (m *Migration) fail(err error) {
	if !slices.ContainsFunc(m.errs, func(e error) bool { return e.Error() == err.Error() }) {
		m.errs = append(m.errs, err)
	}
}

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

func (e *ConfigError) Error() string { return e.Text }
