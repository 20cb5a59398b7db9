package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/shell"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/template"
)

// script is a script that a v2 file runs, with its arguments.
type script struct {
	file *schema.File
	// node is the scalar that names it, and at the span of the name in the file.
	node *document.Node
	at   source.Span
	// exact reports whether the bytes at the span are the name itself, so that they may be replaced.
	exact bool
	// code is the field for the folder that is uploaded; its key is nil if there is none.
	code schema.Field
	// bare reports whether only the folder's files are available; other kinds of jobs have folders of their own.
	bare bool
	// extended reports whether more than the folder is uploaded.
	extended bool
	shell.Run
	// arguable reports whether Arguments is known to have all arguments.
	arguable bool
	// words are the spans of the arguments in the file.
	words []source.Span
	// body declares the inputs that the arguments name; nil if there are none.
	body *flow.Body
}

// command is the command of a v2 body; in is the mapping that has it, and node the text.
type command struct {
	body     *flow.Body
	in, node *document.Node
	shell.Line
}

// scripts returns the scripts that v2 files run, in commands and in keys that name a script, and all commands.
func scripts(project *schema.Project, bodies []*flow.Body) (all []script, commands []command) {
	for _, b := range bodies {
		for _, n := range commanding(b) {
			c := command{body: b, in: n, node: n.Get("command").Resolve()}
			if c.node.IsString() {
				c.Line = shell.Read(c.node.Value)
				commands = append(commands, c)
			}
			all = append(all, scriptsOf(project, c)...)
		}
	}
	for _, f := range project.Files {
		if !slices.Contains(deployments, f.V2) || f.Broken() || !f.Stream.Exact {
			continue
		}
		for _, root := range f.Stream.Documents {
			at := root.Get("code_configuration").Resolve()
			all = append(all, entered(f, schema.FieldAt(f, at, "code"), at.Get("scoring_script"))...)
		}
	}
	return all, commands
}

// commanding returns the mappings of a body that may have a command: its own, and that of a trial that is not a body.
func commanding(b *flow.Body) []*document.Node {
	if trial := b.Node.Get("trial"); trial.IsMapping() && (b.Runs == nil || b.Runs.Node != trial) {
		return []*document.Node{b.Node, trial.Resolve()}
	}
	return []*document.Node{b.Node}
}

// scriptsOf returns the scripts of a mapping, which may have no command.
func scriptsOf(project *schema.Project, c command) (all []script) {
	b, n := c.body, c.in
	code := schema.FieldAt(b.File, n, "code")
	switch entry, task := n.Get("entry").Get("file").Resolve(), n.Get("task").Resolve(); {
	case c.node.IsString():
		all = c.scripts(code)
	case entry.IsString():
		all = entered(b.File, code, entry)
		for i := range all {
			all[i].arguments(n.Get("args").Resolve())
		}
	case task.IsMapping():
		all = entered(b.File, schema.FieldAt(b.File, task, "code"), task.Get("entry_script"))
		for i := range all {
			all[i].imported(project)
		}
	}
	extended := n.Get("additional_includes") != nil ||
		b.Declared && project.Exists(strings.TrimSuffix(b.File.Rel, path.Ext(b.File.Rel))+".additional_includes")
	for i := range all {
		all[i].extended, all[i].body = extended, b
		all[i].bare = all[i].node == c.node && slices.Contains(commandTypes, strings.ToLower(n.Get("type").Text()))
	}
	return all
}

// commandTypes are the types of jobs that run a command.
var commandTypes = []string{"", "command"}

// scripts returns the scripts that a command runs, and other files that it cannot do without.
func (c command) scripts(code schema.Field) (all []script) {
	f := c.body.File
	offsets := c.node.Offsets(f.Source.Text)
	for _, run := range slices.Concat(c.Runs, c.Files) {
		s := script{file: f, node: c.node, code: code, Run: run, arguable: true}
		s.at = s.place(offsets, run.Word.Span)
		s.exact = offsets != nil && string(f.Source.Slice(s.at)) == run.Name
		for _, w := range run.Arguments {
			s.words = append(s.words, s.place(offsets, w.Span))
		}
		all = append(all, s)
	}
	return all
}

// place returns the span in the file of a part of a text, or of the first line of the text if that is not known.
func (s *script) place(offsets []int, span source.Span) source.Span {
	if offsets == nil {
		return s.file.Source.FirstLine(s.node.Span)
	}
	return source.Span{Start: offsets[span.Start], End: offsets[span.End]}
}

// arguments reads the arguments of a script that has its own key.
func (s *script) arguments(n *document.Node) {
	if !n.IsString() {
		return
	}
	commands, err := shell.Parse(n.Value)
	if err != nil || len(commands) != 1 || len(commands[0].Files) > 0 {
		return
	}
	s.node, s.arguable = n, true
	offsets := n.Offsets(s.file.Source.Text)
	s.Arguments = slices.Concat(commands[0].Assignments, commands[0].Words)
	for _, w := range s.Arguments {
		s.words = append(s.words, s.place(offsets, w.Span))
	}
}

// entered returns the script that a key names.
func entered(f *schema.File, code schema.Field, n *document.Node) []script {
	n = n.Resolve()
	if !n.IsString() || n.Value == "" || strings.Contains(n.Value, "$") || template.In(n.Value) {
		return nil
	}
	s := script{file: f, node: n, code: code, Run: shell.Run{Name: n.Value, Folder: ".", Certain: true}, at: n.Inner()}
	if strings.HasSuffix(n.Value, ".py") {
		s.Language = shell.Python
	}
	s.exact = string(f.Source.Slice(s.at)) == n.Value
	return []script{s}
}

// imported takes an entry_script for the name of a module, such as score.main, if its code folder contains that module:
// parallel jobs import it (batch_score_oss, a component of the registry azureml, relies on this).
func (s *script) imported(project *schema.Project) {
	if s.Language == shell.Python || strings.Contains(s.Name, "/") {
		return
	}
	module := *s
	module.Module, module.Language = true, shell.Python
	if _, there := module.find(project); there {
		*s = module
	}
}

// location returns the location of a script's name, with a message.
func (s *script) location(message string) finding.Location {
	return finding.Location{Source: s.file.Source, Span: s.at, Message: message}
}
