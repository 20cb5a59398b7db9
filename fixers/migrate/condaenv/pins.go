package condaenv

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/requirement"
)

// pinned decides about an item whose versions were chosen for another Python version, and asks what to do about them.
// It returns false for an item that can stay.
func (k *cleaner) pinned(p schema.Package) bool {
	r := *p.Requirement
	if k.oldKeras(p) && k.askPins() == "loosen" {
		k.put(p, p.Manager, r.Name, "TensorFlow requires the keras of its own time", "pins")
		return true
	}
	if k.stays(p) {
		return false
	}
	first, none := k.noWheel(p)
	text, why := loosened(r), "made for another Python version; the pinned version is now a minimum"
	if none {
		why = "no allowed release was made for Python " + k.python + "; the pinned version is now a minimum"
		if !k.exact(r) || catalog.CompareVersions(minimum(r), first) < 0 {
			text = r.Key + ">=" + first
		}
	}
	if from := k.refusing(); r.Key == "pip" && from != "" && catalog.CompareVersions(minimum(r), from) < 0 {
		text += ",<" + from
	}
	k.put(p, p.Manager, text, why, "pins")
	return true
}

// refusing returns the first release of pip that refuses every release of a package that its item allows, or "".
func (k *cleaner) refusing() string {
	for _, c := range catalog.Conflicts("pip") {
		within, err := requirement.ParseConstraint(requirement.Pip, c.Versions)
		if err == nil && c.Kind == catalog.ConflictMetadata && slices.ContainsFunc(k.packages, func(p schema.Package) bool {
			if p.Err != nil || p.Requirement.Key != c.Package || p.Manager != requirement.Pip || !k.stays(p) {
				return false
			}
			allowed, err := p.Requirement.Versions()
			return err == nil && !allowed.Empty() && allowed.Within(within)
		}) {
			return strings.TrimPrefix(c.WithVersions, ">=")
		}
	}
	return ""
}

// stays reports whether an item keeps the versions that it allows.
func (k *cleaner) stays(p schema.Package) bool {
	r := *p.Requirement
	_, none := k.noWheel(p)
	return !none && (!k.changed || !k.exact(r) || r.Key != "pip" && k.fitsAll(k.python)) || k.askPins() != "loosen"
}

// noWheel reports whether no release that an item allows is known to have a wheel for the environment's Python; first
// is the oldest release that has one. Conda has builds of a release for the Python versions of its time, too; that
// counts if the source leaves Python open, which SDK v1 filled in with one of those.
func (k *cleaner) noWheel(p schema.Package) (first string, none bool) {
	r := *p.Requirement
	wheels, known := catalog.WheelsFor(r.Key, k.python)
	if !known || wheels.First == "" || p.Manager != requirement.Pip && !k.added || r.Kind != requirement.Package || r.Marker != "" {
		return "", false
	}
	allowed, err := r.Versions()
	if err != nil {
		return "", false
	}
	if version, ok := allowed.Pin(); ok && catalog.WheelFor(r.Key, version.String(), k.python) == catalog.No {
		return wheels.First, true
	}
	within, err := requirement.ParseConstraint(requirement.Pip, ">="+wheels.First)
	return wheels.First, err == nil && !allowed.Empty() && !allowed.Overlaps(within)
}

// oldKeras reports whether an item allows only versions that belong to releases of TensorFlow without a build for the
// environment's Python.
func (k *cleaner) oldKeras(p schema.Package) bool {
	r := *p.Requirement
	if r.Key != "keras" || r.Kind != requirement.Package || p.Manager != requirement.Pip || r.Marker != "" {
		return false
	}
	allowed, err := r.Versions()
	if err != nil || allowed.Empty() {
		return false
	}
	some := false
	for _, b := range catalog.FrameworkBuilds(cpuName) {
		if !slices.Contains(b.Pythons, k.python) {
			continue
		}
		some = true
		of := ">=3"
		if catalog.CompareVersions(b.Version, "2.16") < 0 {
			of = "==" + b.Version + ".*"
		}
		within, err := requirement.ParseConstraint(requirement.Pip, of)
		if err != nil || allowed.Overlaps(within) {
			return false
		}
	}
	return some && slices.ContainsFunc(k.packages, func(o schema.Package) bool {
		return o.Err == nil && (o.Requirement.Key == cpuName || o.Requirement.Key == gpuName)
	})
}

// exact reports whether a requirement allows only one version, or one minor version.
func (k *cleaner) exact(r requirement.Requirement) bool {
	c := strings.TrimSpace(r.Constraint)
	if minor, is := strings.CutPrefix(c, "~="); is && strings.Count(minor, ".") > 1 {
		c = minor
	}
	return c != "" && !strings.ContainsAny(c, "<>!~|,")
}

// minimum returns the version that a requirement pins.
func minimum(r requirement.Requirement) string {
	version := strings.TrimSuffix(strings.TrimLeft(strings.TrimSpace(r.Constraint), "~= "), ".*")
	version, _, _ = strings.Cut(version, "+") // a local version cannot be a minimum
	return version
}

// loosened returns a requirement for at least the version that r pins.
func loosened(r requirement.Requirement) string {
	text := cmp.Or(r.Name, r.Key)
	if r.Channel != "" {
		text = r.Channel + "::" + text
	}
	if len(r.Extras) > 0 {
		text += "[" + strings.Join(r.Extras, ",") + "]"
	}
	text += ">=" + minimum(r)
	if r.Marker != "" {
		text += "; " + r.Marker
	}
	return text
}

func (k *cleaner) askPins() string {
	if k.pins == "" {
		k.pins, _ = k.in.Decide(&account.Question{ID: "pins", Scope: k.scope(), Ask: "What should happen to exact versions?", Default: "loosen", Choices: []string{"loosen", "keep"},
			Why: "they were chosen for another Python version, and often have no builds for the new one; `loosen` makes them minimums"})
	}
	return k.pins
}
