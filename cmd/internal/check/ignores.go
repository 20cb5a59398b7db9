package check

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/suppression"
)

// Ignores describes suppression comments to add.
type Ignores struct {
	Reason  string           // written into the comments
	AtLeast finding.Severity // less severe findings get no comment
}

// withIgnores returns a patch with comments added that suppress what the patch leaves. The comments pass the same
// proofs as repairs: no value changes, and each finding is then suppressed.
func (c *Checker) withIgnores(r Root, project *schema.Project, patch *fixers.Patch) (*fixers.Patch, error) {
	recheck := func(p *schema.Project) []finding.Finding {
		return c.Ignores.offer(Unsuppressed(r.Counting(r.All(p))))
	}
	comments, err := fixers.Repair(project.With(patch.Changed()), fixers.Options{Recheck: recheck, Allow: adds})
	if err != nil {
		return nil, err
	}
	comments.Refused, comments.Also = plainRefusals(project, comments.Refused), nil // one comment, however many findings it is about
	patch = patch.Then(comments)
	patch.Remaining = r.All(project.With(patch.Changed()))
	return patch, nil
}

// plainRefusals explains in plain words why comments cannot be added, without duplicates.
func plainRefusals(project *schema.Project, list []fixers.Refused) (plain []fixers.Refused) {
	for i, r := range list {
		src := r.Finding.Source
		same := func(other fixers.Refused) bool {
			return other.Finding.Source == src && src.LineAt(other.Finding.Span.Start) == src.LineAt(r.Finding.Span.Start)
		}
		if slices.ContainsFunc(list[:i], same) {
			continue
		}
		switch text := src.Text[src.Start():]; {
		case json.Valid(text):
			r.Reason, r.Clause = "a JSON file cannot contain comments: ignore the rule for this file under paths in .amlfix.yaml", ""
		case otherText(project.File(src.Path)):
			r.Reason, r.Clause = "comments count only in the YAML files of jobs: ignore the rule for this file under paths in .amlfix.yaml", ""
		case strings.HasPrefix(r.Reason, "the file cannot be read"), strings.HasPrefix(r.Reason, "the file does not parse"):
			r.Reason = "the file cannot be read, so nothing is written to it: repair it first"
		case r.Clause != "":
			r.Reason = "a comment above this line would change what the file says: ignore the rule for this file under paths in .amlfix.yaml"
		}
		plain = append(plain, r)
	}
	return plain
}

// otherText reports whether a file of a project is a text of another kind, such as a Dockerfile, a script or a list of
// requirements.
func otherText(f *schema.File) bool { return f == nil || f.Kind == schema.Unknown }

// offer replaces each finding's fix with one that adds a comment above its line; findings on the same line share a
// comment.
func (i *Ignores) offer(list []finding.Finding) []finding.Finding {
	type line struct {
		path   string
		number int
	}
	byLine := map[line][]string{}
	at := func(f finding.Finding) line { return line{f.Source.Path, f.Source.LineAt(f.Span.Start)} }
	for _, f := range list {
		if i.may(f) && !slices.Contains(byLine[at(f)], f.Rule) {
			byLine[at(f)] = append(byLine[at(f)], f.Rule)
		}
	}
	out := slices.Clone(list)
	for k, f := range out {
		out[k].Fix = nil
		if !i.may(f) {
			continue
		}
		names := slices.Sorted(slices.Values(byLine[at(f)]))
		out[k].Fix = &finding.Fix{Title: "ignore " + strings.Join(names, ", "), Applicability: finding.Safe, Changes: []finding.Change{{
			Op: finding.InsertComment, File: f.Source.Path, Offset: f.Span.Start, Value: finding.Text(suppression.Text(names, i.Reason)),
		}}}
	}
	return out
}

// may reports whether a finding can be suppressed: not if it is about comments or the settings.
func (i *Ignores) may(f finding.Finding) bool {
	return f.Severity >= i.AtLeast && !strings.HasPrefix(f.Rule, "amlfix/") && !schema.IsSettings(f.Source.Path)
}

// adds reports whether the fix of a finding adds a comment.
func adds(f finding.Finding) bool { return f.Fix.Ignores() }

// Comment returns the edits that add a comment suppressing one finding of a project, proved like a repair. The error
// says why there are none.
func (c *Checker) Comment(r Root, p *schema.Project, f finding.Finding) ([]fixers.FileEdits, error) {
	offered := c.Ignores.offer([]finding.Finding{f})[0]
	recheck := func(p *schema.Project) []finding.Finding { return Unsuppressed(r.All(p)) }
	return fixers.NewPreview(p, fixers.Options{Recheck: recheck}).Edits(offered)
}
