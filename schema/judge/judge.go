//go:build linux

package judge

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// Kind is the kind of file that a vendor's parser should expect.
type Kind string

// The kinds. azure-ai-ml reads the first three, and azureml-core reads RunConfig. Each loader of azure-ai-ml, such as
// load_model, is also a kind; it also builds the request to the service.
const (
	Job         Kind = "job" // command, spark, pipeline, as its "type" says
	Environment Kind = "environment"
	Compute     Kind = "compute"
	RunConfig   Kind = "runconfig" // a file in its project's .azureml or aml_config folder
)

// Verdict is a parser's result for a file.
type Verdict struct {
	// Accepted means that the parser accepts the file and, for jobs, that its client-side checks find no errors.
	Accepted bool
	// Faults are the errors; Warnings are its other messages.
	Faults   []Fault
	Warnings []string
	// Values are, for a run configuration, all settings as the parser would write them; for others {"class": the type
	// of the result}.
	Values map[string]any
}

// Fault is one error in the parser's words.
type Fault struct{ Path, Message string }

// String returns the verdict for a test's log.
func (v Verdict) String() string {
	if v.Accepted {
		return "accepted"
	}
	var b strings.Builder
	b.WriteString("refused")
	for _, f := range v.Faults {
		fmt.Fprintf(&b, "; %s %s", f.Path, f.Message)
	}
	return b.String()
}

// Ask returns the vendor's verdict on the file at path. It needs Python. One process serves all tests of a package and
// ends with them.
func Ask(t testing.TB, kind Kind, path string) Verdict {
	t.Helper()
	return AskWith(t, kind, path, nil)
}

// AskWith is like Ask, with the keys in given set as if on the command line.
func AskWith(t testing.TB, kind Kind, path string, given map[string]string) Verdict {
	t.Helper()
	python := Python(t)
	once.Do(func() { bench, benchErr = start(python, script) })
	testkit.OK(t, benchErr)
	abs, err := filepath.Abs(path)
	testkit.OK(t, err)
	verdict, err := bench.ask(kind, abs, given)
	if err != nil {
		t.Fatalf("%s: the judge does not answer: %v", path, err)
	}
	return verdict
}

var (
	once     sync.Once
	bench    *process
	benchErr error
)

// process is the running Python process.
type process struct {
	mu  sync.Mutex
	in  io.Writer
	out *bufio.Reader
}

//go:embed judge.py
var script string

func start(python, script string) (*process, error) {
	cmd := exec.Command(python, "-c", script)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &process{in: in, out: bufio.NewReader(out)}, cmd.Start()
}

func (c *process) ask(kind Kind, path string, given map[string]string) (v Verdict, err error) {
	answer, err := c.say(map[string]any{"kind": kind, "path": path, "given": given})
	if err != nil {
		return v, err
	}
	return v, json.Unmarshal(answer, &v)
}

// say sends a request and returns the response.
func (c *process) say(about map[string]any) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	request, err := json.Marshal(about)
	if err != nil {
		return nil, err
	}
	if _, err := c.in.Write(append(request, '\n')); err != nil {
		return nil, err
	}
	return c.out.ReadBytes('\n')
}
