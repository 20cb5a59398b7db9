package account

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/secret"
)

// Marker marks the places in the new files where someone has to decide before they work.
const Marker = "DECIDE"

// Report is the name of the file with the audit.
const Report = "MIGRATION.md"

// UndecidedScript, a name that no file has, is written if the script is not known. The others are comments: ScriptMark
// above that name, MissingMark above a script that does not exist, FailsMark above one that cannot work, and SourceMark
// above a job that lacks more than its script.
const (
	UndecidedScript = Marker + ".py"
	ScriptMark      = Marker + ": the script was named at submission; see " + Report
	StepMark        = Marker + ": the files do not say what the step runs; see " + Report
	FailsMark       = Marker + ": the script fails until it is rewritten; see " + Report
	SourceMark      = Marker + ": a file that the submission names is not in the project; see " + Report
	MissingMark     = Marker + ": the script is not in the project; see " + Report
)

// Question is a decision that somebody has to make.
type Question struct {
	// ID names it in answers. Several decisions may share an id; their Scopes differ.
	ID string
	// Scope is the name of the run configuration or file that it is about.
	Scope string
	// Ask is the question; Why explains it.
	Ask, Why string
	// Default is used without an answer; "" if no default is safe.
	Default string
	// Choices are the only possible answers. If it is nil, any answer is allowed, and Example shows one.
	Choices []string
	Example string
	// OrNone means that "none" is an answer, too, in any case: Python's None means the same.
	OrNone bool
	// About is what jobs with the same question may answer differently, such as an expression; "" if one answer suits
	// all.
	About string
	// Flag is the flag that answers it on the command line, or "" for --answer ID=.
	Flag string
}

// Decision is a question and its outcome.
type Decision struct {
	Question
	// Scopes are the scopes of all equal questions, in order.
	Scopes []string
	// Leader is the first scope of the question, whatever the answers for the others are.
	Leader string
	// Taken is the answer or the default; "" if the decision is open.
	Taken string
	// From is where the answer came from, or "" for the default.
	From string
	// Narrow means that another question has the same id, so that answers name their scopes.
	Narrow bool
}

// Open reports whether the decision has to be made before the files work.
func (d *Decision) Open() bool { return d.Taken == "" }

// Because adds the parts of the reason why another scope has the same question that differ not only in their place.
func (d *Decision) Because(why string) {
	const most = 4 // parts
	for part := range strings.SplitSeq(why, "; ") {
		if !strings.Contains(d.Why, withoutPlace(part)) && strings.Count(d.Why, "; ") < most {
			d.Why += "; " + part
		}
	}
}

// withoutPlace returns a reason without the file:line before it.
func withoutPlace(why string) string {
	if _, after, ok := strings.Cut(why, ":"); ok {
		if what := strings.TrimLeft(after, "0123456789"); what != after && strings.HasPrefix(what, " ") {
			return what
		}
	}
	return why
}

// How returns how to answer on the command line, for all scopes.
func (d *Decision) How() string {
	value := cmp.Or(d.Example, "VALUE")
	if len(d.Choices) > 0 {
		value = strings.Join(d.Choices, "|")
	}
	if d.Flag != "" && !d.Narrow {
		return d.Flag + " " + value
	}
	if !d.Narrow {
		return "--answer " + d.ID + "=" + value
	}
	scope := d.Scope + "/"
	if len(d.Scopes) > 1 {
		scope = d.Leader + "+/"
	}
	return "--answer " + escape.Word(scope+d.ID) + "=" + value
}

// PartEnding is the ending of files that do not exist: they stand for a part of another file, which Of names.
const PartEnding = ".part"

// Place returns the position of a field as file:line.
func Place(f schema.Field) string {
	if f.File == nil || f.Node == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", Name(Rel(f.File)), f.File.Source.LineAt(f.Node.Span.Start))
}

// Rel returns the path in the project of a file, or of the one of which it stands for a part.
func Rel(f *schema.File) string {
	if strings.HasSuffix(f.Rel, PartEnding) {
		return f.Of
	}
	return f.Rel
}

// Name returns the name of a file for a sentence of MIGRATION.md, escaped so that nothing in it is rendered as Markdown
// or HTML.
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

// Plain returns a sentence of MIGRATION.md as it is rendered, with the escapes of Name undone.
func Plain(text string) string {
	for _, r := range "`*[]<>&|\\" {
		text = strings.ReplaceAll(text, fmt.Sprintf("&#%d;", r), string(r))
	}
	return text
}

// Slug returns a name that Azure, Docker and Kubernetes all accept: at most 50 lowercase letters, digits and single
// dashes, beginning with a letter. Secrets in the text are omitted.
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
