package fixers

import (
	"fmt"

	"github.com/amlfix/amlfix/schema/finding"
)

// maxValues is the largest number of values (see document.MaxValues) with which a file is repaired: a proof holds
// several trees of it at once.
const maxValues = 100_000

// declinedFiles returns the files that are not repaired, and why: those with too many values, and those of which a rule
// has finding.MaxPerFile findings. A rule reports no more, so it cannot be proved that a fix causes none.
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
		if f.Stream != nil && f.Stream.Values > maxValues {
			files[f.Path] = fmt.Sprintf("the file contains more than %d values", maxValues)
		}
	}
	return files
}

// crowded returns the findings whose fixes are declined, by index: those in, or with changes of, a declined file. One
// fix of each file is refused, with the reason, for all of them.
func (r *repairer) crowded() map[int]bool {
	files := r.declinedFiles()
	declined, said := map[int]bool{}, map[string]bool{}
	for i, f := range r.findings {
		if len(files) == 0 || !r.wants(f) {
			continue
		}
		path := concerned(f, files)
		if path == "" {
			continue
		}
		if declined[i] = true; !said[path] {
			said[path] = true
			r.refused = append(r.refused, Refused{Finding: f, Reason: files[path] +
				", and fixes in files of this size cannot be proved: edit or split the file by hand"})
		}
	}
	return declined
}

// concerned returns the one of the files that a finding is in, or that its fix changes or copies, or "".
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

// spend deducts the cost of a proof from the budget.
func (r *repairer) spend(price int) { *r.budget -= price }
