package migrate

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/shell"
	"github.com/amlfix/amlfix/schema/template"
)

// scriptQuestion is the id of the question about what a job runs.
const scriptQuestion = "script"

// askScript decides what to run if the run configuration does not say: the script on the command line, in a recorded
// submission, or the only one in the project.
func (m *Migration) askScript(j *Job) {
	q := account.Question{ID: scriptQuestion, Scope: j.Name, Ask: "Which script does the job run?", Example: "train.py", Flag: "--script",
		Why: "the run configuration does not contain it: it was given at submission"}
	q.Default, q.Why = m.scripts.propose(j.submitted, q.Why)
	at := j.Source.Script
	if lost := m.lost(j, "script", "command"); lost.Explicit {
		q.Default, q.Why, at = "", "", lost
		q = m.Computed(q, lost)
	}
	if m.Options.Script != "" {
		if _, given := m.Options.Answers[j.Name+"/"+scriptQuestion]; !given {
			j.Script = path.Clean(schema.Slashes(m.Options.Script))
			m.Ledger.Map(j.Name, "`"+j.Script+"`", "from `--script`", at)
			return
		}
	}
	answer, open := m.decideScript(q)
	if open {
		m.Ledger.Decide(j.Name, "", scriptQuestion, at)
		return
	}
	j.Script = answer
	m.Ledger.Decide(j.Name, "`"+j.Script+"`", scriptQuestion, at)
}

// askMissing asks about a script that is missing or a notebook. An answer names another script, or the same one if it
// is created before the job is submitted.
func (m *Migration) askMissing(j *Job) {
	missing := j.Script
	if _, given := m.Options.Answers[j.Name+"/"+scriptQuestion]; m.Options.Script != "" && !given {
		j.Script = path.Clean(schema.Slashes(m.Options.Script))
		m.Ledger.Map(j.Name, "`"+j.Script+"`", "from `--script`", j.Source.Script)
		return
	}
	q := account.Question{ID: scriptQuestion, Scope: j.Name, Ask: "Which script does the job run?",
		Why: account.Place(j.Source.Script) + " names " + account.Name(missing) + ", which is not in the project's folder; give the same name again if it will be"}
	q.Example = missing
	if there := m.has(missing); there {
		q.Example = strings.TrimSuffix(missing, path.Ext(missing)) + ".py"
		q.Why = account.Place(j.Source.Script) + " names " + account.Name(missing) + ", a notebook, whose cells Python does not run: make a script of it with `jupyter nbconvert --to script " + account.Name(missing) + "`, and answer with that; the same name again keeps it"
		j.Fails = m.takeScript(j, q, missing)
		j.keeps = j.Fails || j.Script == missing
		return
	}
	for _, s := range j.submitted {
		if m.has(s.script) {
			q.Default, q.Why = s.script, q.Why+"; "+s.at+" submits "+s.script
			break
		}
	}
	m.proposeCopied(&q, j.Source.File.Rel, missing)
	if same := m.scripts.called(missing); len(same) > 0 && q.Default == "" {
		q.Example = same[0]
		q.Why += "; there is " + account.Name(strings.Join(same[:min(len(same), 3)], ", "))
	}
	j.Missing = m.takeScript(j, q, missing)
}

// copyCall matches the copy of a file in a program: notebooks put scripts into the folder of the code that way.
var copyCall = plain.Regexp{Text: `shutil\.copy(?:2|file)?\(\s*['"]([^'"]+)['"]`}

// proposeCopied takes a script that is missing from the folder of the code from where the program copies it, or names
// the cell of the notebook that writes it.
func (m *Migration) proposeCopied(q *account.Question, program, missing string) {
	if i := slices.IndexFunc(m.scripts.written[program], func(w writing) bool { return path.Base(w.name) == path.Base(missing) }); i >= 0 {
		q.Why += "; " + m.scripts.written[program][i].at + " writes it with %%writefile: run that cell first"
	}
	for _, call := range copyCall.Get().FindAllStringSubmatch(m.scripts.text[program], -1) {
		for _, folder := range []string{path.Dir(program), "."} {
			if from := path.Join(folder, schema.Slashes(call[1])); q.Default == "" && path.Base(from) == path.Base(missing) && m.has(from) {
				q.Default, q.Example, q.Why = from, from, q.Why+"; the program copies it from "+account.Name(from)
			}
		}
	}
}

// takeScript asks for the script that replaces a missing one, and reports whether the question is open.
func (m *Migration) takeScript(j *Job, q account.Question, missing string) bool {
	answer, open := m.decideScript(q, missing)
	if !open {
		j.Script = answer
	}
	m.Ledger.Decide(j.Name, "`"+j.Script+"`", scriptQuestion, j.Source.Script)
	return open
}

// askInstead asks whether a script in the project's folder is that of a folder that does not exist.
func (m *Migration) askInstead(j *Job, folder schema.Field) {
	if !folder.Explicit || folder.Node.Tag() == built.Open {
		return
	}
	missing := " does not exist"
	if at := schema.Slashes(folder.Text); path.IsAbs(at) || strings.HasPrefix(at, "~") || strings.HasPrefix(at, "..") || strings.Contains(at, ":") {
		missing = " is not in the project" // it may well exist
	}
	m.takeScript(j, account.Question{ID: scriptQuestion, Scope: j.Name, Ask: "Which script does the job run?", Default: j.Script, Example: j.Script,
		Why: account.Place(folder) + ": " + account.Name(folder.Text) + missing + ", but the project's folder has a script of this name"}, j.Script)
}

// checkScript returns an error if the script that the user named does not exist.
func (m *Migration) checkScript() error {
	if s := m.Options.Script; s != "" && !m.has(path.Clean(schema.Slashes(s))) {
		return &ConfigError{"--script " + s + ": there is no such file in the project's folder"}
	}
	return nil
}

// decideScript asks for a script; an answer has to exist, or be one of missing.
func (m *Migration) decideScript(q account.Question, missing ...string) (script string, open bool) {
	answer, open := m.Decide(&q)
	if open {
		return "", true
	}
	script = path.Clean(schema.Slashes(answer))
	if a, given := m.answerTo(&q); given && a.Value == answer && !m.has(script) && !slices.Contains(missing, script) {
		if a.From == FromFlag || len(missing) == 0 {
			m.fail(&AnswerError{Text: a.From + " " + q.ID + "=" + secret.HideValue(answer) + ": there is no such file in the project's folder"})
		}
	}
	return script, false
}

// readCommand finds the scripts that a command line certainly runs, and asks about missing ones.
func (m *Migration) readCommand(j *Job, line string, field schema.Field) {
	var gone []string
	for _, run := range shell.Read(line).Runs {
		name := path.Clean(path.Join(j.Code, run.Folder, run.Name))
		if below := strings.SplitN(run.Name, ".", 2); run.Module && run.Certain && !run.Made && len(below) == 2 && m.lacks(path.Join(j.Code, run.Folder, below[0]), below[1], imported{}) != "" {
			gone = append(gone, run.Name)
			continue
		}
		switch {
		case !run.Certain || run.Made || run.Module || !named(name):
		case m.has(name):
			j.runs = append(j.runs, name)
		case !slices.Contains(gone, name):
			gone = append(gone, name)
		}
	}
	if len(gone) == 0 {
		return
	}
	_, open := m.Decide(&account.Question{ID: "command", Scope: j.Name, Ask: "Will the command find " + account.Name(strings.Join(gone, ", ")) + "?", Choices: []string{"yes"},
		Why: account.Place(field) + " runs it, but it is not in the project's folder: add it there, or answer `yes` if it is created before the job is submitted"})
	j.Missing = open
}

// readSubmitted reads what was given only at submission: the target, the experiment, and the script's arguments.
func (m *Migration) readSubmitted(j *Job) {
	for _, s := range j.submitted {
		if j.Experiment == "" && s.experiment != "" && !secret.Contains(s.experiment) {
			j.Experiment = s.experiment
		}
	}
	if s := j.Source; s.Dialect == schema.SDKv1 && (!s.TargetName.Explicit || s.TargetName.Text == "" || template.In(s.TargetName.Text) || j.overridden()) {
		m.askTarget(j)
	}
	if len(j.Arguments) == 0 && j.Shell == "" && len(j.Command) == 0 {
		m.askArguments(j)
	}
}

// overridden reports whether each line that submits the job names a target other than the run configuration's.
func (j *Job) overridden() bool {
	return len(j.submitted) > 0 && !slices.ContainsFunc(j.submitted, func(s submission) bool { return s.target == "" || s.target == j.Source.TargetName.Text })
}

// askTarget asks where an SDK v1 job without a target runs: SDK v1 uses this computer unless the command line says
// otherwise.
func (m *Migration) askTarget(j *Job) {
	q := account.Question{ID: "target", Scope: j.Name, Ask: "On which compute target does the job run?", Default: "local", Example: "cpu-cluster",
		Why: account.Name(j.Source.File.Rel) + " has no target, which means this computer, unless another one was given at submission"}
	if name := j.Source.TargetName; name.Explicit && name.Node.Resolve().Kind != document.Scalar {
		q.Default, q.Why = "", account.Place(name)+" is not the name of a compute target"
	} else if name.Explicit && name.Text != "" {
		q.Default, q.Why = "", account.Place(name)+" names "+account.Name(secret.HideValue(name.Text))+", which is filled in before the file is used"
		if !template.In(name.Text) {
			q.Why = account.Place(name) + " names " + account.Name(name.Text) + ", which a submission overrides"
		}
	}
	lost := schema.FieldAt(j.Source.File, j.Source.File.Root(), "target"+built.NotLiteral)
	if run := m.lost(j, "runConfig"); run.Explicit && !lost.Explicit && !j.Source.TargetName.Explicit {
		lost = run // which has the target
	}
	if lost.Explicit {
		q.Default, q.Why = "", ""
		q = m.Computed(q, lost)
	}
	for _, s := range j.submitted {
		if s.target != "" {
			q.Default, q.Why = s.target, q.Why+"; "+s.at+" names "+account.Name(s.target)
			break
		}
	}
	if q.Default == "" && m.outside() { // any target but this computer means the same there
		j.Place = OnTarget
		m.Ledger.Drop(j.Name, "the job runs where you start it", lost)
		return
	}
	answer, open := m.Decide(&q)
	j.Target = answer
	if open {
		j.Target = account.Marker
	}
	m.Ledger.Decide(j.Name, "`compute: "+j.Target+"`", "target", j.Source.TargetName, lost)
	if j.Place = OnTarget; answer == "local" {
		j.Place = OnLocal
	}
}

// askArguments asks for the arguments of a submission: what follows the script on a command line are its arguments, but
// in a sentence that is not certain.
func (m *Migration) askArguments(j *Job) {
	for _, s := range j.submitted {
		if s.script == "" || s.script != j.Script || len(s.arguments) == 0 {
			continue
		}
		var words []string
		for _, word := range s.arguments {
			words = append(words, escape.Word(word))
		}
		text := strings.Join(words, " ")
		q := account.Question{ID: "arguments", Scope: j.Name, Ask: "Which arguments does the script get?", Default: "none", Example: strconv.Quote(secret.HideValue(text)), OrNone: true,
			Why: s.at + " submits " + account.Name(s.script) + " followed by `" + secret.HideValue(text) + "`; `none` for none"}
		switch {
		case !s.command:
			q.Why += "; this may be a sentence rather than a command"
		case slices.Contains(s.arguments, "") || secret.Contains(text):
			q.Default = "" // it contains a placeholder whose value is not known
		default:
			q.Default = text
		}
		answer, open := m.Decide(&q)
		if open {
			j.Arguments = append(j.Arguments, literal(account.Marker))
		} else if answer != "none" {
			j.Arguments = append(j.Arguments, m.wordsOf(j, answer)...)
		}
		return
	}
}
