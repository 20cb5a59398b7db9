package session

import (
	"io"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/plan"
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

func TestInProject(t *testing.T) {
	s := &Session{Job: Job{Plan: plan.Plan{Project: "/home/me/digits"}}}
	for name, want := range map[string]string{
		"data/x": "data/x", "./data//x": "data/x", "/azureml-run/data/x": "data/x", "/tmp/amlfix-1/digits/data/x": "data/x", "/etc/passwd": "", "../x": "", "data/../../x": "",
	} {
		testkit.Same(t, want, s.inProject(name))
	}
}
