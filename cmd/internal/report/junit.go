package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/finding"
)

// junit writes test results: a suite for each file with findings, a case for each finding. Errors and warnings are
// failures; an info is a skipped test, which is shown and does not fail. Because the counts precede the cases,
// everything is written at the end.
type junit struct {
	unrepaired
	w     io.Writer
	suite *junitSuite // of the current file
	all   junitSuites
}

type junitSuites struct {
	XMLName  xml.Name      `xml:"testsuites"`
	Name     string        `xml:"name,attr"`
	Tests    int           `xml:"tests,attr"`
	Failures int           `xml:"failures,attr"`
	Suites   []*junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Failure *junitFailure `xml:"failure"`
	Skipped *junitSkipped `xml:"skipped"`
}

type junitFailure struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

// Finding adds a test case.
func (j *junit) Finding(f Finding) {
	path, message := ui.Printable(f.Path), ui.Printable(f.Message)
	if j.suite == nil || j.suite.Name != path {
		j.suite = &junitSuite{Name: path}
		j.all.Suites = append(j.all.Suites, j.suite)
	}
	test := junitCase{Name: fmt.Sprintf("%s %d:%d", f.Rule, f.Line, f.Column), Class: path}
	if f.Severity == finding.Info {
		test.Skipped = &junitSkipped{Message: message}
		j.suite.Skipped++
	} else {
		test.Failure = &junitFailure{Type: f.Severity.String(), Message: message, Text: junitText(f)}
		j.suite.Failures++
		j.all.Failures++
	}
	j.suite.Tests++
	j.all.Tests++
	j.suite.Cases = append(j.suite.Cases, test)
}

// junitText returns all details, in the form that test reports show.
func junitText(f Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d:%d: %s: %s [%s]\n", ui.Printable(f.Path), f.Line, f.Column, f.Severity, ui.Printable(f.Message), f.Rule)
	for _, n := range f.Related {
		fmt.Fprintf(&b, "%s:%d:%d: note: %s\n", ui.Printable(n.Path), n.Line, n.Column, ui.Printable(n.Message))
	}
	if f.Fix != nil {
		b.WriteString("fix: " + ui.Printable(f.Fix.Title) + "\n")
	}
	return b.String()
}

// Close writes the results. Readers treat a report without tests as a failure of the job that made it, so a check that
// finds nothing is reported as one passed test.
func (j *junit) Close(Summary) {
	if j.all.Tests == 0 {
		j.all.Tests = 1
		j.all.Suites = []*junitSuite{{Name: "amlfix", Tests: 1, Cases: []junitCase{{Name: "no findings", Class: "amlfix"}}}}
	}
	writeXML(j.w, j.all)
}

// writeXML writes a document.
func writeXML(w io.Writer, v any) {
	text, err := xml.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err) // the types of this package always encode
	}
	_, _ = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
}
