package cli

import (
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
)

const overview = `amlfix finds and repairs problems in Azure ML job files, and runs the jobs.

It reads the YAML files of Azure ML v2: jobs, pipelines, components,
environments, computes, data, models, endpoints, deployments and schedules,
wherever they are. Of SDK v1 and Azure ML Workbench it reads <target>.compute,
<name>.runconfig, conda_dependencies.yml and spark_dependencies.yml below
.azureml and aml_config.

Usage:
  amlfix [FLAGS] [PATH...]           the same as amlfix check
  amlfix COMMAND [FLAGS] [ARGUMENTS]

Commands:
%s  help         show this, or the help of a command

Examples:
  amlfix                             check everything below this folder
  amlfix --diff                      show what would be repaired
  amlfix --apply                     repair it
  amlfix --apply --gpu gpuvm         make gpuvm a correct GPU target
  amlfix run job.yml                 run a v2 job here, without a workspace
  amlfix run -c local train.py       run the script of a run configuration

Flags of amlfix check:
%s
Exit status: 0 no errors are left, 1 some are, 2 wrong usage, 3 a given path
cannot be read or a file cannot be written. More: amlfix help COMMAND
`

// writeHelp writes the help of a command, or, for nil, of amlfix itself.
func writeHelp(w io.Writer, command *Command, commands iter.Seq[*Command]) {
	page := ui.PageOf(w)
	if command == nil {
		var list strings.Builder
		var check *Command
		for c := range commands {
			if c.Name == "check" {
				check = c
			}
			list.WriteString(page.Fill(c.Usage, fmt.Sprintf("  %-12s ", c.Name), strings.Repeat(" ", 15)))
		}
		flags := flagTable(page, check) + flagRow(page, "    --version", "show the version of amlfix")
		_, _ = io.WriteString(w, paragraphs(page, fmt.Sprintf(overview, list.String(), flags)))
		return
	}
	_, _ = fmt.Fprintf(w, "%s\nUsage:\n", page.Fill(command.Usage, "amlfix "+command.Name+": ", ""))
	for line := range strings.SplitSeq(command.ArgsUsage, "\n") { // one without a word if it takes no operands
		_, _ = io.WriteString(w, page.Fold("  "+strings.TrimSpace("amlfix "+command.Name+" "+strings.TrimSpace(line)), "      "))
	}
	if command.Description != "" {
		_, _ = fmt.Fprintf(w, "\n%s", paragraphs(page, command.Description))
	}
	_, _ = fmt.Fprintf(w, "\nExamples:\n")
	for line := range strings.Lines(command.UsageText) {
		_, _ = io.WriteString(w, page.Fold("  "+strings.TrimSpace(line), "      "))
	}
	_, _ = fmt.Fprintf(w, "\nFlags:\n%s", flagTable(page, command))
}

// flagTable returns one or more lines for each flag.
func flagTable(page ui.Page, command *Command) string {
	var b strings.Builder
	for _, f := range command.Flags {
		value, text := flagText(f)
		b.WriteString(flagRow(page, strings.TrimRight(flagTerm(f)+" "+value, " "), text))
	}
	b.WriteString(flagRow(page, "-h, --help", "show this help"))
	return b.String()
}

// flagTerm returns a flag's names, the one-letter name first: "-c, --name".
func flagTerm(f Flag) string {
	var short, long []string
	for _, name := range f.Names() {
		if len(name) == 1 {
			short = append(short, Dashed(name))
		} else {
			long = append(long, Dashed(name))
		}
	}
	if len(short) == 0 {
		return "    " + strings.Join(long, ", ")
	}
	return strings.Join(append(short, long...), ", ")
}

// flagRow formats a flag and its text in two columns.
func flagRow(page ui.Page, term, text string) string {
	const left = 26
	indent := strings.Repeat(" ", left)
	if len(term) > left-4 {
		return "  " + term + "\n" + page.Fill(text, indent, indent)
	}
	return page.Fill(text, fmt.Sprintf("  %-*s", left-2, term), indent)
}

// block is a paragraph, whose lines may be filled, or indented lines, which are kept as they are.
type block struct {
	lines []string
	// kept is true for indented lines, and apart if an empty line precedes the block.
	kept, apart bool
}

// blocks splits a text into paragraphs and indented lines.
func blocks(text string) (list []block) {
	apart := false
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			apart = true
			continue
		}
		kept := line[0] == ' '
		if len(list) == 0 || apart || list[len(list)-1].kept != kept {
			list = append(list, block{kept: kept, apart: apart})
		}
		last := &list[len(list)-1]
		last.lines, apart = append(last.lines, strings.TrimRight(line, "\n")), false
	}
	return list
}

// paragraphs returns a text with the lines of each paragraph filled.
func paragraphs(page ui.Page, text string) string {
	var b strings.Builder
	for _, p := range blocks(text) {
		if p.apart {
			b.WriteString("\n")
		}
		if lines := strings.Join(p.lines, "\n"); p.kept {
			b.WriteString(page.Fold(lines, "      "))
		} else {
			b.WriteString(page.Fill(lines, "", ""))
		}
	}
	return b.String()
}
