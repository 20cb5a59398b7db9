package migrate_test

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema/testkit"
)

// sentence is a reason in the code, with a project in which the ledger gives it and a similar one in which it would be
// false.
type sentence struct {
	text       string
	yes, no    string // txtar archives
	to         string // "v2" if not given
	answers    string // for both
	config     string // the run configuration to migrate in the first one, "" for all
	notAnswers string // additional answers for the second one
}

// TestSentences checks that each reason is given where it is true and not where it would be false, and that each reason
// in the code has such a pair.
func TestSentences(t *testing.T) {
	var all []sentence
	for _, list := range sentences {
		all = append(all, list...)
	}
	for _, s := range all {
		t.Run(s.text, func(t *testing.T) {
			if yes := reported(t, s.yes, s.to, s.answers, s.config); !strings.Contains(yes, s.text) {
				t.Errorf("where it is true:\n%s", yes)
			}
			if no := reported(t, s.no, s.to, strings.TrimSpace(s.answers+" "+s.notAnswers), ""); strings.Contains(no, s.text) {
				t.Errorf("where it is false:\n%s", no)
			}
		})
	}
	var known []string
	for _, s := range all {
		known = append(known, s.text)
	}
	for _, r := range outside {
		known = append(known, r.why)
	}
	for at, text := range writtenReasons(t) {
		text := longest(text)
		if has := func(k string) bool { return strings.Contains(text, strings.TrimSpace(k)) || strings.Contains(k, text) }; !slices.ContainsFunc(known, has) && !slices.ContainsFunc(elsewhereTested, has) {
			t.Errorf("%s: %q needs a case in which it is true and one in which it is false", at, text)
		}
	}
}

// reported returns the report of a migrated project, and its other new files, whose comments also contain reasons.
func reported(t *testing.T, project, to, answers, config string) string {
	t.Helper()
	m, err := worked{project: project, to: to, answers: answers, config: config}.migrate(t)
	testkit.OK(t, err)
	var b strings.Builder
	for _, f := range m.Files {
		b.Write(f.Text)
	}
	return account.Plain(b.String())
}

// writtenReasons returns the parts, of at least three words, of the reasons in the code, by their positions: arguments
// of Drop and similar functions, and values of Why.
func writtenReasons(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	files := token.NewFileSet()
	testkit.OK(t, filepath.WalkDir(".", func(name string, e fs.DirEntry, err error) error {
		if e.IsDir() && slices.Contains([]string{"migratetest", "tracking", "testdata"}, e.Name()) {
			return filepath.SkipDir // package tracking has its own TestReasons
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		src := []byte(testkit.Read(t, name))
		f, err := parser.ParseFile(files, name, src, 0)
		testkit.OK(t, err)
		take := func(n ast.Node) {
			ast.Inspect(n, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
					text, err := strconv.Unquote(l.Value)
					testkit.OK(t, err)
					if at := files.Position(l.Pos()); len(strings.Fields(text)) >= 3 {
						found[filepath.ToSlash(at.String())] = text
					}
				}
				return true
			})
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch v := n.(type) {
			case *ast.CallExpr:
				if called := nameOf(v.Fun); slices.Contains([]string{"Drop", "drop", "left"}, called) {
					for _, a := range v.Args {
						take(a)
					}
				}
			case *ast.KeyValueExpr:
				if nameOf(v.Key) == "Why" {
					take(v.Value)
				}
			case *ast.AssignStmt:
				for i, to := range v.Lhs {
					if strings.EqualFold(nameOf(to), "why") {
						take(v.Rhs[min(i, len(v.Rhs)-1)])
					}
				}
			}
			return true
		})
		return nil
	}))
	return found
}

// longest returns the longest part of a format between its verbs.
func longest(format string) (part string) {
	for i, rest := range strings.Split(format, "%") {
		if i > 0 {
			rest = strings.TrimLeft(rest, "dsqv")
		}
		if rest = strings.TrimSpace(rest); len(rest) > len(part) {
			part = rest
		}
	}
	return part
}

// nameOf returns the last name of an expression.
func nameOf(e ast.Expr) string {
	switch v := e.(type) {
	case *ast.Ident:
		return v.Name
	case *ast.SelectorExpr:
		return v.Sel.Name
	}
	return ""
}

// elsewhereTested are reasons that only other tests can produce.
var elsewhereTested = []string{
	// solve.TestCheck: a resolver
	"`later` leaves the file as it is", "To change it:",
}

const (
	bench   = "-- train.py --\nprint(1)\n-- aml_config/vm.compute --\ntype: localdocker\nbaseDockerImage: python:3.11\nTARGET\n-- aml_config/job.runconfig --\nArgumentVector: [train.py]\nTarget: vm\nCondaDependenciesFile: aml_config/conda_dependencies.yml\nRUN\n" + condaFile
	builder = "-- train.py --\nprint(1)\n-- score.py --\nprint(1)\n-- pipe.py --\nfrom azureml.core import *\nfrom azureml.core.runconfig import *\nfrom azureml.core.compute import *\nfrom azureml.data import *\nfrom azureml.pipeline.core import *\nfrom azureml.pipeline.steps import *\nfrom azureml.train.hyperdrive import *\n"
	// optional takes values from an option and from a variable of the environment.
	optional = builder + "import argparse, os\nparser = argparse.ArgumentParser()\nparser.add_argument('-n', '--epochs-n'DEFAULT)\nargs = parser.parse_args()\nn = int(os.getenv('N'OTHER))\nScriptRunConfig('.', 'train.py', ['--n', args.epochs_n, '--m', n], compute_target='cpu', environment=Environment('e'))\n"
	oneStep  = "a = PythonScriptStep(name='A', script_name='train.py', compute_target='cpu')\n"
)

// workbench returns a project with the given lines in its run configuration and its target.
func workbench(run, target string) string {
	if strings.Contains(target, "type:") {
		return strings.NewReplacer("type: localdocker\nbaseDockerImage: python:3.11\nTARGET", target, "RUN", run).Replace(bench)
	}
	return strings.NewReplacer("TARGET", target, "RUN", run).Replace(bench)
}

// v2Job returns a v2 command job with additional lines.
func v2Job(lines string) string {
	return "-- train.py --\nprint(1)\n-- job.yml --\n$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncode: .\nenvironment: {image: \"python:3.12\"}\n" + cmp.Or(lines, "command: python train.py\n")
}

// on replaces the first occurrence of a text in a project.
func on(project, old, text string) string { return strings.Replace(project, old, text, 1) }
