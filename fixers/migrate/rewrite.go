package migrate

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/requirement"
)

// askRewrites asks about each job and web service whose script certainly fails in its new environment: amlfix does not
// rewrite it, and the job is useless until someone does.
func (m *Migration) askRewrites() {
	for _, j := range m.Jobs {
		failing := ""
		var faults, modules []string
		for _, script := range append([]string{j.Script}, j.runs...) {
			own := m.scripts.with(script)
			modules = append(modules, own...)
			if faults = append(faults, m.faults(j, script, own, faults)...); failing == "" && len(faults) > 0 {
				failing = script
			}
		}
		if given := m.given(j); len(given) > 0 {
			faults, failing = append(faults, given...), cmp.Or(failing, j.Script)
		}
		if len(faults) > 0 {
			j.Fails = m.askRewrite(j.Name, failing, faults, modules)
		}
	}
	for _, s := range m.Services {
		script := path.Join(s.Code, s.Script)
		own := m.scripts.with(script)
		if faults := m.faults(s.Job, script, own, nil); len(faults) > 0 {
			s.Fails = m.askRewrite(s.Name, script, faults, own)
		}
	}
}

// askRewrite asks who rewrites a script that fails; open is true if there is no answer.
func (m *Migration) askRewrite(scope, script string, faults, modules []string) (open bool) {
	why := strings.Join(faults[:min(len(faults), 3)], "; ")
	if more := len(faults) - 3; more > 0 {
		why += fmt.Sprintf("; and %d more", more)
	}
	what := ": rewrite it and migrate again, or answer `later`"
	if slices.ContainsFunc(modules, func(name string) bool { return m.scripts.rewritten[name].Text != nil }) {
		what = ": `" + patchFile + "` rewrites what is certain; apply it and migrate again, do both with --rewrite-scripts, or answer `later`"
	}
	_, open = m.Decide(&account.Question{ID: "rewrite", Scope: scope, Ask: "Who rewrites " + account.Name(script) + "? It fails as it is.", Choices: []string{"later"}, Why: why + what})
	return open
}

// faults returns what certainly makes a job fail in a script and those that it imports, without known.
func (m *Migration) faults(j *Job, entry string, scripts, known []string) (list []string) {
	add := func(fault string) {
		if !slices.Contains(known, fault) && !slices.Contains(list, fault) {
			list = append(list, fault)
		}
	}
	if fault := m.noProgram(j, entry); fault != "" {
		add(fault)
	}
	for _, fault := range m.lacking(entry, scripts) {
		add(fault)
	}
	for _, name := range scripts {
		if fault := m.scripts.refusedBy(name, j.python()); fault != "" {
			add(fault)
		}
		if fault := m.unset(j, name); fault != "" {
			add(fault)
		}
		for _, fault := range append(m.gone(j, name), m.unfed(name, name == entry && !j.Serves && (j.Step == nil || j.Step.Parallel == nil))...) {
			add(fault)
		}
		for _, n := range m.scripts.needsOf(name) {
			if m.fails(j, n, m.scripts.codeOf(name)) {
				what := n.What
				if n.Works == "@sdk" {
					what = "the environment has no package of SDK v1"
				}
				add(fmt.Sprintf("%s:%d has `%s`: %s", account.Name(name), n.line, n.Pattern, what))
			}
		}
	}
	return list
}

// fails reports whether a place in a script certainly makes it fail in a job's environment.
func (m *Migration) fails(j *Job, n need, code string) bool {
	if n.Works == "" {
		return false
	}
	if module := strings.TrimPrefix(n.Pattern, "import "); n.Works == "none" || strings.HasPrefix(n.Works, "@") || module != n.Pattern {
		if !importedAtOnce(code, module) { // which no check of what is installed can prevent
			return false
		}
	} else if guarded(code) {
		return false
	}
	switch n.Works {
	case "none":
		return true
	case "@sdk":
		return m.Emitter.Format() != "v1" && j.Conda != nil && j.Dockerfile == nil && !slices.ContainsFunc(j.Conda.Items, func(i requirement.Requirement) bool {
			p, _ := catalog.LookupRetiredPackage(i.Key)
			return p.Action == "sdk" || i.Kind != requirement.Package
		})
	}
	if name, ok := strings.CutPrefix(n.Works, "@"); ok {
		return j.Conda != nil && j.Dockerfile == nil && !slices.ContainsFunc(j.Conda.Items, func(i requirement.Requirement) bool {
			return i.Kind != requirement.Package || i.Key == name
		})
	}
	works, err := requirement.ParsePip(n.Works)
	if err != nil || j.Conda == nil {
		return false
	}
	if works.Key == "python" {
		return m.outgrown(j, n, works, code)
	}
	// a name that any object may have proves nothing
	return j.Conda.without(works) || !strings.HasPrefix(n.Pattern, ".") && j.Conda.newer(works)
}

// importedAtOnce reports whether code imports a module on its own line, not in a function, a condition or a try.
func importedAtOnce(code, module string) bool {
	for line := range strings.Lines(code) {
		if importsModule(line, module) && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t") {
			return true
		}
	}
	return false
}

// without reports whether the environment cannot get any release of a package that a requirement allows; false if it
// does not name the package.
func (c *Conda) without(works requirement.Requirement) bool {
	for _, item := range c.Items {
		if item.Kind != requirement.Package || item.Key != works.Key && item.Key != works.Key+"-gpu" {
			continue
		}
		good := works.Constraint
		if wheels, known := catalog.WheelsFor(works.Key, c.Python); known && wheels.First != "" {
			good += ",>=" + wheels.First
		}
		allowed, err := item.Versions()
		still, bad := requirement.ParseConstraint(requirement.Pip, good)
		return err == nil && bad == nil && !allowed.Empty() && !allowed.Overlaps(still)
	}
	return false
}

// newer reports whether pip or conda installs a release of a package newer than the ones that a requirement allows,
// because nothing in the environment pins it.
func (c *Conda) newer(works requirement.Requirement) bool {
	good, err := works.Versions()
	named := false
	for _, item := range c.Items {
		limit := strings.TrimSpace(item.Constraint)
		switch {
		case item.Manager == requirement.Conda && (item.Key == "python" || item.Key == "pip"):
		case item.Key == "tensorflow" && works.Key == "keras" && needsKeras3(item):
		case item.Kind != requirement.Package, limit != "" && !strings.HasPrefix(limit, ">"), strings.Contains(limit, ","):
			return false
		case item.Key == works.Key:
			wheels, _ := catalog.WheelsFor(item.Key, c.Python)
			last, wrong := requirement.ParseVersion(wheels.Last)
			named = wrong == nil && !good.Allows(last)
		}
	}
	return err == nil && named
}

// needsKeras3 reports whether every TensorFlow that a requirement allows needs Keras 3. Source: the metadata of the
// wheels of tensorflow 2.15 (keras<2.16), 2.16.1 (keras>=3.0.0) and 2.20 (keras>=3.10.0).
func needsKeras3(r requirement.Requirement) bool {
	allowed, err := r.Versions()
	since, bad := requirement.ParseConstraint(requirement.Pip, ">=2.16")
	return err == nil && bad == nil && !allowed.Empty() && allowed.Within(since)
}

// with returns a script and the project's modules that it imports when it starts, as far as they are next to it or
// below the project's folder.
func (s *scripts) with(script string) (names []string) {
	const most = 50
	if _, known := s.text[script]; !known {
		return nil
	}
	names = []string{script}
	for i := 0; i < len(names) && len(names) < most; i++ {
		for line := range strings.Lines(s.codeOf(names[i])) {
			words := strings.Fields(line)
			if len(words) < 2 || words[0] != "import" && words[0] != "from" || line[0] == ' ' || line[0] == '\t' {
				continue
			}
			module := strings.ReplaceAll(strings.TrimRight(words[1], ",;"), ".", "/")
			for _, folder := range []string{path.Dir(script), "."} {
				for _, name := range []string{path.Join(folder, module) + ".py", path.Join(folder, module, "__init__.py")} {
					if _, own := s.text[name]; own && !slices.Contains(names, name) {
						names = append(names, name)
					}
				}
			}
		}
	}
	return names
}
