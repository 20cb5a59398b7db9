package fixers

import (
	"fmt"

	"github.com/amlfix/amlfix/schema/finding"
)

// MaxValues is the most values (see document.MaxValues) that a file is repaired
// with: a proof holds several trees of it at once.
const MaxValues = 100_000

// declinedFiles returns the files that are not repaired, and why: those with too
// many values, and those of which a rule has finding.MaxPerFile findings. A rule
// tells no more, so whether a fix has caused one cannot be proved.
func (r *repairer) declinedFiles() map[string]string {
	type key struct{ path, rule string }
	count, files := map[key]int{}, map[string]string{}
	for _, f := range r.findings {
		k := key{f.Source.Path, f.Rule}
		if count[k]++; count[k] >= finding.MaxPerFile {
			files[k.path] = fmt.Sprintf("the file has %d findings of %s or more", finding.MaxPerFile, k.rule)
		}
	}
	for _, f := range r.project.Files {
		if f.Stream != nil && f.Stream.Values > MaxValues {
			files[f.Path] = fmt.Sprintf("the file holds more than %d values", MaxValues)
		}
	}
	return files
}

// crowded returns the findings whose fixes are declined, by index: those in, or
// with changes of, a declined file. One fix of each file is refused, with the
// reason, for all of them.
func (r *repairer) crowded() map[int]bool {
	files := r.declinedFiles()
	declined, told := map[int]bool{}, map[string]bool{}
	for i, f := range r.findings {
		if len(files) == 0 || f.Fix == nil || r.nonConverging[f.Rule] != "" || !r.opts.Allow(f) {
			continue
		}
		path := concerned(f, files)
		if path == "" {
			continue
		}
		if declined[i] = true; !told[path] {
			told[path] = true
			r.refused = append(r.refused, Refused{Finding: f, Reason: files[path] +
				", and no fix of so large a one can be proved: remove by hand what makes it so, or divide the file"})
		}
	}
	return declined
}

// concerned returns which of the files a finding is in, or its fix changes or
// copies; "" for none of them.
func concerned(f finding.Finding, files map[string]string) string {
	if files[f.Source.Path] != "" {
		return f.Source.Path
	}
	for _, c := range f.Fix.Changes {
		for _, path := range []string{c.File, c.From} {
			if files[path] != "" {
				return path
			}
		}
	}
	return ""
}

// spend takes the price of a proof from the budget.
func (r *repairer) spend(price int) { *r.budget -= price }
