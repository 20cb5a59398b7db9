package account

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/secret"
)

// Marker is in the new files where someone has to decide before they work.
const Marker = "DECIDE"

// Report is the name of the audit.
const Report = "MIGRATION.md"

// UndecidedScript is written where the script is not known, a name that no file
// has, and ScriptMark is the comment above it; MissingMark is that above a script
// that is known, and not there, FailsMark that above one that cannot work, SourceMark
// that above a job which more than the script is missing of.
const (
	UndecidedScript = Marker + ".py"
	ScriptMark      = Marker + ": the script was named at submission; see " + Report
	StepMark        = Marker + ": the files do not say what the step runs; see " + Report
	FailsMark       = Marker + ": the script fails until it is rewritten; see " + Report
	SourceMark      = Marker + ": a file that the submission names is not in the project; see " + Report
	MissingMark     = Marker + ": the script is not in the project; see " + Report
)

// Question is a decision to be taken.
type Question struct {
	// ID names it in answers. Several decisions may share an id; their Scopes
	// differ.
	ID string
	// Scope is the name of the run configuration or of the file it is about.
	Scope string
	// Ask is the question, Why what there is to know.
	Ask, Why string
	// Default is taken without an answer; "" when none is safe.
	Default string
	// Choices are the only possible answers; nil when anything goes. Example
	// shows one then.
	Choices []string
	Example string
	// Flag is what answers it on the command line, "" for --answer ID=.
	Flag string
}

// Decision is a question and what was taken for it.
type Decision struct {
	Question
	// Scopes are all that asked this, in order.
	Scopes []string
	// Taken is the answer, or the default; "" when the decision is open.
	Taken string
	// From is where the answer came from; "" for the default.
	From string
}

// Open reports whether the decision has to be taken before the files work.
func (d *Decision) Open() bool { return d.Taken == "" }

// How returns how to answer on the command line.
func (d *Decision) How() string {
	value := cmp.Or(d.Example, "VALUE")
	if len(d.Choices) > 0 {
		value = strings.Join(d.Choices, "|")
	}
	if d.Flag != "" {
		return d.Flag + " " + value
	}
	return "--answer " + d.ID + "=" + value
}

// Place returns where a field is, as people write it: file:line.
func Place(f schema.Field) string {
	if f.File == nil || f.Node == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", Name(f.File.Rel), f.File.Source.LineAt(f.Node.Span.Start))
}

// Name returns the name of a file for a sentence of MIGRATION.md: nothing in it is
// taken for Markdown or HTML, which a page that shows the report would follow.
func Name(name string) string {
	var b strings.Builder
	for _, r := range name {
		if strings.ContainsRune("`*[]<>&|\\", r) {
			fmt.Fprintf(&b, "&#%d;", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Plain returns a sentence of MIGRATION.md as it is read: without what Name has written
// for other signs.
func Plain(text string) string {
	for _, r := range "`*[]<>&|\\" {
		text = strings.ReplaceAll(text, fmt.Sprintf("&#%d;", r), string(r))
	}
	return text
}

// Unique returns the name, longer if taken has it, and adds it there.
func Unique(taken map[string]bool, name string) string {
	for taken[name] {
		name += "-x"
	}
	taken[name] = true
	return name
}

// Slug makes a name that Azure, Docker and Kubernetes all take: lowercase letters,
// digits and single dashes, at most 50 of them, beginning with a letter. Secrets in
// the text it is made of are left out.
func Slug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(secret.HideValue(name)) {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	s := strings.Trim(b.String(), "-")
	if s == "" || s[0] <= '9' {
		s = strings.TrimRight("job-"+s, "-")
	}
	return strings.TrimRight(s[:min(len(s), 50)], "-")
}
