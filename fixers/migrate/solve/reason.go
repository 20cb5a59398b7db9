package solve

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/requirement"
)

// single reports whether a requirement can be installed by itself, and records those that are published only as source
// or cannot be installed.
func (k *checker) single(r requirement.Requirement) (bool, error) {
	solved, said, err := k.resolve(k.request([]requirement.Requirement{r}, k.list.Python, false))
	if err != nil || solved {
		return solved, err
	}
	alone, _, err := k.resolve(k.request([]requirement.Requirement{r}, k.list.Python, true))
	if err != nil {
		return false, err
	}
	if alone { // one of its dependencies is missing
		needed, ok := missing(said)
		if !ok {
			k.fails(r, short(r)+": one of its dependencies has no wheel for Python "+k.list.Python)
			return false, nil
		}
		why, source, err := k.why(needed, said)
		if err != nil {
			return false, err
		}
		if source {
			k.source = append(k.source, r)
			k.verdict.Source = append(k.verdict.Source, needed.Name+" (which "+short(r)+" needs)")
			return false, nil
		}
		k.fails(r, short(r)+" needs "+short(needed)+": "+why)
		return false, nil
	}
	why, source, err := k.why(r, said)
	switch {
	case err != nil:
		return false, err
	case source:
		k.source = append(k.source, r)
		k.verdict.Source = append(k.verdict.Source, short(r))
	default:
		k.fails(r, short(r)+": "+why)
	}
	return false, nil
}

// fails records a requirement that cannot be installed.
func (k *checker) fails(r requirement.Requirement, why string) {
	k.culprit = append(k.culprit, r)
	k.verdict.Reasons = append(k.verdict.Reasons, why)
}

// why says why there is no wheel for a requirement; source means that there is none for any Python version and system.
func (k *checker) why(r requirement.Requirement, said string) (why string, source bool, err error) {
	switch {
	case strings.Contains(said, "was not found in the package registry") || strings.Contains(said, "was not found in the provided package locations"):
		return "PyPI has no such package", false, nil
	case strings.Contains(said, "there is no version of "+r.Key) || strings.Contains(said, "there are no versions of "+r.Key):
		return "PyPI has no such release", false, nil
	}
	var pythons []string
	for _, python := range catalog.Pythons() {
		if python == k.list.Python || catalog.CompareVersions(python, oldest) < 0 {
			continue
		}
		solved, _, err := k.resolve(k.request([]requirement.Requirement{r}, python, true))
		if err != nil {
			return "", false, err
		}
		if solved {
			pythons = append(pythons, python)
		}
	}
	switch {
	case len(pythons) > 0:
		return "its wheels are for Python " + span(pythons) + ", not for " + k.list.Python, false, nil
	case strings.Contains(said, "platform tag"):
		return "it has wheels only for systems other than Linux", false, nil
	}
	return "", true, nil
}

// span returns consecutive versions as "3.5 to 3.8".
func span(versions []string) string {
	all := catalog.Pythons()
	first, last := slices.Index(all, versions[0]), slices.Index(all, versions[len(versions)-1])
	switch {
	case len(versions) == 1:
		return versions[0]
	case last-first+1 == len(versions):
		return versions[0] + " to " + versions[len(versions)-1]
	}
	return strings.Join(versions, ", ")
}

// noWheels matches what uv prints about a package without a fitting wheel; only the name and the version are used.
var noWheels = plain.Regexp{Text: `Because (?:all versions of )?([a-z0-9][a-z0-9.-]*[a-z0-9])((?:[<>=!~]=?[0-9a-z.+*,<>=!~]+)?) (?:has|have) no `}

// missing returns the package that the resolver found no wheel for.
func missing(said string) (requirement.Requirement, bool) {
	at := noWheels.Get().FindStringSubmatch(said)
	if at == nil {
		return requirement.Requirement{}, false
	}
	r, err := requirement.ParsePip(at[1] + at[2])
	return r, err == nil && r.Kind == requirement.Package
}
