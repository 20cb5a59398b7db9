package rules

import (
	"bytes"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

var refBrace = Rule{
	ID:       "ref/brace",
	Severity: finding.Error,
	Since:    "2026-11-22",
	Doc:      "An Azure ML expression has the wrong braces, or no $.",
	Why: `Azure ML replaces ${{inputs.data}}. ${inputs.data} is plain text to it, and the shell that runs the command
stops there: "bad substitution". In $inputs.data, the shell replaces $inputs with nothing. $[[ ]] is for an option
together with its input, as in $[[--data ${{inputs.data}}]], and not for the input alone. {{inputs.data}} reaches the
script unchanged, and so does {inputs.data}, the form of the previews, which the Azure ML client replaces only in jobs
outside of pipelines, with a warning that it is deprecated. The client does not notice any of the others in a command,
except that it rejects components with ${{inputs['data']}}. Where {{inputs.data}} is all of a value, YAML reads a
mapping, and the client rejects the file.`,
	Remedy: "Writes $ and double braces on both sides; with --unsafe, also makes an option in single brackets optional.",
	Bad: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: >-
  python train.py
  --data ${inputs.data}
environment: azureml:env:1
compute: azureml:cpu
inputs:
  data:
    path: azureml:digits:1
`,
	Good: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: >-
  python train.py
  --data ${{inputs.data}}
environment: azureml:env:1
compute: azureml:cpu
inputs:
  data:
    path: azureml:digits:1
`,
	Check: func(p *Pass) {
		flowBraces(p)
		for _, b := range p.shared.bodies {
			for _, u := range b.Uses {
				e, right := expressionOf(b, u), "${{"+u.Name+"}}"
				if !u.Broken && (u.Place != flow.Data || u.Whole) {
					if e.spaced() {
						p.report(e.at("the Azure ML client takes the space before }} for a part of the name, unless there is one after {{ too: write "+shown(right)), e.write(right, right))
					}
					continue
				}
				if !u.Broken {
					besideBraces(p, e, right)
					continue
				}
				if u.More || u.Indexed {
					p.otherNotation(e, right)
					continue
				}
				if before, ok := e.bracket(); ok && u.Bare {
					e.At, right = source.Span{Start: e.At.Start - len(before), End: e.At.End + 1}, "$["+before+right+"]]"
				}
				var fix *finding.Fix
				if slices.Contains([]string{"inputs", "outputs", "search_space", "parent.inputs", "parent.outputs", "parent.jobs"}, e.root) {
					fix = e.write(right, right)
				}
				if before, ok := e.option(); ok {
					e.At.Start -= len(before)
					right = "$[[" + before + right + "]]"
					if fix = e.write(right, right); fix != nil {
						fix.Applicability = finding.Unsafe // the word may be an option without a value
					}
				}
				if u.Place == flow.Data && u.Whole {
					e.At = u.Node.Span // with its quotes, where schema/type would report it
					if u.Node.Kind == document.Mapping && u.Node.Entries()[0].Key.Kind == document.Scalar {
						e.At = u.Node.Entries()[0].Key.Span // where schema/unknown-key would
					}
				}
				switch text := e.body.File.Source.Text[u.At.Start:]; {
				case u.Node.Kind == document.Mapping:
					p.report(e.at("without $, these braces make a YAML mapping, and Azure ML rejects the file: write "+shown(right)), fix)
				case u.Bare && e.previewed():
					p.reportAs(finding.Warning, e.at("the Azure ML client still replaces this form of the previews, but calls it deprecated: write "+shown(right)), fix)
				case u.Bare && u.Place == flow.Command: // a script may handle it itself
					p.reportAs(finding.Warning, e.at("Azure ML does not replace this, so the program gets it unchanged: write "+shown(right)), fix)
				case bytes.HasPrefix(text, []byte("${")) && !bytes.HasPrefix(text, []byte("${{{")):
					p.report(e.at("Azure ML does not replace this because a brace is missing: write "+shown(right)), fix)
				case bytes.HasPrefix(text, []byte("$[[")): // a sample of Azure's has it
					p.reportAs(finding.Warning, e.at("Azure ML does not replace this: write "+shown(right)), fix)
				default:
					p.report(e.at("Azure ML does not replace this: write "+shown(right)), fix)
				}
			}
		}
	},
}

// otherNotation reports a name that is written or followed as in other programs. The Azure ML client rejects other
// marks than dots in components and in the commands of pipelines.
func (p *Pass) otherNotation(e expression, right string) {
	severity, fix := finding.Error, e.write(right, right)
	if e.Place != flow.Command || !e.body.Declared && e.body.Parent == nil {
		severity = finding.Warning
	}
	message := "Azure ML knows names with dots only: write "
	if e.More {
		severity, fix, message = finding.Warning, nil, "Azure ML replaces only a name in these braces, so it leaves this as it is: write "
	}
	p.reportAs(severity, e.at(message+shown(right)), fix)
}

// spaced reports whether the client reads a space before the last braces as a part of the name: it does so in the
// inputs of a pipeline's command jobs that run no component.
func (e expression) spaced() bool {
	b := e.body
	return b.Parent != nil && e.Node.Parent != nil && e.Node.Parent == b.Inputs.Node && !b.Component().Explicit &&
		strings.HasSuffix(e.Node.Value, " }}") && strings.HasPrefix(e.Node.Value, "${{p") &&
		slices.Contains(commandTypes, strings.ToLower(b.Node.Get("type").Text()))
}

// besideBraces reports the value of an input or output if it has only a brace or a $ beside its expression.
func besideBraces(p *Pass, e expression, right string) {
	text := e.Node.Text()
	e.At = e.Node.Inner()
	if strings.Trim(text, "${}") != strings.Trim(right, "${}") || e.text() != text {
		return
	}
	p.report(e.at("there is an extra brace or $ next to this expression, so the value is text rather than data: write "+shown(right)), e.write(right, right))
}

// previewed reports whether the client puts ${{ }} around an expression in single braces: it does so in the commands of
// command and sweep jobs.
func (e expression) previewed() bool {
	file, root := e.body.File, e.body.Node
	return e.Place == flow.Command && file.V2 == "job" && root == file.Root().Resolve() &&
		slices.Contains([]string{"", "command", "sweep"}, strings.ToLower(root.Get("type").Text())) &&
		slices.Contains([]string{"inputs", "outputs", "search_space"}, e.root) &&
		string(file.Source.Text[e.At.Start:e.At.End]) == "{"+e.Name+"}"
}

// bracket returns what is in front of an expression from a bracket on, if the bracket is closed right behind it: the
// previews wrote an optional argument as [--data {inputs.data}].
func (e expression) bracket() (before string, ok bool) {
	text := e.body.File.Source.Text
	start := bytes.LastIndexAny(text[:e.At.Start], "[]{}\n")
	if start < 0 || text[start] != '[' || text[start+1] != '-' || start > 0 && (text[start-1] == '[' || text[start-1] == '$') || !bytes.HasPrefix(text[e.At.End:], []byte("]")) {
		return "", false
	}
	return string(text[start:e.At.Start]), true
}

// option returns the option in front of $[[inputs.data]]: Azure ML leaves out all that is in these brackets.
func (e expression) option() (before string, ok bool) {
	text := e.body.File.Source.Text
	line := string(text[bytes.LastIndexByte(text[:e.At.Start], '\n')+1 : e.At.Start])
	word := strings.TrimRight(line, " ")
	word = word[strings.LastIndexByte(word, ' ')+1:]
	if e.Place != flow.Command || !bytes.HasPrefix(text[e.At.Start:], []byte("$[[")) || !strings.HasPrefix(word, "-") {
		return "", false
	}
	return line[strings.LastIndex(line, word):], true
}
