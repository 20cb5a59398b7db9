package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/plain"
)

var yamlAmbiguousScalar = Rule{
	ID:       "yaml/ambiguous-scalar",
	Severity: finding.Warning,
	Since:    "2026-11-20",
	Doc:      "The Python program that reads the file gets a different value from the one you see.",
	Why: `Without quotes, YAML guesses the type of a value. PyYAML, which follows YAML 1.1, reads yes and on as true,
1:30 as 90, 010 as 8 and 3.10 as 3.1. The SDK's reader does not treat yes and no as booleans, and takes any text as
true, even "false".`,
	Remedy: "Changes yes and no to true and false where they are already read that way. Everything else, such as quoting a number, needs --unsafe.",
	Bad: `
-- aml_config/vm.compute --
type: remotedocker
address: vm.example.com
username: me
baseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9
nvidiaDocker: yes
`,
	Good: `
-- aml_config/vm.compute --
type: remotedocker
address: vm.example.com
username: me
baseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9
nvidiaDocker: true
`,
	Check: func(p *Pass) { p.perFile(noteScalars, checkScalars) },
}

func checkScalars(p *Pass, f *schema.File) {
	kind, ok := FormatOf(f)
	if !ok || kind == format.Settings || f.Broken() || !odditiesOf(f).misread { // only amlfix reads settings
		return
	}
	python := pythonOf(f)
	format.Walk(kind, f.Root(), func(key, n *document.Node, place *format.Place) {
		checkScalar(p, f, python, scalarAt{key, n, place})
	})
}

// mayMislead reports whether a scalar or a key may be read as something other than its text. Nearly all begin with a
// letter, and those can be misread only if they are short. It may be true of a scalar that is read as it is written.
func mayMislead(python document.Python, n *document.Node) bool {
	switch {
	case n.Value == "":
		return false
	case n.Style != document.Plain: // a switch in quotes
		return python == document.Ruamel && len(n.Value) <= len("false")
	}
	short := len(n.Value) <= len("off")
	if first := n.Value[0] | ' '; first >= 'a' && first <= 'z' && (python == document.Ruamel || !short) {
		return short
	}
	r := python.Read(n.Value)
	return r.Text != n.Value || len(n.Value) > document.MaxNumber || r.Type == document.AsText && n.Tag() != "!!str"
}

// scalarAt is a scalar and what its format expects there.
type scalarAt struct {
	key, node *document.Node
	*format.Place
}

func checkScalar(p *Pass, f *schema.File, python document.Python, s scalarAt) {
	if s.key != nil && s.Loose() && s.key.Style == document.Plain && !s.Parent().TextKeys() {
		if reading := misread(python, s.key.Value, true); reading != "" {
			p.report(finding.Location{Source: f.Source, Span: s.key.Span,
				Message: fmt.Sprintf("the name %s is read as %s: put it in quotes", s.key.Value, reading)}, nil)
		}
	}
	n := s.node
	if p.full(f.Source) || n.Kind != document.Scalar || n.Properties != n.Span.Start || n.Style != document.Plain && !s.Switch() {
		return
	}
	at := finding.Location{Source: f.Source, Span: n.Span}
	declared := s.declared()
	switch {
	case s.Switch() || declared == "boolean":
		message, value, how := switchMisread(python, n)
		if message == "" {
			return
		}
		at.Message = message
		p.report(at, setFix(f, n, "write "+value.Text, value, how))
	case s.Number() || declared == "integer" || declared == "number":
		reading := numberMisread(python, n)
		if reading != "" && (reading != "text" || !s.Converts(n.Value)) {
			at.Message = fmt.Sprintf("%s is read as %s: write the number with decimal digits only", n.Value, reading)
			p.reportAs(severityOf(f, python.Read(n.Value).Type == document.AsText), at, nil)
		}
	case s.Text() && (s.Loose() || n.Tag() == "!!str"):
		// a number where only text is accepted is a type error, which is reported as such
		reading := misread(python, n.Value, s.key != nil)
		switch {
		case reading == "":
		case s.Secret() && !s.Loose() && f.V2 == "":
			// a password does not belong in the file anyway
		case s.Secret():
			at.Message = "without quotes, this is not read as the text that you see: put it in quotes"
			p.reportAs(severityOf(f, !s.Loose()), at, nil)
		default:
			at.Message = fmt.Sprintf("%s is read as %s: put it in quotes if it is meant as text", n.Value, reading)
			p.reportAs(severityOf(f, !s.Loose()), at, setFix(f, n, "put it in quotes", finding.Text(n.Value), finding.Unsafe))
		}
	}
}

// declared returns the type that an input of v2 declares for its default, in lower case, or "".
func (s scalarAt) declared() string {
	if s.key == nil || s.key.Value != "default" || !s.Loose() {
		return ""
	}
	return strings.ToLower(s.node.Parent.Get("type").Text())
}

// severityOf returns Error if the Azure ML v2 client rejects the file because of the type that it reads; other readers
// accept it.
func severityOf(f *schema.File, refused bool) finding.Severity {
	if f.V2 != "" && refused {
		return finding.Error
	}
	return finding.Warning
}

// switchMisread says what is wrong with the value of a switch, and what to write instead; "" if nothing is wrong or it
// is a type error.
func switchMisread(python document.Python, n *document.Node) (message string, value finding.Scalar, how finding.Applicability) {
	word := strings.ToLower(n.Value)
	yes := slices.Contains([]string{"yes", "on", "y"}, word)
	no := slices.Contains([]string{"no", "off", "n"}, word)
	plain := n.Style == document.Plain
	switch {
	case python == document.Ruamel && plain && yes:
		return n.Value + " is true here only because the SDK treats any text as true: write true", finding.True, finding.Safe
	case python == document.Ruamel && plain && no:
		return n.Value + " is text to the SDK, which treats any text as true: write false", finding.False, finding.Unsafe
	case python == document.Ruamel && !plain && (no || word == "false" || word == "0"):
		return "the quotes make this text, and the SDK treats any text as true: write false, without quotes", finding.False, finding.Unsafe
	case python == document.PyYAML && plain && python.Read(n.Value).Type == document.AsBoolean && (yes || no):
		value = finding.True
		if no {
			value = finding.False
		}
		return fmt.Sprintf("YAML 1.1 readers such as PyYAML read %s as %s, YAML 1.2 readers as text: write %s", n.Value, value.Text, value.Text),
			value, finding.Safe
	}
	return "", finding.Scalar{}, ""
}

// numberMisread says what an integer is read as if that is not the number that a person sees, or returns "".
func numberMisread(python document.Python, n *document.Node) string {
	r := python.Read(n.Value)
	digits := strings.TrimLeft(strings.ReplaceAll(n.Value, "_", ""), "+0")
	switch {
	case r.Type == document.AsText && n.Tag() != "!!str":
		return "text"
	case r.Type == document.AsInteger && strings.Contains(n.Value, ":"):
		return misread(python, n.Value, true)
	case r.Type == document.AsInteger && strings.Trim(digits, "0123456789") == "" && r.Text != digits && digits != "":
		return "the octal number " + r.Text
	}
	return ""
}

// misread says what a plain scalar is read as if that is not what a person sees, or returns "". Numbers that only lose
// their form, such as 0.50 and 1e-3, are fine where a number is wanted. named means that the value belongs to a name
// rather than a list of arguments, so that 12e3 may be text.
func misread(python document.Python, plain string, named bool) string {
	r := python.Read(plain)
	if r.Text == plain {
		return ""
	}
	switch r.Type {
	case document.AsBoolean:
		if !strings.EqualFold(plain, r.Text) {
			return strings.ToLower(r.Text)
		}
	case document.AsInteger:
		switch {
		case strings.Contains(plain, ":"):
			return r.Text + ", because YAML 1.1 reads it as hours and minutes"
		case strings.HasPrefix(strings.TrimLeft(plain, "+-"), "0") || strings.Contains(plain, "_"):
			return "the number " + r.Text
		}
	case document.AsFloat:
		switch {
		case strings.Contains(plain, ":"):
			return r.Text + ", because YAML 1.1 reads it as hours and minutes"
		case strings.Contains(plain, "_"), versionLike.Get().MatchString(plain), named && hashLike.Get().MatchString(plain):
			return "the number " + r.Text
		}
	case document.AsDateTime:
		return "a date and time, which Python prints in another form"
	case document.AsText, document.AsNull: // read as a person sees it
	}
	return ""
}

// versionLike matches numbers such as 3.10, whose last zero is lost.
var versionLike = plain.Regexp{Text: `^[1-9][0-9]*\.[1-9]0$`}

// hashLike matches texts such as 12e3, which may be part of a checksum.
var hashLike = plain.Regexp{Text: `^[0-9]+[eE][0-9]+$`}

// setFix returns the fix that replaces a scalar, or nil in a file that has to be made readable first.
func setFix(f *schema.File, n *document.Node, title string, value finding.Scalar, how finding.Applicability) *finding.Fix {
	if f.Stream.Repaired || !f.Stream.Exact {
		return nil
	}
	return finding.NewFix(how, title, finding.Change{Op: finding.SetScalar, File: f.Path, Pointer: n.Pointer(), Value: value})
}
