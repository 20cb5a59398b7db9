package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/rules"
)

// Format is a form of output.
type Format string

// The formats.
const (
	Text       Format = "text"       // for people
	Concise    Format = "concise"    // for people and editors: a line for each finding
	JSON       Format = "json"       // amlfix's own, for programs
	SARIF      Format = "sarif"      // SARIF 2.1.0, which code scanners exchange
	GitHub     Format = "github"     // annotations of a GitHub workflow
	GitLab     Format = "gitlab"     // GitLab's code quality report
	JUnit      Format = "junit"      // test results, as Jenkins and Azure Pipelines read them
	Checkstyle Format = "checkstyle" // XML that most review tools read
	Markdown   Format = "markdown"   // a table, for a summary page
)

// Formats lists the formats as they are written on the command line.
func Formats() []string {
	var names []string
	for _, f := range []Format{Text, Concise, JSON, SARIF, GitHub, GitLab, JUnit, Checkstyle, Markdown} {
		names = append(names, string(f))
	}
	return names
}

// ForPeople reports whether a format is made to be read on a terminal: such a
// report leaves out what was asked to be left out, and infos unless asked for.
func (f Format) ForPeople() bool { return f == Text || f == Concise }

// ParseFormat returns the format called name; the error lists the names.
func ParseFormat(name string) (Format, error) {
	if slices.Contains(Formats(), name) {
		return Format(name), nil
	}
	return "", fmt.Errorf("--format: %q is not one of %s", name, strings.Join(Formats(), ", "))
}

// Output is a report to be written: its format, and the file for it, "" for
// standard output.
type Output struct {
	Format Format
	File   string
}

// ParseOutput reads "FORMAT" or "FORMAT=FILE".
func ParseOutput(text string) (Output, error) {
	name, file, named := strings.Cut(text, "=")
	format, err := ParseFormat(name)
	if err == nil && named && file == "" {
		err = fmt.Errorf("--format %s: a file name is missing behind the equals sign", text)
	}
	return Output{Format: format, File: file}, err
}

// Options changes how a report looks.
type Options struct {
	// Version is amlfix's own.
	Version string
	// Coloured and Linked are for text: colours, and links to the files, which are
	// below Dir if their paths are relative, and to the rules' pages.
	Coloured, Linked bool
	Dir              string
	// Verbose shows in text findings of severity info, and all that there is to say
	// about each finding.
	Verbose bool
	// Statistics asks for counts by rule: in text instead of the findings, in JSON
	// beside them.
	Statistics bool
	// Unsafe tells that unsafe fixes are asked for.
	Unsafe bool
	// Applied tells that repairs were made: the JSON report then lists them.
	Applied bool
	// Command is what the user types to repair, such as "amlfix --apply".
	Command string
	// Base is the slash-separated path from the top of the repository to the
	// working directory, "" when they are the same. Services that show findings
	// beside the code want paths from the top: SARIF, GitHub, GitLab.
	Base string
	// Rules are described in SARIF.
	Rules []rules.Rule
}

// New returns a Writer of the format to w.
func New(format Format, w io.Writer, opts Options) Writer {
	switch format {
	case Concise:
		return concise{newText(w, opts)}
	case JSON:
		return newJSON(w, opts)
	case SARIF:
		return newSARIF(w, opts)
	case GitHub:
		return unsuppressed{&gitHub{w: w, opts: opts}}
	case GitLab:
		return unsuppressed{&gitLab{w: bufio.NewWriter(w), opts: opts}}
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

// unsuppressed leaves out what someone has decided to live with, in formats that
// cannot say so.
type unsuppressed struct{ Writer }

// Finding passes on a finding that is not suppressed.
func (u unsuppressed) Finding(f Finding) {
	if f.Suppression == nil {
		u.Writer.Finding(f)
	}
}

// Several writes to several Writers, in their order.
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
