package migrate

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/tracking"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/python"
	"github.com/amlfix/amlfix/schema/requirement"
)

// python returns the Python version of the job's environment, such as "3.11", or "" if it is not known.
func (j *Job) python() string {
	if j.Conda == nil || j.Dockerfile != nil {
		return ""
	}
	return j.Conda.Python
}

// refusal is a Python version and the reason why it rejects a script.
type refusal struct{ python, why string }

// refusedBy says where a Python version certainly rejects a script, or returns "". An unknown version may be Python 2.
func (s *scripts) refusedBy(name, version string) string {
	if known, asked := s.refused[name]; asked && known.python == version {
		return known.why
	}
	why := refused(name, s.text[name], version)
	s.refused[name] = refusal{version, why}
	return why
}

func refused(name, text, version string) string {
	if two := tracking.Two([]byte(text)); two > 0 && strings.HasPrefix(version, "3.") {
		return fmt.Sprintf("%s:%d is written for Python 2, but the environment has Python %s", account.Name(name), two, version)
	}
	why, unread := tracking.Foreign([]byte(text))
	switch {
	case unread && strings.HasPrefix(version, "3."):
		return account.Name(name) + " cannot be read by Python 3: " + why
	case why != "", len(text) > tracking.MaxSize, strings.HasPrefix(version, "2"):
		return ""
	}
	minor, _ := strconv.Atoi(strings.TrimPrefix(version, "3.")) // 0 if it is not known
	f, wrong := python.Refused(text, minor)
	if !wrong {
		return ""
	}
	return fmt.Sprintf("%s:%d %s", account.Name(name), 1+strings.Count(text[:f.At], "\n"), f.Why)
}

// isNotebook reports whether a file is a Jupyter notebook.
func isNotebook(name string) bool { return strings.EqualFold(path.Ext(name), ".ipynb") }

// noProgram says why a script that the job runs with Python is not a Python program, or returns "" if it may be one.
func (m *Migration) noProgram(j *Job, name string) string {
	if isNotebook(name) && !j.keeps && m.has(name) {
		return account.Name(name) + " is a notebook, whose cells Python does not run; `jupyter nbconvert --to script` converts it to a script"
	}
	if name == j.Script && j.Interpreter == "python" && !j.Spark && strings.EqualFold(path.Ext(name), ".r") {
		return account.Name(name) + " is an R script by its name, but the job runs it with Python: `framework: R` in the run configuration changes that"
	}
	if _, read := m.scripts.text[name]; read || name != j.Script || j.Interpreter != "python" || j.Spark || isNotebook(name) || !m.has(name) {
		return ""
	}
	src, ok := m.Project.Code(name) // links lead to it
	if !ok {
		return ""
	}
	return refused(name, string(src.Text), j.python())
}

// gone returns the faults of imports of modules that the script's Python version no longer has, or does not have yet,
// and that no package of the environment can provide.
func (m *Migration) gone(j *Job, name string) (faults []string) {
	add := func(i imported, why string) {
		faults = append(faults, fmt.Sprintf("%s:%d imports %s, %s", account.Name(name), i.line, i.module, why))
	}
	for _, i := range m.scripts.importsOf(name) {
		top, rest, _ := strings.Cut(i.module, ".")
		module, standard := catalog.Stdlib(top)
		switch {
		case i.dots > 0 || j.python() == "":
		case top == "azureml":
			below, _, _ := strings.Cut(rest, ".")
			if ended := slices.ContainsFunc(catalog.ScriptNeeds(), func(n catalog.ScriptNeed) bool { return n.Works == "none" && n.Pattern == "azureml."+below }); ended {
				continue // Workbench provided it
			}
			if below != "" && below != "core" && below != "mlflow" && m.Emitter.Format() != "v1" && !j.Conda.bringsSDK() && !m.scripts.own(top) {
				add(i, "and the environment has no package of SDK v1")
			}
		case standard && module.Name == top && top != "distutils" && !module.In(j.python()) && strings.HasPrefix(j.python(), "3.") && !j.Conda.brings(top) && !m.scripts.own(top):
			if module.Removed != "" && catalog.CompareVersions(j.python(), module.Removed) >= 0 {
				add(i, "which Python "+module.Removed+" removed")
			} else if module.Since != "" && catalog.CompareVersions(j.python(), module.Since) < 0 {
				add(i, "which needs Python "+module.Since+" or later")
			}
		}
	}
	return faults
}

// unset says where a script of a Spark job reads the variable of Workbench's shared folder, which such a job cannot
// set, or returns "".
func (m *Migration) unset(j *Job, name string) string {
	if !j.Spark || m.Emitter.Format() != "v2" {
		return ""
	}
	before, _, found := strings.Cut(strings.ReplaceAll(m.scripts.text[name], `"`, "'"), "environ['"+ShareVariable+"']")
	if !found {
		return ""
	}
	return fmt.Sprintf("%s:%d reads %s, which a Spark job does not set", account.Name(name), 1+strings.Count(before, "\n"), ShareVariable)
}

// unfed returns where a script takes datasets from the run on lines that certainly run; only SDK v1 put them there. Of
// a script that another one imports, these are the lines outside of functions. Source: azureml-core 1.61, InputDatasets
// reads AZUREML_DATASET_ENVIRONMENT_VARS.
func (m *Migration) unfed(name string, started bool) (faults []string) {
	lines := strings.Split(m.scripts.text[name], "\n")
	for _, l := range m.scripts.rewritten[name].Skipped {
		if line := lines[l.Line-1]; m.Emitter.Format() != "v1" && l.Unfed && (started || line == strings.TrimLeft(line, " \t")) {
			faults = append(faults, fmt.Sprintf("%s:%d takes a dataset from the run, where only SDK v1 jobs have it", account.Name(name), l.Line))
		}
	}
	return faults
}

// own reports whether the project has a file or folder with a module's name anywhere.
func (s *scripts) own(module string) bool {
	return slices.ContainsFunc(s.names, func(n string) bool {
		return n == module+".py" || strings.Contains("/"+n, "/"+module+".py") || strings.Contains("/"+n, "/"+module+"/")
	})
}

// bringsSDK reports whether something in an environment may install packages of SDK v1.
func (c *Conda) bringsSDK() bool {
	return slices.ContainsFunc(c.Items, func(i requirement.Requirement) bool {
		return i.Kind != requirement.Package || strings.Contains(i.Key, "ml") && !slices.Contains([]string{"azureml-mlflow", "mlflow", "azureml-inference-server-http"}, i.Key)
	})
}

// brings reports whether something in an environment may install a module.
func (c *Conda) brings(module string) bool {
	return slices.ContainsFunc(c.Items, func(i requirement.Requirement) bool {
		return i.Kind != requirement.Package || strings.Contains(i.Key, strings.ToLower(module))
	})
}

// outgrown reports whether a job's Python version is newer than those that a need works with. A name that any object
// may have, or that another line may define, does not count.
func (m *Migration) outgrown(j *Job, n need, works requirement.Requirement, code string) bool {
	allowed, err := works.Versions()
	version, wrong := requirement.ParseVersion(j.python())
	if err != nil || wrong != nil || allowed.Allows(version) || strings.HasPrefix(n.Pattern, ".") {
		return false
	}
	if module, ok := strings.CutPrefix(n.Pattern, "import "); ok {
		return !m.scripts.own(module) && !j.Conda.brings(module)
	}
	if containsAny(code, "version_info", "PY2", "PY3", "python_version", "except:", "except Exception") {
		return false
	}
	name, called := strings.CutSuffix(n.Pattern, "(")
	if module, _, dotted := strings.Cut(n.Pattern, "."); dotted && !called && !strings.Contains(module, " ") {
		return !strings.Contains(code, " as "+module) && importedAtOnce(code, module)
	}
	if !called {
		return true
	}
	if containsAny(code, "import *", "six", "past", "builtins", "try:") {
		return false
	}
	for at := 0; ; {
		i := indexName(code[at:], name)
		if i < 0 {
			return true
		}
		if at += i + len(name); !strings.HasPrefix(code[at:], "(") || strings.HasSuffix(strings.TrimRight(code[:at-len(name)], " "), "def") {
			return false
		}
	}
}
