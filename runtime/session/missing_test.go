package session

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestMissing(t *testing.T) {
	for text, want := range map[string][]string{
		"FileNotFoundError: [Errno 2] No such file or directory: 'data/train.csv'\n": {"data/train.csv"},
		"FileNotFoundError: [Errno 2] No such file or directory: b'data/train.csv'":  {"data/train.csv"},
		"OSError: [Errno 2] No such file or directory: \"it's\"\n":                   {"it's"},
		"cat: data/x: No such file or directory\r\n":                                 {"data/x"},
		"cat: can't open 'data/x': No such file or directory\n":                      {"data/x"},
		"cp: cannot stat ‘data/x y’: No such file or directory\n":                    {"data/x y"},
		"head: cannot open 'data/x' for reading: No such file or directory\n":        {"data/x"},
		"No such file or directory: 'a'\nok\nNo such file or directory: 'b'\n":       {"a", "b"},
		strings.Repeat("x", 5000) + " No such file or directory: 'late'\n":           nil,
		"there is no such file\n": nil,
		strings.Repeat("x", 5000) + "\nFileNotFoundError: No such file or directory: 'c'": {"c"},
	} {
		for _, piece := range []int{len(text), 1, 7} {
			m := new(missing)
			_, err := io.CopyBuffer(struct{ io.Writer }{m}, struct{ io.Reader }{strings.NewReader(text)}, make([]byte, piece))
			testkit.OK(t, err)
			m.look()
			testkit.Same(t, want, m.paths)
		}
	}
}

func TestNotInstalled(t *testing.T) {
	for text, want := range map[string]string{
		"ModuleNotFoundError: No module named 'sklearn'\n":                                                    "the module sklearn is not installed in the image: add scikit-learn to the environment, or use an image that has it",
		"ImportError: No module named sklearn":                                                                "the module sklearn is not installed in the image: add scikit-learn to the environment, or use an image that has it",
		"[1] ModuleNotFoundError: No module named 'pandas'\r\n":                                               "the module pandas is not installed in the image: add pandas to the environment, or use an image that has it",
		"ModuleNotFoundError: No module named 'sklearn.externals'\n":                                          "",
		"ModuleNotFoundError: No module named 'mine'\n":                                                       "",
		"ModuleNotFoundError: No module named 'sklearn'\nTraceback (most recent call last):\nValueError: x\n": "",
		"no module: No module named 'sklearn' here\n":                                                         "",
	} {
		s := &Session{where: InImage}
		_, err := io.WriteString(&s.missing, text)
		testkit.OK(t, err)
		s.missing.look()
		testkit.Same(t, want, s.notInstalled(), text)
	}
	s := &Session{where: "on this machine", missing: missing{module: "sklearn"}}
	testkit.Same(t, "the module sklearn is not installed on this machine: install it there, for example with `pip install scikit-learn`", s.notInstalled())
}

func TestInProject(t *testing.T) {
	s := &Session{Job: Job{Plan: plan.Plan{Project: "/home/me/digits"}}}
	for name, want := range map[string]string{
		"data/x": "data/x", "./data//x": "data/x", "/azureml-run/data/x": "data/x", "/tmp/amlfix-1/digits/data/x": "data/x", "/etc/passwd": "", "../x": "", "data/../../x": "",
	} {
		testkit.Same(t, want, s.inProject(name))
	}
}

// TestOutsideCode checks that a missing file of the project that the code folder of a v2 job lacks is named, and no
// other.
func TestOutsideCode(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"digits/src/train.py", "digits/data/x.csv", "digits/src/data/y.csv", "other/z.csv"} {
		testkit.Write(t, root, name, "")
	}
	dir := filepath.Join(root, "digits")
	src := plan.From(filepath.Join(dir, "src"), plan.Origin{Path: "job.yml", Line: 2})
	const outside = ": of the project, only the code folder is copied (job.yml:2): make it an input of the job, or move it there"
	const without = ": without code, nothing of the project is copied: write code: ., or make it an input of the job"
	for _, tt := range []struct {
		name string
		work *plan.Work
		want string
	}{
		{"data/x.csv", &plan.Work{Code: src}, outside}, {"../data/x.csv", &plan.Work{Code: src}, outside}, {"/azureml-run/data/x.csv", &plan.Work{Code: src}, outside},
		{"data/x.csv", &plan.Work{}, without}, {"data/y.csv", &plan.Work{Code: src}, ""}, {"data/none.csv", &plan.Work{Code: src}, ""}, {"../../other/z.csv", &plan.Work{Code: src}, ""}, {"/etc/passwd", &plan.Work{Code: src}, ""},
		{"data/x.csv", nil, ""},
	} {
		s := &Session{Job: Job{Plan: plan.Plan{Project: dir, Work: tt.work}}, sent: &project.Snapshot{Root: dir}}
		if tt.work != nil && tt.work.Code.Value != "" {
			s.sent.Root = tt.work.Code.Value
		}
		s.missing.paths = []string{tt.name}
		want := tt.want
		if want != "" {
			want = "it did not find " + tt.name + want
		}
		testkit.Same(t, want, s.notSent(), tt.name)
	}
	s := &Session{Job: Job{Plan: plan.Plan{Project: dir, Work: &plan.Work{Code: src}}}, sent: &project.Snapshot{Root: src.Value, Omitted: []project.Omitted{{Path: "data", By: ".amlignore:1"}}}}
	s.missing.paths = []string{"data/y.csv"}
	testkit.Same(t, "it did not find data/y.csv, which is not copied because of .amlignore:1: take it out there, or make it an input of the job", s.notSent(), "excluded in the code folder")
}
