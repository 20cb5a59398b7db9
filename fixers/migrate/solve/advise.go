package solve

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema/requirement"
)

// advise looks for a change that makes the list installable: another Python version, or another release of one of the
// conflicting packages.
func (k *checker) advise() error {
	able := slices.DeleteFunc(slices.Clone(k.left), func(r requirement.Requirement) bool {
		return slices.ContainsFunc(k.source, func(s requirement.Requirement) bool { return s.Raw == r.Raw })
	})
	for _, python := range k.list.Others {
		solved, err := k.together(able, python)
		if err != nil {
			return err
		}
		if solved {
			k.verdict.Changes = append(k.verdict.Changes, "python="+python)
			break
		}
	}
	loose := slices.Clone(able)
	var answers, none []string
	for _, r := range k.culprit {
		free := requirement.Named(r.Name, r.Key)
		none = append(none, "package-"+account.Slug(r.Key)+"=none")
		if r.Constraint == "" {
			continue
		}
		for i := range loose {
			if loose[i].Raw == r.Raw {
				loose[i] = free
			}
		}
		answers = append(answers, "package-"+account.Slug(r.Key)+"="+r.Name)
		solved, err := k.together(loose, k.list.Python)
		if err != nil {
			return err
		}
		if solved {
			k.verdict.Changes = append(k.verdict.Changes, strings.Join(answers, " and "))
			return nil
		}
	}
	if len(k.verdict.Changes) == 0 {
		k.verdict.Changes = append(k.verdict.Changes, strings.Join(none, " and "))
	}
	return nil
}
