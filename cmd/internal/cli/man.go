package cli

import (
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/ui"
)

// Manual returns the command that prints the manual page.
func (p *Program) Manual() *Command {
	return &Command{
		Name: "man", Folderless: true,
		Usage:       "print the manual page",
		Description: "The page contains what amlfix help and the help of every command say. It uses\nthe man macros, which every system with manual pages has.",
		UsageText: `amlfix man | man -l -
amlfix man > /usr/local/share/man/man1/amlfix.1`,
		Action: func(ctx *Context) error {
			if ctx.NArg() > 0 {
				return console.Usage("man", "man takes no arguments: one page describes all commands")
			}
			writeManual(p.Out, p.Version(), p.Commands.all())
			return nil
		},
	}
}

// writeManual writes the manual page, from the same texts as the help. It has no date, so the same amlfix always prints
// the same page.
func writeManual(w io.Writer, version string, commands iter.Seq[*Command]) {
	m := manual{w}
	m.print(".TH AMLFIX 1 \"\" \"amlfix %s\" \"User Commands\"\n", roff(version))
	m.section("NAME")
	m.print("amlfix \\- find and repair problems in Azure ML job files, and run the jobs\n")
	m.section("SYNOPSIS")
	m.print(".B amlfix\n[\\fIFLAGS\\fR] [\\fIPATH\\fR...]\n.br\n.B amlfix\n\\fICOMMAND\\fR [\\fIFLAGS\\fR] [\\fIARGUMENTS\\fR]\n")
	about, rest, _ := strings.Cut(overview, "\nUsage:\n")
	m.section("DESCRIPTION")
	m.paragraphs(about)
	m.section("COMMANDS")
	for c := range commands {
		m.command(c)
	}
	m.section("EXIT STATUS")
	_, codes, _ := strings.Cut(rest, "Exit status: ")
	codes, _, _ = strings.Cut(codes, " More: ")
	m.paragraphs("For all commands but run: " + codes)
	m.section("FILES")
	m.term(".amlfix.yaml", "The settings, in a project's folder or above it; amlfix config shows them.")
	m.section("SEE ALSO")
	m.print(ui.Homepage + "\n")
}

// manual writes the macros of man(7).
type manual struct{ w io.Writer }

func (m manual) print(format string, args ...any) { _, _ = fmt.Fprintf(m.w, format, args...) }

func (m manual) section(title string) { m.print(".SH %s\n", title) }

func (m manual) command(c *Command) {
	m.print(".SS %s\n", roff(c.Name))
	m.paragraphs(strings.ToUpper(c.Usage[:1]) + c.Usage[1:] + ".")
	m.print(".PP\n")
	for i, line := range strings.Split(c.ArgsUsage, "\n") {
		if i > 0 {
			m.print(".br\n")
		}
		m.print("%s\n", strings.TrimSpace("\\fBamlfix "+roff(c.Name)+"\\fR "+roff(strings.TrimSpace(line))))
	}
	if c.Description != "" {
		m.print(".PP\n")
		m.paragraphs(c.Description)
	}
	for _, f := range c.Flags {
		value, text := flagText(f)
		m.term(strings.TrimSpace(strings.TrimSpace(flagTerm(f))+" "+value), strings.ToUpper(text[:1])+text[1:]+".")
	}
	m.print(".PP\nExamples:\n.PP\n.nf\n.RS\n")
	for line := range strings.Lines(c.UsageText) {
		m.print("%s\n", roff(strings.TrimSpace(line)))
	}
	m.print(".RE\n.fi\n")
}

// term writes a word and its explanation.
func (m manual) term(word, text string) { m.print(".TP\n.B %s\n%s\n", roff(word), roff(text)) }

// paragraphs writes text that is filled, but keeps lists and examples, whose lines are indented, unchanged.
func (m manual) paragraphs(text string) {
	for _, p := range blocks(strings.Trim(text, "\n")) {
		if p.kept {
			m.print(".PP\n.nf\n")
		} else if p.apart {
			m.print(".PP\n")
		}
		for _, line := range p.lines {
			m.print("%s\n", roff(line))
		}
		if p.kept {
			m.print(".fi\n")
		}
	}
}

// roff escapes a line, so that it contains no request or escape.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(line)
	if strings.HasPrefix(line, ".") {
		line = `\&` + line
	}
	return line
}
