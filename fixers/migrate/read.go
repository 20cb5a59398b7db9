package migrate

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

// read converts a job of the sources, together with the lines that submit it, to one to write.
func (m *Migration) read(s *schema.Job, name string, submitted []submission) *Job {
	j := &Job{Name: m.uniqueName(name), Source: s, Nodes: 1, Code: ".", Interpreter: "python", Target: s.TargetName.Text, submitted: submitted}
	m.nameData(j)
	if t := s.Target; t != nil {
		j.GPU, j.Place = t.GPU(), placeOf(s)
		m.askGPU(j)
		if l := m.lowered[s.File]; l != nil {
			j.GPU = l.job.Target.GPU()
			j.GPUs, _ = l.job.Target.GPUs()
			j.Step = l.step
		}
	} else {
		j.Place = OnTarget
	}
	if s.EnvironmentFile != nil {
		m.Ledger.Map(j.Name, "the environment; see its own keys", "", s.EnvironmentPath)
	}
	if strings.EqualFold(s.Framework.Text, "R") {
		j.Interpreter = "Rscript"
	}
	m.readMachine(j)
	m.readProgram(j)
	m.readSpark(j)
	j.Variables = m.variables(j)
	m.readSubmitted(j)
	j.Share = m.scripts.mentions(j.Script, ShareVariable)
	m.readScale(j)
	m.readData(j)
	m.readDatasets(j)
	m.askStepNodes(j)
	return j
}

// uniqueName returns name, with a suffix if another job or pipeline has it.
func (m *Migration) uniqueName(name string) string { return m.called("job", cmp.Or(fit(name), "job")) }

// called returns name, with a suffix if something else of the same kind has it.
func (m *Migration) called(kind, name string) string {
	if m.names[kind] == nil {
		m.names[kind] = &plain.Names{Sep: "-", Fold: true}
	}
	return m.names[kind].Take(name)
}

func placeOf(s *schema.Job) Place {
	if s.Dialect == schema.SDKv1 {
		switch strings.ToLower(s.TargetName.Text) {
		case "local":
			return OnLocal
		case "amlcompute":
			return OnTheFly
		case "containerinstance":
			return OnInstance
		}
		return OnTarget
	}
	switch s.Target.Type.Text {
	case "cluster":
		return OnCluster
	case "remotedocker", "virtualmachine", "remote":
		return OnMachine
	case "amlcompute":
		return OnTheFly
	case "containerinstance":
		return OnInstance
	}
	return OnLocal
}

// readProgram determines what is run.
func (m *Migration) readProgram(j *Job) {
	m.readCode(j)
	if m.readOwnCommand(j) {
		return
	}
	over := j.overriding()
	m.readArguments(j, over)
	folder := m.submittedFolder(j)
	if folder != "" {
		j.Code = folder
	}
	if m.readScript(j, over); folder != "" && !strings.HasPrefix(j.Script, folder+"/") {
		j.Code = "."
	}
}

// submittedFolder returns the folder of the code that a line which submits a job names, if the script is in it.
func (m *Migration) submittedFolder(j *Job) string {
	for _, s := range j.submitted {
		script := s.script // which is in the folder already
		if script == "" {
			script = path.Join(s.folder, schema.Slashes(j.Source.Script.Text))
		}
		if folder := path.Clean(s.folder); folder != "." && m.built[j.Source.File] == nil && strings.HasPrefix(script, folder+"/") && m.has(script) {
			return folder
		}
	}
	return ""
}

// readOwnCommand reads the command of a job that has one.
func (m *Migration) readOwnCommand(j *Job) bool {
	s := j.Source
	switch {
	case len(s.SDK.CommandWords) > 0:
		for i, w := range s.SDK.CommandWords {
			word, open := m.openWord(j, w, "word "+strconv.Itoa(i+1)+" of the command", i+1)
			if !open {
				word = m.word(j, w)
			}
			j.Command = append(j.Command, word)
		}
		j.Command = forShell(j.Command)
		m.readCommand(j, shellLine(j.Command), s.Command)
		m.Ledger.Map(j.Name, "the command", "", s.Command)
		m.Ledger.Drop(j.Name, "`command` is run instead", append([]schema.Field{s.Script}, s.Arguments...)...)
		return true
	case strings.TrimSpace(s.Command.Text) != "":
		j.Shell = s.Command.Text
		if l := m.lowered[s.File]; l != nil {
			m.expandV2(j, l)
		}
		if m.hidesIn(s.Command) {
			j.Shell, _ = m.secretWord(s, s.Command).Text()
		}
		m.readCommand(j, s.Command.Text, s.Command)
		result := "the command, unchanged"
		if j.Shell != s.Command.Text && m.lowered[s.File] != nil {
			result = "the command, with its inputs and outputs filled in"
		}
		m.Ledger.Map(j.Name, result, "", s.Command)
		m.Ledger.Drop(j.Name, "`command` is run instead", append([]schema.Field{s.Script}, s.Arguments...)...)
		return true
	}
	return false
}

// readArguments reads the arguments of the script, unless a submission has others.
func (m *Migration) readArguments(j *Job, over *submission) {
	arguments := j.Source.Arguments
	if over != nil && m.replaces(over.arguments, arguments) {
		m.Ledger.Drop(j.Name, over.at+" submits other arguments", arguments...)
		for _, word := range over.arguments {
			j.Arguments = append(j.Arguments, m.wordOf(j, word))
		}
		arguments = nil
	}
	for i, a := range arguments {
		if word, open := m.openWord(j, a, scriptArgument(i+1), i+1); open {
			j.Arguments = append(j.Arguments, word)
			continue
		}
		if j.Source.Dialect == schema.Workbench && a.Text == "$file" {
			j.Arguments = append(j.Arguments, m.chosenFile(j, a, i+1))
			continue
		}
		j.Arguments = append(j.Arguments, m.word(j, a))
		if !m.hidesIn(a) {
			m.Ledger.Map(j.Name, scriptArgument(i+1), "", a)
		}
	}
	if lost := m.lost(j, "arguments", "script_params"); lost.Explicit {
		m.askGiven(j, lost)
	}
}

// chosenFile asks for an argument that Workbench replaced with the script named at submission.
func (m *Migration) chosenFile(j *Job, f schema.Field, n int) Word {
	q := account.Question{ID: "argument-" + strconv.Itoa(n), Scope: j.Name, Ask: "What is " + scriptArgument(n) + "?", Default: m.Options.Script, Example: "train.py",
		Why: account.Place(f) + " has $file, which stands for the script that was given at submission"}
	for _, s := range j.submitted {
		if q.Default == "" && m.has(s.script) {
			q.Default, q.Why = s.script, q.Why+"; "+s.at+" submits "+s.script
		}
	}
	answer, open := m.Decide(&q)
	if open {
		answer = account.Marker
	}
	m.Ledger.Decide(j.Name, scriptArgument(n), q.ID, f)
	return m.wordOf(j, answer)
}

// readScript determines the script, unless a submission has another one.
func (m *Migration) readScript(j *Job, over *submission) {
	s := j.Source
	name := strings.TrimSpace(s.Script.Text)
	if name == "" || strings.HasPrefix(name, "$") {
		m.askScript(j)
		return
	}
	if over != nil && m.has(over.script) && over.script != path.Join(j.Code, schema.Slashes(name)) {
		j.Script = over.script
		m.Ledger.Drop(j.Name, over.at+" submits "+account.Name(over.script)+" instead", s.Script)
		return
	}
	j.Script = path.Clean(path.Join(j.Code, schema.Slashes(name)))
	if !m.has(j.Script) || isNotebook(j.Script) {
		m.askMissing(j)
		return
	}
	m.askInstead(j, j.noFolder)
	m.Ledger.Map(j.Name, "the script of the command", "", s.Script)
}

// readSpark decides whether the job runs on Spark. "Framework: PySpark" alone proves nothing: the template has it.
func (m *Migration) readSpark(j *Job) {
	s := j.Source
	if len(j.Command) > 0 || j.Shell != "" {
		return
	}
	imports, known := m.scripts.Imports(j.Script, "pyspark")
	pyspark := strings.EqualFold(s.Framework.Text, "PySpark") && (s.Framework.Explicit || s.Dialect == schema.Workbench)
	switch {
	case j.Place == OnCluster:
		j.Spark = true
		m.Ledger.Map(j.Name, "a Spark job", "the target is a cluster", s.Framework)
	case known && imports:
		j.Spark = true
		m.Ledger.Map(j.Name, "a Spark job", "the script imports pyspark", s.Framework)
	case pyspark && known:
		m.Ledger.Drop(j.Name, "PySpark is the template's default; "+j.Script+" does not import it", s.Framework)
	case pyspark && s.Framework.Explicit:
		answer, _ := m.Decide(&account.Question{
			ID: "spark", Scope: j.Name, Ask: "Does the job use Spark?", Default: "no", Choices: []string{"no", "yes"},
			Why: account.Place(s.Framework) + " says PySpark, which is the template's default; the script could not be read here",
		})
		j.Spark = answer == "yes"
		m.Ledger.Decide(j.Name, "Spark: "+answer, "spark", s.Framework)
	}
}

// variables returns the environment variables; a duplicate takes the last position.
func (m *Migration) variables(j *Job) (list []Variable) {
	at := map[string]int{}
	for _, v := range j.Source.Variables {
		value := argumentText(v.Value.Node)
		switch {
		case !v.Value.Explicit || v.Name == "EXAMPLE_ENV_VAR":
			continue
		case v.Value.Node.Resolve().Kind != document.Scalar:
			m.Ledger.Drop(j.Name, "not text", v.Value)
			continue
		}
		if item, is, kept := m.evaluated(j, v); is {
			if kept {
				list = append(list, item)
			}
			continue
		}
		item := Variable{Name: v.Name, Source: v.Value, Secret: v.Value.Node.Tag() == built.Open && secret.NameIsSecret(v.Name)}
		if !item.Secret { // otherwise the question about the secret is enough
			if text, open := m.openText(j, v.Value, "value-"+account.Slug(v.Name), "the environment variable "+account.Name(v.Name)); open {
				value = text
			}
			item.Value, item.Secret = value, secret.Variable(v.Name, value)
		}
		if item.Secret {
			item.Value = ""
		}
		if i, ok := at[v.Name]; ok {
			m.Ledger.Drop(j.Name, "overridden at "+account.Place(v.Value), list[i].Source)
			list[i] = item
			continue
		}
		at[v.Name] = len(list)
		list = append(list, item)
	}
	if lost := m.lost(j, "environmentVariables", "environment.environmentVariables"); lost.Explicit {
		list = append(list, m.askVariables(j, lost)...)
	}
	return list
}

// askVariables asks for the environment variables that a program computes together.
func (m *Migration) askVariables(j *Job, lost schema.Field) (list []Variable) {
	answer, _ := m.Decide(&account.Question{ID: "variables", Scope: j.Name, Ask: "Which other environment variables does the job get?", Example: "'NAME=VALUE'", OrNone: true, About: account.Place(lost),
		Why: account.Place(lost) + " computes them; `none` for none"})
	m.Ledger.Decide(j.Name, "", "variables", lost)
	for _, word := range splitWords(answer, "") {
		name, value, is := strings.Cut(word, "=")
		if !is && word != "none" || is && !IsVariable(name) {
			m.Refuse("variables", answer, "write NAME=VALUE")
		} else if item := (Variable{Name: name, Value: value, Source: lost, Secret: secret.Variable(name, value)}); is {
			if item.Secret {
				item.Value = ""
			}
			list = append(list, item)
		}
	}
	return list
}

// argumentText returns a scalar as it is written: to a program, the number 010 is text.
func argumentText(n *document.Node) string {
	if n = n.Resolve(); n != nil && n.Kind == document.Scalar {
		return n.Value
	}
	return ""
}
