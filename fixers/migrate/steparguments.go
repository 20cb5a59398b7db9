package migrate

import (
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
)

// given reads the arguments, or the command, of a step that a program builds.
func (p *pipelineReader) given(j *Job, n *document.Node) {
	m := p.m
	if j.Step.Kind == "DataTransferStep" {
		p.copies(j, n)
		return
	}
	words := &j.Arguments
	args := schema.FieldAt(p.f, n, "arguments")
	if command := schema.FieldAt(p.f, n, "command"); command.Explicit && command.Node.IsSequence() {
		args, words = command, &j.Command
	}
	if lost := p.lost(n, "arguments"); lost.Explicit {
		m.askGiven(j, lost)
		return
	}
	if th := m.built[j.Source.File]; !args.Explicit && th != nil && th.InStep {
		m.nameData(j)
		for i, a := range j.Source.Arguments {
			word, open := m.openWord(j, a, scriptArgument(i+1), i+1)
			if !open {
				word = m.word(j, a)
				m.Ledger.Map(j.Name, "an argument of the script", "", a)
			}
			j.Arguments = append(j.Arguments, word)
		}
		m.readData(j)
		return
	}
	for i, v := range args.Node.List() {
		f := schema.Field{File: p.f, Node: v, Explicit: true}
		word, open := m.openWord(j, f, scriptArgument(i+1), i+1)
		switch {
		case open:
		case v.Tag() == built.InputTag:
			word = Word{Part{Input: p.port(j.Inputs, v.Value)}}
		case v.Tag() == built.OutputTag:
			word = Word{Part{Output: p.port(j.Outputs, v.Value)}}
		case v.Tag() == built.ParameterTag:
			part := Part{Input: p.takes(j, v.Value)}
			if given := p.root.Get("parameters").Get(v.Value); given.Get("type").Text() == "string" {
				part.Texts = []string{given.Get("default").Text()}
			}
			word = Word{part}
		case m.hidesIn(f):
			word = m.secretWord(j.Source, f)
		default:
			word = literal(argumentText(v))
		}
		*words = append(*words, word)
		if m.Ledger.Unknown(f) {
			m.Ledger.Map(j.Name, "an argument of the script", "", f)
		}
	}
	if words == &j.Command {
		j.Command = forShell(j.Command)
	}
}

// askGiven asks which arguments a script gets if the program computes them.
func (m *Migration) askGiven(j *Job, lost schema.Field) {
	answer, open := m.Decide(&account.Question{ID: "arguments", Scope: j.Name, Ask: "Which arguments does the script get?", Example: "'--epochs 3'", OrNone: true, Why: account.Place(lost) + " computes them; `none` for none"})
	m.Ledger.Decide(j.Name, answer, "arguments", lost)
	switch {
	case open:
		j.Arguments = []Word{literal(account.Marker)}
	case answer != "none":
		j.Arguments = append(j.Arguments, m.wordsOf(j, answer)...)
	}
}

// port returns the name that an input or output of a step has in v2.
func (p *pipelineReader) port(list []Data, name string) string {
	for _, d := range list {
		if d.Source.Name == name {
			return d.Name
		}
	}
	return name
}

// takes adds a pipeline parameter to a step's inputs if needed, and returns its name there.
func (p *pipelineReader) takes(j *Job, name string) string {
	address := p.from(name)
	var taken []string
	for _, d := range plain.Both(j.Inputs, j.Outputs) {
		if d.Address == address && d.Export == "" {
			return d.Name
		}
		taken = append(taken, d.Name)
	}
	j.Inputs = append(j.Inputs, Data{Name: unused(taken, p.input[name]), Address: address, Type: p.types[name]})
	return j.Inputs[len(j.Inputs)-1].Name
}

// copies turns a step that copies data into a command.
func (p *pipelineReader) copies(j *Job, n *document.Node) {
	if len(j.Inputs) == 0 || len(j.Outputs) == 0 {
		j.Script, _ = p.m.decideScript(account.Question{ID: scriptQuestion, Scope: j.Name, Ask: "Which script copies the data?", Example: "copy.py", Why: account.Name(p.f.Rel) + " copies to or from something that is not a folder on a datastore"})
		p.m.Ledger.Decide(j.Name, j.Script, scriptQuestion, schema.FieldAt(p.f, n, "type"))
		return
	}
	j.Command = []Word{literal("cp"), literal("-r"), {Part{Input: j.Inputs[0].Name}, Part{Text: "/."}}, {Part{Output: j.Outputs[0].Name}}}
	if j.Inputs[0].Type == "uri_file" {
		j.Command[2] = Word{Part{Input: j.Inputs[0].Name}}
	}
}
