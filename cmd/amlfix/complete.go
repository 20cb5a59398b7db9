package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/attach"
	schemaformat "github.com/amlfix/amlfix/schema/format"
)

// candidate is a word that may stand at the cursor, with a few words about it.
type candidate struct{ word, about string }

// complete writes the words that may stand where the last one of args begins,
// a line each, with a tab before the description. Where a file is expected it
// writes nothing: shells know files better.
func (c *Command) complete(args []string, commands []*cli.Command) {
	before, word := completing(args)
	for _, k := range c.candidates(before, word, commands) {
		if strings.HasPrefix(k.word, word) {
			_, _ = fmt.Fprintf(c.out, "%s\t%s\n", k.word, ui.Printable(k.about))
		}
	}
}

// completing splits the words on the command line into those before the cursor
// and the one at it. bash gives "--flag=value" as three words, and PowerShell
// cannot pass an empty one.
func completing(args []string) (before []string, word string) {
	if len(args) == 0 {
		return nil, ""
	}
	before, word = slices.Clone(args[:len(args)-1]), args[len(args)-1]
	if word == `""` || word == "=" {
		word = ""
	}
	return slices.DeleteFunc(before, func(w string) bool { return w == "=" }), word
}

func (c *Command) candidates(before []string, word string, commands []*cli.Command) []candidate {
	command, rest := commandNamed(commands, "check"), before
	at := firstOperand(before, commands)
	if at >= 0 {
		if before[at] == "help" {
			return commandList(commands)
		}
		if named := commandNamed(commands, before[at]); named != nil {
			command, rest = named, slices.Concat(before[:at], before[at+1:])
		}
	}
	operands := firstOperand(rest, []*cli.Command{command}) >= 0
	if operands && stopsAtOperand(command) {
		return nil // the script's own arguments
	}
	if len(rest) > 0 {
		if name, hasValue := cutFlag(rest[len(rest)-1]); name != "" && !hasValue {
			if f := flagNamed(command, name); f != nil && takesValue(f) {
				return c.values(f)
			}
		}
	}
	switch {
	case strings.HasPrefix(word, "-"):
		return flagList(command)
	case at < 0:
		return commandList(commands)
	case operands:
		return nil
	}
	return operandsOf(command)
}

func commandList(commands []*cli.Command) (list []candidate) {
	for _, c := range commands {
		list = append(list, candidate{c.Name, c.Usage})
	}
	return append(list, candidate{"help", "show the help of a command"})
}

func flagList(command *cli.Command) (list []candidate) {
	for _, f := range command.Flags {
		_, text := flagText(f)
		for _, name := range f.Names() {
			list = append(list, candidate{dashed(name), text})
		}
	}
	return append(list, candidate{"--help", "show help"})
}

// operandsOf returns the words a command takes that are no paths.
func operandsOf(command *cli.Command) []candidate {
	switch command.Name {
	case "explain":
		return ruleNames()
	case "attach":
		return attachTypes
	case "schema":
		return words(schemaformat.Kinds()...)
	case "completion":
		return words(shells()...)
	case "runs":
		var list []candidate
		for _, a := range runsActions() {
			list = append(list, a.candidate)
		}
		return list
	}
	return nil
}

// attachTypes are the words of amlfix attach.
var attachTypes = []candidate{
	{attach.RemoteDocker, "a container on a Linux machine, over SSH"},
	{attach.Cluster, "an HDInsight Spark cluster, over SSH"},
	{attach.Remote, "a Linux machine and its own Python, over SSH"},
	{attach.LocalDocker, "a container on this computer"},
}

// values returns what a flag can be given.
func (c *Command) values(f cli.Flag) []candidate {
	switch f.Names()[0] {
	case "format":
		if _, several := f.(*cli.StringSliceFlag); several {
			return words(report.Formats()...)
		}
		return words(listFormats...)
	case "select", "ignore":
		return ruleNames()
	case "fail-on":
		return words("error", "warning", "info", "never")
	case "to":
		return words(migrationFormats()...)
	case "color":
		return words(ui.ColourModes()...)
	case "type":
		return attachTypes
	case "gpu", "cpu", "target":
		return c.fromProjects(func(p *schema.Project) (list []candidate) {
			for _, t := range p.Targets {
				list = append(list, candidate{t.Name, t.Type.Text})
			}
			return list
		})
	case "config", "run-configuration":
		return c.fromProjects(func(p *schema.Project) (list []candidate) {
			for _, j := range p.Jobs {
				list = append(list, candidate{j.Name, "runs on " + j.TargetName.Text})
			}
			return list
		})
	}
	return nil
}

// fewProjects is how many projects are read for completing a name; someone
// waits for it.
const fewProjects = 50

// fromProjects returns names from the projects at hand, each once.
func (c *Command) fromProjects(of func(*schema.Project) []candidate) (list []candidate) {
	roots, err := schema.Discover([]string{c.path(".")})
	if err != nil || len(roots) > fewProjects {
		return nil
	}
	for _, r := range roots {
		for _, k := range of(schema.Load(r, schema.Options{})) {
			if !slices.ContainsFunc(list, func(have candidate) bool { return have.word == k.word }) {
				list = append(list, k)
			}
		}
	}
	return list
}

// ruleNames are the rules and groups.
func ruleNames() (list []candidate) {
	for _, r := range rules.All() {
		if group, _, _ := strings.Cut(r.ID, "/"); !slices.ContainsFunc(list, func(c candidate) bool { return c.word == group }) {
			list = append(list, candidate{group, "all rules of this group"})
		}
		list = append(list, candidate{r.ID, r.Doc})
	}
	return list
}

func words(list ...string) (out []candidate) {
	for _, w := range list {
		out = append(out, candidate{word: w})
	}
	return out
}
