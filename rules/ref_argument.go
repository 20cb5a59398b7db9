package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/argparse"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/shell"
)

var refArgument = Rule{
	ID:       "ref/argument",
	Severity: finding.Error,
	Since:    "2026-11-22",
	Doc:      "A command passes a script an option that it does not have, or omits one that it needs.",
	Why: `Python's argparse ends the script at once when its arguments are wrong: the job is queued, the machines start,
and then it fails. The script is compared with the command if its add_argument calls are literal; nothing is run, and
nothing is reported if the script creates its parser in any other way. A finding that depends on an optional input is a
warning.`,
	Remedy: "Corrects an option if it is similar to one that the command does not give, and adds a space between an option and its value.",
	Bad: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
code: src
command: python train.py --training-data ${{inputs.train_data}}
environment: azureml:env:1
compute: azureml:cpu
inputs:
  train_data:
    path: azureml:digits:1
-- src/train.py --
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--training_data", required=True)
args = parser.parse_args()
`,
	Good: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
code: src
command: python train.py --training_data ${{inputs.train_data}}
environment: azureml:env:1
compute: azureml:cpu
inputs:
  train_data:
    path: azureml:digits:1
-- src/train.py --
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--training_data", required=True)
args = parser.parse_args()
`,
	Check: func(p *Pass) {
		for i := range p.shared.scripts {
			if s := &p.shared.scripts[i]; s.Language == shell.Python && s.arguable && len(s.nextCommands()) == 0 {
				if rel, there := s.find(p.Project); there {
					p.arguments(s, rel)
				}
			}
		}
		for _, job := range p.Project.Jobs {
			if s, rel, ok := v1Script(p.Project, job); ok && (job.Dialect == schema.Workbench || job.Dialect == schema.SDKv1) {
				p.arguments(s, rel)
			}
		}
	},
}

// arguments compares the arguments that a script is given with those that it defines.
func (p *Pass) arguments(s *script, rel string) {
	parser := p.parser(rel)
	if !parser.known || p.full(s.file.Source) {
		return
	}
	c := comparison{pass: p, script: s, parser: parser, given: map[string]bool{}, meant: map[string]bool{}}
	c.where = finding.Location{Source: parser.text, Span: parser.At, Message: "the script's arguments"}
	c.glued()
	words := s.given()
	for _, w := range words {
		option, _, _ := strings.Cut(w.Text, "=")
		c.given[option] = true
	}
	faults := parser.Match(words)
	for _, f := range faults {
		if f.Kind == argparse.Unknown && !p.full(s.file.Source) {
			c.unknown(f)
		}
		if right := dashed(f); right != "" && slices.Contains(c.options(), right) {
			c.mean(right)
		}
	}
	c.missing(faults)
	for _, f := range faults {
		c.other(f)
	}
}

// comparison reports the faults of one run of a script.
type comparison struct {
	pass   *Pass
	script *script
	parser *parsed
	where  finding.Location
	given  map[string]bool // the words as written
	meant  map[string]bool // options that are given under the wrong name
	unused []string        // what options returned
}

func (c *comparison) report(f argparse.Fault, message string, fix *finding.Fix) {
	at := c.script.location(message)
	if f.Word >= 0 {
		at.Span = c.script.words[f.Word]
	}
	severity := finding.Error
	if f.Uncertain || !c.parser.Certain || !c.script.Certain {
		severity = finding.Warning
	}
	where := c.where
	if len(f.Arguments) > 0 {
		where.Span, where.Message = f.Arguments[0].At, "the script's argument"
	}
	c.pass.reportAs(severity, at, fix, where)
}

// glued reports options that their values follow without a space. argparse takes both for the name of an option.
func (c *comparison) glued() {
	for i, w := range c.script.Arguments {
		if c.parser.Tolerates || len(w.Parts) < 2 || w.Parts[0].Kind != shell.Text || w.Parts[1].Kind != shell.Binding {
			continue
		}
		name := w.Parts[0].Text
		if a, ok := c.parser.Option(name); ok && strings.HasPrefix(name, "--") {
			message := fmt.Sprintf("%q gets %s and its value as one word, so it ends with an error: write a space between them", shortName(c.script.Name), shortName(name))
			c.report(argparse.Fault{Word: i, Arguments: []argparse.Argument{a}}, message, c.write(i, name, name+" ", "add a space"))
		}
	}
}

// unknown reports an option that the script does not have.
func (c *comparison) unknown(f argparse.Fault) {
	option, _, _ := strings.Cut(f.Text, "=")
	message := fmt.Sprintf("%q has no option %q, so it ends with an error", shortName(c.script.Name), shortName(option))
	near := c.pass.nearest(option, c.options())
	if len(near) != 1 {
		c.report(f, message+": correct the name"+c.pass.choice(option, c.options())+", or add the option to the script", nil)
		return
	}
	c.mean(near[0])
	for _, a := range c.parser.Arguments {
		if a.Name() == near[0] {
			f.Arguments = []argparse.Argument{a}
		}
	}
	c.report(f, message+fmt.Sprintf(": did you mean %q?", shortName(near[0])), c.rename(f.Word, option, near[0]))
}

// options returns the names of the options that the command does not give.
func (c *comparison) options() []string {
	if c.unused != nil {
		return c.unused
	}
	c.unused = []string{}
	for _, a := range c.parser.Arguments {
		if a.Positional || a.Ends {
			continue
		}
		used := false
		for _, n := range a.Names {
			used = used || c.given[n]
		}
		if !used && !c.meant[a.Name()] {
			c.unused = append(c.unused, a.Name())
		}
	}
	return c.unused
}

// mean records that an option is given under the wrong name.
func (c *comparison) mean(option string) { c.meant[option], c.unused = true, nil }

// rename returns the fix that renames an option, or nil if the name is not written literally.
func (c *comparison) rename(word int, old, name string) *finding.Fix {
	if countsOn(old, name) || !plainWord(strings.TrimLeft(name, "-")) {
		return nil
	}
	return c.write(word, old, name, "write "+name)
}

// write returns the fix that replaces what a word begins with, or nil if that is not written literally.
func (c *comparison) write(word int, old, text, title string) *finding.Fix {
	s, span := c.script, c.script.words[word]
	if s.file.Stream.Repaired || !strings.HasPrefix(string(s.file.Source.Slice(span)), old) {
		return nil
	}
	span.End = span.Start + len(old)
	return finding.NewFix(finding.Safe, title, finding.Splice(s.file.Source, span, text))
}

// missing reports, in one finding, all arguments that the script requires and is not given.
func (c *comparison) missing(faults []argparse.Fault) {
	var all argparse.Fault
	var names []string
	for _, f := range faults {
		if joined(f) {
			return // the missing argument is there, under the wrong name
		}
		if f.Kind != argparse.Missing {
			continue
		}
		var one []string
		for _, a := range f.Arguments {
			if c.meant[a.Name()] {
				one = nil
				break
			}
			one = append(one, a.Name())
		}
		if len(one) == 0 {
			continue
		}
		if len(names) > 0 && all.Uncertain && !f.Uncertain {
			names, all.Arguments = nil, nil // report what is certain first
		} else if len(names) > 0 && !all.Uncertain && f.Uncertain {
			continue
		}
		joiner := ", "
		if f.Arguments[0].Group > 0 && !f.Arguments[0].Required {
			joiner = " or "
		}
		names = append(names, strings.Join(one, joiner))
		all = argparse.Fault{Word: -1, Uncertain: f.Uncertain, Arguments: append(all.Arguments, f.Arguments...)}
	}
	if len(names) == 0 {
		return
	}
	name, list := shortName(c.script.Name), shown(plain.List(names, "and"))
	if all.Uncertain {
		c.report(all, fmt.Sprintf("%q needs %s, which the command gives only inside $[[ ]]: make the input required, or the argument optional", name, list), nil)
		return
	}
	it := plain.Them(len(names))
	c.report(all, fmt.Sprintf("%q needs %s, so it ends with an error without %s: add %s to the script's arguments", name, list, it, it), nil)
}

// joined reports whether a word begins with a space: "\\" was meant to continue the line, but YAML turned the line end
// into a space.
func joined(f argparse.Fault) bool {
	return f.Kind == argparse.Surplus && strings.HasPrefix(f.Text, " ")
}

// dashed returns the option that a word is if its dash were hyphens, as before a word processor replaced them, or "".
func dashed(f argparse.Fault) string {
	if name := strings.TrimLeft(f.Text, "–—"); f.Kind == argparse.Surplus && name != f.Text {
		return "--" + name
	}
	return ""
}

// other reports the remaining kinds of faults.
func (c *comparison) other(f argparse.Fault) {
	if f.Word >= 0 && f.Text == "" {
		f.Text = string(c.script.file.Source.Slice(c.script.words[f.Word]))
	}
	name, text := shortName(c.script.Name), shortName(f.Text)
	switch f.Kind {
	case argparse.Ambiguous:
		c.report(f, fmt.Sprintf("several options of %q begin with %q: write the one you mean in full", name, text), nil)
	case argparse.Valueless:
		c.report(f, fmt.Sprintf("%q needs a value for %s, but none follows: add one", name, text), nil)
	case argparse.Overfull:
		c.report(f, fmt.Sprintf("%s of %q takes no value: remove %q", f.Arguments[0].Name(), name, "="), nil)
	case argparse.Surplus:
		if joined(f) {
			c.report(f, fmt.Sprintf("the \\ before a space makes %q a single argument, which %q does not accept: remove the \\", text, name), nil)
			return
		}
		if option, _, ok := strings.Cut(f.Text, " "); ok && len(option) > 1 && option[0] == '-' {
			c.report(f, fmt.Sprintf("%q gets %q as one argument: write the option and its value as two", name, text), nil)
			return
		}
		if option := c.before(f); option != "" {
			c.report(f, fmt.Sprintf("a space separates %s from %q: write %s", option, text, option+text), nil)
			return
		}
		if right := dashed(f); c.meant[right] {
			c.report(f, fmt.Sprintf("the dash in %q is not a hyphen, so %q does not see an option: write %s", text, name, right), c.write(f.Word, f.Text, right, "write "+right))
			return
		}
		c.report(f, fmt.Sprintf("%q takes no argument %q: remove it, or put its option in front of it", name, text), nil)
	case argparse.BadChoice:
		c.report(f, fmt.Sprintf("%s of %q must be %s, not %q", f.Arguments[0].Name(), name, shown(plain.List(f.Arguments[0].Choices, "or")), text), nil)
	case argparse.BadValue:
		if kind := c.script.distribution(c.script.Arguments[f.Word]); kind != "" {
			c.report(f, fmt.Sprintf("%s of %q must be a whole number, but %s draws numbers with decimals: use randint or choice, or convert the number in the script", f.Arguments[0].Name(), name, kind), nil)
			return
		}
		what := "a number"
		if f.Arguments[0].Type == "int" {
			what = "a whole number"
		}
		c.report(f, fmt.Sprintf("%s of %q must be %s, not %q", f.Arguments[0].Name(), name, what, text), nil)
	case argparse.Unknown, argparse.Missing: // reported above
	}
}

// before returns the word before a surplus one if that is an option with the "=" of its value, or the dashes of one.
func (c *comparison) before(f argparse.Fault) string {
	if f.Word <= 0 || f.Word >= len(c.script.words) {
		return ""
	}
	word := string(c.script.file.Source.Slice(c.script.words[f.Word-1]))
	if strings.HasPrefix(word, "--") && strings.HasSuffix(word, "=") || word == "--" && slices.Contains(c.options(), "--"+f.Text) {
		return word
	}
	return ""
}
