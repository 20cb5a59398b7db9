package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/argparse"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/shell"
	"github.com/amlfix/amlfix/schema/source"
)

// parsed is a script whose argument parser was analyzed.
type parsed struct {
	argparse.Parser
	text  *source.Source
	known bool
}

// parser returns the arguments that the script at a path defines; each script is read once.
func (p *Pass) parser(rel string) *parsed {
	return p.shared.parsers.of(rel, func() *parsed {
		found := &parsed{}
		if text, ok := p.Project.Code(rel); ok {
			found.text = text
			found.Parser, found.known = argparse.Read(text.Text)
		}
		return found
	})
}

// given returns the words that a script is given, as far as they can be known before the job runs.
func (s *script) given() (words []argparse.Word) {
	always := s.always()
	for _, w := range s.Arguments {
		word := s.word(w)
		word.Optional = w.Group > 0 && !always[w.Group]
		words = append(words, word)
	}
	return words
}

// always returns the $[[…]] that are never omitted, because their inputs are given or have defaults.
func (s *script) always() map[int]bool {
	always := map[int]bool{}
	for _, w := range s.Arguments {
		for _, part := range w.Parts {
			if part.Kind != shell.Binding || w.Group == 0 {
				continue
			}
			n, of := s.input(part.Text)
			given := n != nil && !n.IsNull() && (!of.Declared || !optional(n) || !n.Get("default").IsNull())
			if known, met := always[w.Group]; !met || known {
				always[w.Group] = given
			}
		}
	}
	return always
}

// preview matches ${{inputs.x}} as the first preview of v2 wrote it.
var preview = plain.Regexp{Text: `\{(inputs|outputs|search_space)\.[^{}]*\}`}

func (s *script) word(w shell.Word) (out argparse.Word) {
	if text, ok := w.Literal(); ok {
		out.Text, out.Open = text, preview.Get().MatchString(text)
		return out
	}
	if out.Text = s.filled(w); out.Text != "" {
		return out
	}
	out.Text, out.Open, out.Several = w.Beginning(), true, w.Mixed
	out.Fraction = s.distribution(w) != ""
	for _, part := range w.Parts {
		switch {
		case part.Kind == shell.Binding:
			out.Several = out.Several || !part.Quoted && !s.single(part.Text)
		case part.Kind == shell.Unknown, strings.ContainsAny(part.Text, "*?[{"):
			out.Several = out.Several || !part.Quoted
		}
	}
	return out
}

// filled returns a word with the values that Azure ML substitutes, or "" if it is not known or if the shell would not
// take it as it is. It is not known of an option that its value follows without a sign: see glued.
func (s *script) filled(w shell.Word) string {
	var text strings.Builder
	if name := w.Beginning(); strings.HasPrefix(name, "-") && !strings.Contains(name, "=") {
		return ""
	}
	for _, part := range w.Parts {
		value, ok := part.Text, part.Kind == shell.Text
		if part.Kind == shell.Binding {
			value, ok = s.value(part.Text)
		}
		if !ok || w.Mixed || strings.ContainsAny(value, "\n\\'\"$`*?[]{}~|&;<>()#") || !part.Quoted && strings.ContainsAny(value, " \t") {
			return ""
		}
		text.WriteString(value)
	}
	return text.String()
}

// distribution returns the type of the search space's parameter that a word is, if it draws from all numbers between
// two; "" for others.
func (s *script) distribution(w shell.Word) string {
	if len(w.Parts) != 1 || w.Parts[0].Kind != shell.Binding || s.body == nil {
		return ""
	}
	name, ok := strings.CutPrefix(w.Parts[0].Text, "search_space.")
	if !ok {
		return ""
	}
	kind := strings.ToLower(s.body.Space.Node.Get(name).Resolve().Get("type").Text())
	if !slices.Contains([]string{"uniform", "loguniform", "normal", "lognormal"}, kind) {
		return ""
	}
	return kind
}

// input returns the declaration or the value of the input in an expression, "inputs.NAME", and the body that it is in.
func (s *script) input(expression string) (n *document.Node, of *flow.Body) {
	name, ok := strings.CutPrefix(expression, "inputs.")
	for b := s.body; ok && b != nil; b = b.Runs {
		if n := b.Inputs.Node.Get(name).Resolve(); n != nil {
			return n, b
		}
	}
	return nil, nil
}

// decimal matches numbers that are not reformatted on the way to the script.
var decimal = plain.Regexp{Text: `^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`}

// value returns the text that Azure ML substitutes for an expression, if the file contains it.
func (s *script) value(expression string) (text string, ok bool) {
	n, of := s.input(expression)
	switch {
	case n == nil || of.Declared || n.Kind != document.Scalar:
		return "", false
	case n.IsString(): // except for paths and references
		return n.Value, n.Value != "" && !strings.ContainsAny(n.Value, "/:")
	}
	return n.Value, decimal.Get().MatchString(n.Value)
}

// oneWord are the types of inputs that are one word to the shell.
var oneWord = []string{"integer", "number", "boolean", "uri_file", "uri_folder", "mltable", "mlflow_model", "custom_model", "triton_model", "safe_tensors_model"}

// single reports whether what Azure ML substitutes for an expression is one word, as paths and numbers are.
func (s *script) single(expression string) bool {
	if !strings.HasPrefix(expression, "inputs.") {
		return strings.HasPrefix(expression, "outputs.") || strings.HasPrefix(expression, "search_space.")
	}
	n, of := s.input(expression)
	switch {
	case n == nil:
		return false
	case n.IsMapping() && of.Declared:
		return slices.Contains(oneWord, strings.ToLower(n.Get("type").Text()))
	case n.IsMapping():
		return n.Get("path") != nil || slices.Contains(oneWord, strings.ToLower(n.Get("type").Text()))
	}
	return n.Kind == document.Scalar && !n.IsString()
}

// v1Script returns the script of a run configuration with its arguments, and its possible path; ok is false if they are
// not literal.
func v1Script(p *schema.Project, job *schema.Job) (s *script, rel string, ok bool) {
	name := schema.Slashes(job.Script.Text)
	if job.File.Broken() || !job.Script.Node.IsString() || name == "" || strings.Contains(name, "$") {
		return nil, "", false
	}
	s = &script{file: job.File, node: job.Script.Node, at: job.Script.Node.Span, Run: shell.Run{Name: name, Language: shell.Python, Certain: true}}
	for _, a := range job.Arguments {
		if a.Node.Kind != document.Scalar || a.Node.IsNull() || strings.Contains(a.Text, "$") {
			return nil, "", false
		}
		s.words = append(s.words, a.Node.Inner())
		s.Arguments = append(s.Arguments, shell.Word{Parts: []shell.Part{{Text: a.Text, Quoted: true}}})
	}
	rel = scriptOf(job)
	return s, rel, p.Exists(rel)
}

// scriptOf returns the path of the script that a run configuration names: from the project's folder, or, outside the
// configuration folders, from its own. Only who submits it says which source folder is meant.
func scriptOf(job *schema.Job) string {
	name, dir := schema.Slashes(job.Script.Text), job.File.Dir()
	if name == "" || name[0] == '$' || slices.Contains(schema.ConfigFolders, dir) {
		return name
	}
	return path.Join(dir, name)
}
