package condaenv

import (
	"cmp"
	"slices"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/requirement"
)

// newestFit returns the newest supported Python version for which every pinned version of the source, and some version
// of every other package, is known to have a wheel; "" if there is none, or nothing is pinned.
func (k *cleaner) newestFit() string {
	for _, python := range slices.Backward(catalog.Pythons()) {
		if _, ended := catalog.EndedPython(python, k.in.AsOf); !ended && k.fitsAll(python) {
			return python
		}
	}
	return ""
}

// fitsAll reports whether every pinned version of the source is known to have a wheel for a Python version. Conda's
// builds are not recorded, and TensorFlow and CNTK have their own decisions, which may change their versions.
func (k *cleaner) fitsAll(python string) bool {
	pins := 0
	for _, p := range k.packages {
		if p.Err != nil || p.Requirement.Key == "python" || p.Requirement.Key == "pip" {
			continue
		}
		r := *p.Requirement
		retired, known := catalog.LookupRetiredPackage(r.Key)
		switch wheels, listed := catalog.WheelsFor(r.Key, python); {
		case isCNTK(r) || r.Key == cpuName || r.Key == gpuName:
			return false
		case known && (retired.Action == "drop" || retired.Action == "sdk" && k.in.Scripts.Any() && !k.in.Scripts.AnyImports("azureml")):
			// it will be removed
		case conflicts(r.Key, python):
			return false
		case p.Manager == requirement.Conda || r.Kind != requirement.Package:
			if k.exact(r) || r.Wheel != nil {
				return false
			}
		case k.exact(r):
			allowed, err := r.Versions()
			pin, ok := allowed.Pin()
			if err != nil || !ok || catalog.WheelFor(r.Key, pin.String(), python) != catalog.Yes {
				return false
			}
			pins++
		case listed && cmp.Or(wheels.First, wheels.Last) == "":
			return false
		}
	}
	return pins > 0
}

// conflicts reports whether no version of a package can be installed with a Python version.
func conflicts(name, python string) bool {
	v, err := requirement.ParseVersion(python)
	return err == nil && slices.ContainsFunc(catalog.Conflicts(name), func(c catalog.Conflict) bool {
		with, err := requirement.ParseConstraint(requirement.Pip, c.WithVersions)
		return c.Package == name && c.Versions == "" && c.With == "python" && err == nil && with.Allows(v)
	})
}
