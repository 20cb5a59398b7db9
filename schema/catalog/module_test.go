package catalog

import (
	"slices"
	"testing"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestLookupModule(t *testing.T) {
	m, ok := LookupModule("cv2")
	testkit.Same(t, true, ok && slices.Contains(m.Packages, "opencv-python-headless"), "cv2 is in OpenCV's packages")
	_, ok = LookupModule("os")
	testkit.Same(t, false, ok, "os is no module of a package")
}

func TestBrings(t *testing.T) {
	for name, want := range map[string]string{"seaborn": "matplotlib", "mlflow": "scikit-learn", "py-xgboost": "xgboost", "shap": "pandas", "interpret": "shap", "albumentations": "scikit-learn", "openai": "openpyxl"} {
		brings, ok := Brings(name)
		testkit.Same(t, true, ok && slices.Contains(brings, want), name+" brings "+want)
	}
	if _, ok := Brings("anaconda"); ok {
		t.Error("what anaconda installs is not recorded")
	}
}

// What a module's packages are called must be looked up in one spelling, and each of them must be known itself.
func TestModulesAreKnown(t *testing.T) {
	for _, m := range moduleIndex.rows.all() {
		for _, name := range m.Packages {
			testkit.Same(t, plain.PackageName(name), name, "is looked up in another spelling")
		}
		if _, ok := Brings(m.Packages[0]); !ok {
			t.Errorf("modules: %s is not in table brings", m.Packages[0])
		}
	}
	for _, b := range bringsIndex.rows.all() {
		testkit.Same(t, plain.PackageName(b.Package), b.Package, "is looked up in another spelling")
		for _, name := range b.Brings {
			if !slices.ContainsFunc(moduleIndex.rows.all(), func(m Module) bool { return m.Packages[0] == name }) {
				t.Errorf("brings: %s is the first package of no module", name)
			}
		}
	}
}
