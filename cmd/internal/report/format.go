package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/rules"
)

// Format is an output format.
type Format string

// The formats.
const (
	Text       Format = "text"       // for people
	Concise    Format = "concise"    // for people and editors: one line for each finding
	JSON       Format = "json"       // amlfix's own format, for programs
	SARIF      Format = "sarif"      // SARIF 2.1.0, used by code scanners
	GitHub     Format = "github"     // annotations of a GitHub workflow
	GitLab     Format = "gitlab"     // GitLab's code quality report
	JUnit      Format = "junit"      // test results, as Jenkins and Azure Pipelines read them
	Checkstyle Format = "checkstyle" // XML that most review tools read
	Markdown   Format = "markdown"   // a table, for a summary page
)

// Formats returns the names of the formats, as written on the command line.
func Formats() []string {
	var names []string
	for _, f := range []Format{Text, Concise, JSON, SARIF, GitHub, GitLab, JUnit, Checkstyle, Markdown} {
		names = append(names, string(f))
	}
	return names
}

// ForPeople reports whether a format is meant to be read on a terminal: such a report omits suppressed findings, and
// infos unless requested.
func (f Format) ForPeople() bool { return f == Text || f == Concise }

// parseFormat returns the format called name; the error lists the names.
func parseFormat(name string) (Format, error) {
	if slices.Contains(Formats(), name) {
		return Format(name), nil
	}
	return "", fmt.Errorf("--format: %q is not one of %s", name, strings.Join(Formats(), ", "))
}

// Output is a report to write: its format and its file, "" for standard output.
type Output struct {
	Format Format
	File   string
}

// ParseOutput parses "FORMAT" or "FORMAT=FILE"; a FILE named "-" is standard output.
func ParseOutput(text string) (Output, error) {
	name, file, named := strings.Cut(text, "=")
	format, err := parseFormat(name)
	if err == nil && named && file == "" {
		err = fmt.Errorf("--format %s: a file name is missing after the equals sign", text)
	}
	if file == "-" {
		file = ""
	}
	return Output{Format: format, File: file}, err
}

// Options changes how a report looks.
type Options struct {
	// Version returns amlfix's version.
	Version func() string
	// Style applies to text: colours, and links to the rules' pages and to files, whose relative paths are relative to
	// Dir.
	Style ui.Style
	Dir   string
	// Verbose makes text show findings of severity info, and every detail of each finding.
	Verbose bool
	// Statistics requests counts by rule: in text instead of the findings, in JSON in addition to them.
	Statistics bool
	// Unsafe means that unsafe fixes are requested.
	Unsafe bool
	// Applied means that repairs were made: the JSON report then lists them.
	Applied bool
	// Command is the command that makes the repairs, such as "amlfix --apply", without Paths: those that were given.
	Command string
	Paths   []string
	// Base is the slash-separated path from the root of the repository to the working directory, "" if they are the
	// same. Services that show findings next to the code require paths relative to the root: SARIF, GitHub, GitLab.
	Base string
	// Rules are described in SARIF.
	Rules []*rules.Rule
}

// New returns a Writer that writes the format to w.
func New(format Format, w io.Writer, opts Options) Writer {
	switch format {
	case Concise:
		return concise{newText(w, opts)}
	case JSON:
		return &jsonReport{jsonList: newJSONList(w), opts: opts, applied: []jsonRepair{}, refused: []jsonRepair{}}
	case SARIF:
		return newSARIF(w, opts)
	case GitHub:
		return unsuppressed{&gitHub{w: w, opts: opts}}
	case GitLab:
		return unsuppressed{&gitLab{jsonList: newJSONList(w), opts: opts}}
	case JUnit:
		return unsuppressed{&junit{w: w, all: junitSuites{Name: "amlfix"}}}
	case Checkstyle:
		return unsuppressed{&checkstyle{w: w, all: checkstyleReport{Version: "10.0"}}}
	case Markdown:
		return unsuppressed{newMarkdown(w)}
	default:
		return newText(w, opts)
	}
}

// unsuppressed omits suppressed findings in formats that cannot represent them.
type unsuppressed struct{ Writer }

// Finding passes on a finding that is not suppressed.
func (u unsuppressed) Finding(f Finding) {
	if f.Suppression == nil {
		u.Writer.Finding(f)
	}
}

// unrepaired is part of reports in which repairs have no place: what was repaired no longer exists.
type unrepaired struct{}

// Repair does nothing.
func (unrepaired) Repair(Repair) {}

// Several writes to several Writers, in order.
type Several []Writer

// Finding passes a finding on.
func (s Several) Finding(f Finding) {
	for _, w := range s {
		w.Finding(f)
	}
}

// Repair passes a repair on.
func (s Several) Repair(r Repair) {
	for _, w := range s {
		w.Repair(r)
	}
}

// Close ends all reports.
func (s Several) Close(sum Summary) {
	for _, w := range s {
		w.Close(sum)
	}
}
