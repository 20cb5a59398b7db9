package argparse_test

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/argparse"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

//go:embed testdata/judge.py
var judge string

// python is a Python process that answers requests and ends with the test.
type python struct {
	in  io.Writer
	out *bufio.Reader
}

func startPython(t *testing.T) *python {
	t.Helper()
	testkit.Program(t, "python3")
	cmd := exec.Command("python3", "-c", judge)
	in, err := cmd.StdinPipe()
	testkit.OK(t, err)
	out, err := cmd.StdoutPipe()
	testkit.OK(t, err)
	testkit.OK(t, cmd.Start())
	t.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	return &python{in, bufio.NewReader(out)}
}

func (p *python) ask(t *testing.T, request, answer any) {
	t.Helper()
	line, err := json.Marshal(request)
	testkit.OK(t, err)
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		t.Fatal(err)
	}
	got, err := p.out.ReadBytes('\n')
	testkit.OK(t, err)
	testkit.OK(t, json.Unmarshal(got, answer))
}

// call is an add_argument call in the form that both sides produce.
type call struct {
	Line     int
	Names    []string
	Type     string
	Required bool
	Choices  []string
	None     bool
	Nargs    string
}

// TestAstAgrees compares what is read from every script of the corpora with Python's ast, and checks how many of the
// scripts with one parser can be read.
func TestAstAgrees(t *testing.T) {
	p := startPython(t)
	read, single := 0, 0
	for _, dir := range []string{testkit.CorpusV2(t), testkit.Corpus(t)} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".py" {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			parser, ok := argparse.Read(text)
			if !ok && !strings.Contains(string(text), "ArgumentParser") {
				return nil
			}
			var want struct {
				Error     string
				Parsers   int
				Arguments []call
			}
			p.ask(t, map[string]string{"read": path}, &want)
			if want.Parsers == 1 {
				single++
			}
			if !ok {
				return nil
			}
			read++
			if want.Error != "" || want.Parsers != 1 {
				t.Errorf("%s is read, but Python finds %d parsers: %s", path, want.Parsers, want.Error)
				return nil
			}
			if d := cmp.Diff(want.Arguments, calls(parser, source.New(path, text))); d != "" {
				t.Errorf("%s (-ast +ours): %s", path, d)
			}
			return nil
		})
		testkit.OK(t, err)
	}
	t.Logf("%d of %d scripts with one parser are read", read, single)
	if read*10 < single*8 {
		t.Errorf("only %d of %d scripts with one parser are read", read, single)
	}
}

func calls(p argparse.Parser, src *source.Source) (all []call) {
	for _, a := range p.Arguments {
		if a.At.Len() == 0 { // -h
			continue
		}
		c := call{Line: src.Position(a.At.Start).Line, Names: a.Names, Type: a.Type, Required: a.Required, Choices: a.Choices, None: a.Max == 0 && a.Min == 0}
		switch {
		case a.Rest, a.Type == "" && a.Min == 0 && a.Max < 0:
			c.Nargs = "open"
		case a.Min == 0 && a.Max == 1:
			c.Nargs = "?"
		case a.Max < 0:
			c.Nargs = map[int]string{0: "*", 1: "+"}[a.Min]
		case a.Max > 1:
			c.Nargs = fmt.Sprint(a.Max)
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b call) int { return a.Line - b.Line })
	return all
}

// parsers are bodies of scripts for TestPythonAgrees.
var parsers = []string{
	`p.add_argument("--data", required=True); p.add_argument("--rate", type=float, default=0.1); p.add_argument("--rows", type=int)`,
	`p.add_argument("-d", "--data"); p.add_argument("-v", "--verbose", action="store_true"); p.add_argument("-n", type=int, required=True)`,
	`p.add_argument("file"); p.add_argument("--data", nargs="+"); p.add_argument("--rate", nargs="?")`,
	`p.add_argument("file"); p.add_argument("out", nargs="?"); p.add_argument("--data", choices=["a", "b"])`,
	`p.add_argument("files", nargs="*"); p.add_argument("--rate", nargs=2, type=float)`,
	`p.add_argument("--data-path"); p.add_argument("--data-rows", type=int); p.add_argument("--no-data", action="store_true")`,
	`g = p.add_mutually_exclusive_group(required=True); g.add_argument("--data"); g.add_argument("--rows", type=int); p.add_argument("--rate", action="append")`,
	`p.add_argument("--data", action=argparse.BooleanOptionalAction); p.add_argument("--rows", type=int, choices=[1, 2, 3]); p.add_argument("-1", action="store_true")`,
	`g = p.add_argument_group("a"); g.add_argument("--data", "-data"); p.add_argument("--rows", action="count"); p.add_argument("n", type=int)`,
}

var pieces = []string{"--data", "--rate", "--rows", "-d", "-n", "-v", "-v5", "-nx", "--da", "--ra", "--data=a", "--rate=2", "--rows=x", "--verbose", "--verb", "--other", "--other=1", "-x", "-1", "-1.5",
	"a", "b", "3", "0.5", "x y", "-x y", "", "-", "--", "--data-path", "--data-rows=2", "--data-", "--no-data", "1e3", "nan", "1_0", "-data", "-dat"}

// TestPythonAgrees runs scripts with random command lines, and checks that argparse rejects what Match rejects, and
// hardly anything else.
func TestPythonAgrees(t *testing.T) {
	p := startPython(t)
	random := rand.New(rand.NewPCG(1, 2))
	refused, found := 0, 0
	for i, body := range parsers {
		for _, options := range []string{"", "allow_abbrev=False", "add_help=False"} {
			script := "import argparse\np = argparse.ArgumentParser(" + options + ")\n" + body + "\nparse = p.parse_args()\n"
			parser, ok := argparse.Read([]byte(script))
			if !ok || !parser.Certain {
				t.Fatalf("parser %d is not read", i)
			}
			for range 150 {
				line := make([]string, random.IntN(6))
				words := make([]argparse.Word, len(line))
				for k := range line {
					line[k] = pieces[random.IntN(len(pieces))]
					words[k] = argparse.Word{Text: line[k]}
				}
				var answer struct{ Status int }
				p.ask(t, map[string]any{"run": script, "words": line}, &answer)
				faults := parser.Match(words)
				if len(faults) > 0 && answer.Status != 2 {
					t.Errorf("%s\n%q: %+v, but Python accepts it", script, line, faults)
				}
				if answer.Status == 2 {
					refused++
					if len(faults) > 0 {
						found++
					}
				}
			}
		}
	}
	t.Logf("of %d command lines that Python refuses %d are found", refused, found)
	if found*100 < refused*95 {
		t.Errorf("of %d command lines that Python refuses only %d are found", refused, found)
	}
}
