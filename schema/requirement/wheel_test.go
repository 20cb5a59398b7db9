package requirement

import (
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// wheelNamed parses a file name.
func wheelNamed(name string) (Wheel, error) { return parseWheel(name, 0, len(name), false) }

func TestParseWheel(t *testing.T) {
	type facts struct {
		Wheel   Wheel
		Key     string
		Python  []string
		Windows bool
	}
	for in, want := range map[string]facts{
		"cntk-2.1-cp35-cp35m-linux_x86_64.whl": {
			Wheel: Wheel{Dist: "cntk", Version: "2.1", Python: "cp35", ABI: "cp35m", Platform: "linux_x86_64"},
			Key:   "cntk", Python: []string{"cp35"},
		},
		"cntk_gpu-2.5.1-cp35-cp35m-win_amd64.whl": {
			Wheel: Wheel{Dist: "cntk_gpu", Version: "2.5.1", Python: "cp35", ABI: "cp35m", Platform: "win_amd64"},
			Key:   "cntk-gpu", Python: []string{"cp35"}, Windows: true,
		},
		"cntk-2.0.beta15.0-cp27-cp27mu-linux_x86_64.whl": {
			Wheel: Wheel{Dist: "cntk", Version: "2.0.beta15.0", Python: "cp27", ABI: "cp27mu", Platform: "linux_x86_64"},
			Key:   "cntk", Python: []string{"cp27"},
		},
		"azureml.pyrecipes.dataframe-1.0.12-py3-none-any.whl": {
			Wheel: Wheel{Dist: "azureml.pyrecipes.dataframe", Version: "1.0.12", Python: "py3", ABI: "none", Platform: "any"},
			Key:   "azureml-pyrecipes-dataframe", Python: []string{"py3"},
		},
		"x-1.0+cu80-2a-cp35.cp36-abi3-manylinux1_x86_64.manylinux2010_x86_64.whl": {
			Wheel: Wheel{Dist: "x", Version: "1.0+cu80", Build: "2a", Python: "cp35.cp36", ABI: "abi3", Platform: "manylinux1_x86_64.manylinux2010_x86_64"},
			Key:   "x", Python: []string{"cp35", "cp36"},
		},
		"x-1-py2.py3-none-win32.whl": {
			Wheel: Wheel{Dist: "x", Version: "1", Python: "py2.py3", ABI: "none", Platform: "win32"},
			Key:   "x", Python: []string{"py2", "py3"}, Windows: true,
		},
		"x-1-py3-none-win_amd64.linux_x86_64.whl": {
			Wheel: Wheel{Dist: "x", Version: "1", Python: "py3", ABI: "none", Platform: "win_amd64.linux_x86_64"},
			Key:   "x", Python: []string{"py3"},
		},
		"x-1-py3-none-macosx_10_9_x86_64.whl": {
			Wheel: Wheel{Dist: "x", Version: "1", Python: "py3", ABI: "none", Platform: "macosx_10_9_x86_64"},
			Key:   "x", Python: []string{"py3"},
		},
	} {
		w, err := wheelNamed(in)
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		got := facts{bareWheel(w), w.Key(), w.PythonTags(), w.Windows()}
		testkit.Same(t, want, got, in)
		checkWheelParts(t, in, w, false)
		if w.String() != in {
			t.Errorf("%s: rebuilt as %s", in, w)
		}
	}
}

func TestParseWheelErrors(t *testing.T) {
	for _, f := range []failure{
		{"", 0, "", "ends in .whl"},
		{"cntk-2.1.tar.gz", 15, "", "ends in .whl"},
		{"cntk-2.1-cp35-linux_x86_64.whl", 0, "cntk-2.1-cp35-linux_x86_64.whl", "name-version-python"},
		{"a-1-2-3-cp35-cp35m-linux_x86_64.whl", 0, "a-1-2-3-cp35-cp35m-linux_x86_64.whl", "name-version-python"},
		{"a-1-x2-cp35-cp35m-linux_x86_64.whl", 4, "x2", "begins with a digit"},
		{"a--cp35-cp35m-linux_x86_64.whl", 2, "-", "empty part"},
		{"a-1-cp35-cp35m-.whl", 15, ".", "empty part"},
		{"a b-1-cp35-cp35m-any.whl", 1, " ", "a space"},
		{"w/a-1-cp35-cp35m-any.whl", 1, "/", "'/'"},
		{"a-1%2Bcpu-cp35-cp35m-any.whl", 3, "%", "'%'"},
	} {
		_, err := wheelNamed(f.in)
		checkFailure(t, f, err)
	}
}
