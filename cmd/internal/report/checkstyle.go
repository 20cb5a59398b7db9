package report

import (
	"encoding/xml"
	"io"

	"github.com/amlfix/amlfix/cmd/internal/ui"
)

// checkstyle writes the XML of the Java tool of that name, which most code review tools read. There is no schema; this
// is what its readers use. Characters that XML cannot contain are made visible, as in text.
type checkstyle struct {
	unrepaired
	w   io.Writer
	all checkstyleReport
}

type checkstyleReport struct {
	XMLName xml.Name          `xml:"checkstyle"`
	Version string            `xml:"version,attr"`
	Files   []*checkstyleFile `xml:"file"`
}

type checkstyleFile struct {
	Name   string            `xml:"name,attr"`
	Errors []checkstyleError `xml:"error"`
}

type checkstyleError struct {
	Line     int    `xml:"line,attr"`
	Column   int    `xml:"column,attr"`
	Severity string `xml:"severity,attr"`
	Message  string `xml:"message,attr"`
	Source   string `xml:"source,attr"`
}

// Finding adds an error in the current file.
func (c *checkstyle) Finding(f Finding) {
	if n := len(c.all.Files); n == 0 || c.all.Files[n-1].Name != ui.Printable(f.Path) {
		c.all.Files = append(c.all.Files, &checkstyleFile{Name: ui.Printable(f.Path)})
	}
	file := c.all.Files[len(c.all.Files)-1]
	file.Errors = append(file.Errors, checkstyleError{
		Line: f.Line, Column: f.Column, Severity: f.Severity.String(), Message: ui.Printable(f.Message), Source: "amlfix." + f.Rule,
	})
}

// Close writes the report.
func (c *checkstyle) Close(Summary) { writeXML(c.w, c.all) }
