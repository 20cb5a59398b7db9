package report

import (
	"fmt"
	"io"
	"strings"
)

// Format is a form of output.
type Format string

// The formats.
const (
	Text Format = "text"
	JSON Format = "json"
)

// Formats lists the formats as they are written on the command line.
func Formats() []string { return []string{string(Text), string(JSON)} }

// ParseFormat returns the format called name; the error lists the names.
func ParseFormat(name string) (Format, error) {
	for _, f := range Formats() {
		if f == name {
			return Format(f), nil
		}
	}
	return "", fmt.Errorf("--format: %q is none of %s", name, strings.Join(Formats(), ", "))
}

// Options changes how a report looks.
type Options struct {
	// Version is amlfix's own.
	Version string
	// Coloured is for text.
	Coloured bool
	// Verbose shows findings of severity info in text.
	Verbose bool
	// Unsafe tells that unsafe fixes are asked for.
	Unsafe bool
	// Applied tells that repairs were made: the JSON report then lists them.
	Applied bool
	// Command is what the user types to repair, such as "amlfix --apply".
	Command string
}

// New returns a Writer of the format to w.
func New(format Format, w io.Writer, opts Options) Writer {
	if format == JSON {
		return newJSON(w, opts)
	}
	return newText(w, opts)
}
