package check

import (
	"fmt"
	"hash/maphash"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

// The reasons why a finding is hidden, in the order in which they are reported.
const (
	bySettings = iota
	byBaseline
	byComment
	reasons
)

// Hidden is a finding that is not reported, the reason, and the path of the file that caused it.
type Hidden struct {
	finding.Finding
	reason int
	path   string
}

// Hides returns the findings of a project, at least as severe as least, that would be reported if no settings,
// baselines and comments counted. It omits those in excluded files, which are counted as whole files.
func (r Root) Hides(all []finding.Finding, least finding.Severity) (list []Hidden) {
	for _, f := range all {
		severity, counts := r.Settings.Verdict(f.Rule, f.Source.Path, f.Severity)
		switch {
		case !r.scope.about(f) || !r.chosen.Counts(f.Rule) || max(f.Severity, severity) < least:
		case r.Settings.Excluded(f.Source.Path) && r.Files.Contain(f.Source.Path):
		case !counts || severity < least:
			list = append(list, Hidden{f, bySettings, r.Settings.Path})
		case f.Suppression == nil:
		case f.Suppression.Kind == finding.External:
			list = append(list, Hidden{f, byBaseline, r.Baseline})
		default:
			list = append(list, Hidden{f, byComment, f.Source.Path})
		}
	}
	return list
}

// Tally counts hidden findings, each once, even if projects share a file. The zero value is empty.
type Tally struct {
	count [reasons]int
	paths [reasons]map[string]bool
	seen  map[uint64]bool
	seed  maphash.Seed
}

// Add counts hidden findings.
func (t *Tally) Add(list []Hidden) {
	if t.seen == nil {
		t.seen, t.seed = map[uint64]bool{}, maphash.MakeSeed()
	}
	for _, h := range list {
		sum := maphash.String(t.seed, fmt.Sprintf("%s\x00%s\x00%d\x00%s", filepath.Clean(h.Source.Path), h.Rule, h.Span.Start, h.Message))
		if t.seen[sum] {
			continue
		}
		t.seen[sum] = true
		t.count[h.reason]++
		if t.paths[h.reason] == nil {
			t.paths[h.reason] = map[string]bool{}
		}
		if h.reason != byComment {
			t.paths[h.reason][h.path] = true
		}
	}
}

// HiddenText returns one line on how much is not reported, and why; "" if everything is. excluded are the excluded
// files, by the path of the settings.
func (e *Engine) HiddenText(t Tally, excluded map[string][]string) string {
	var parts []string
	total := 0
	for reason, word := range [reasons]string{"settings", "baselines", "comments"} {
		if n := t.count[reason]; n > 0 {
			total += n
			parts = append(parts, fmt.Sprintf("%d by %s", n, e.oneOr(word, t.paths[reason])))
		}
	}
	var text []string
	switch {
	case len(parts) == 1:
		_, by, _ := strings.Cut(parts[0], " ")
		text = append(text, plain.Count(total, "finding")+" suppressed "+by)
	case total > 0:
		text = append(text, plain.Count(total, "finding")+" suppressed: "+strings.Join(parts, ", "))
	}
	if len(excluded) > 0 {
		text = append(text, e.excludedText(excluded))
	}
	if len(text) == 0 {
		return ""
	}
	return strings.Join(text, "; ") + e.Trust.hint(t.count[byComment] > 0)
}

// excludedText returns how many files settings exclude.
func (e *Engine) excludedText(excluded map[string][]string) string {
	files, paths := map[string]bool{}, map[string]bool{}
	for path, list := range excluded {
		paths[path] = true
		for _, name := range list {
			files[filepath.Clean(name)] = true
		}
	}
	return plain.Count(len(files), "file") + " excluded by " + e.oneOr("settings", paths)
}

// oneOr returns the path as shown if there is only one, and otherwise word.
func (e *Engine) oneOr(word string, paths map[string]bool) string {
	if len(paths) != 1 {
		return word
	}
	return e.Rel(slices.Collect(maps.Keys(paths))[0])
}

// hint returns how to see what is hidden, if a single additional flag suffices.
func (t *Trust) hint(comments bool) string {
	switch given := t.settings != nil || t.copy != ""; {
	case t.Isolated || given && !comments:
		return ""
	case given:
		return " (--isolated ignores comments)"
	}
	return " (--isolated shows them)"
}
