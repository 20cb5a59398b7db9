package fixers

import (
	"fmt"

	"github.com/amlfix/amlfix/schema/finding"
)

// crowded returns the findings whose fixes are declined, by index: those in, or
// with changes of, a file of which a rule has finding.MaxPerFile findings. A rule
// tells no more, so which of them a fix has caused cannot be proved. One fix of
// each file is refused, with the reason, for all of them.
func (r *repairer) crowded() map[int]bool {
	type key struct{ path, rule string }
	count, files := map[key]int{}, map[string]string{} // path → rule
	for _, f := range r.findings {
		k := key{f.Source.Path, f.Rule}
		if count[k]++; count[k] >= finding.MaxPerFile {
			files[k.path] = k.rule
		}
	}
	declined, told := map[int]bool{}, map[string]bool{}
	for i, f := range r.findings {
		if len(files) == 0 || f.Fix == nil || r.restless[f.Rule] != "" || !r.opts.Allow(f) {
			continue
		}
		path := concerned(f, files)
		if path == "" {
			continue
		}
		if declined[i] = true; !told[path] {
			told[path] = true
			r.refused = append(r.refused, Refused{Finding: f, Reason: fmt.Sprintf(
				"%s has %d findings of %s or more, and no such file is repaired: mend what makes them first, or divide the file", path, finding.MaxPerFile, files[path])})
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

// afford takes the price of one proof from the budget, and reports whether there
// was enough. The first proof of a repair is always made.
func (r *repairer) afford() bool {
	price := work(r.project)
	if *r.budget < price && *r.budget < maxWork {
		return false
	}
	*r.budget -= price
	return true
}
