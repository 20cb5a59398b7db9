package migrate

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/solve"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/requirement"
)

// solve checks pip's part of every environment if there is a resolver, and asks about those that cannot be installed.
func (m *Migration) solve() error {
	if m.Options.Resolve == nil {
		return nil
	}
	for _, c := range m.Conda {
		list := solve.List{Python: c.Python, Old: c.CNTK}
		if c.Spark {
			runtime, _ := catalog.SparkRuntime(catalog.MigrationDefault("spark-runtime").Value)
			list.Python = runtime.Python
		}
		for _, item := range c.Items {
			if item.Manager == requirement.Pip {
				list.Items = append(list.Items, item)
			}
		}
		for _, python := range slices.Backward(catalog.Pythons()) {
			if _, ended := catalog.EndedPython(python, m.Project.AsOf()); !ended && !c.Spark && !c.CNTK && python != c.Python {
				list.Others = append(list.Others, python)
			}
		}
		verdict, err := solve.Check(list, m.Options.Resolve)
		if err != nil {
			return err
		}
		c.Verdict, c.checkedFor = &verdict, list.Python
		if verdict.Outcome == solve.Unsolved {
			m.askSolve(c)
		}
	}
	return nil
}

// askSolve asks about an environment that cannot be installed, and marks it.
func (m *Migration) askSolve(c *Conda) {
	why := strings.Join(c.Verdict.Reasons, "; ")
	if change := c.Change(); change != "" {
		why += ". To change it: " + change
	}
	_, open := m.Decide(&account.Question{ID: "solve", Scope: path.Base(c.Source.File.Rel), Ask: "What does " + c.Name + " install? pip cannot install what it lists.", Choices: []string{"later"},
		Why: why + ". `later` leaves the file as it is"})
	if open {
		c.Text = slices.Concat([]byte("# "+account.Marker+": pip cannot install this list; see "+account.Report+"\n"), c.Text)
	}
}

// Result returns the resolver's result in a few words, or "" if none was run.
func (c *Conda) Result() string {
	v := c.Verdict
	switch {
	case v == nil:
		return ""
	case v.Checked == 0 && len(v.Apart) == 0:
		return "nothing for pip to install"
	case v.Checked == 0, v.Outcome == solve.Unknown:
		return "not checked"
	}
	return [...]string{solve.Solved: "solved", solve.Source: "source only", solve.Unsolved: "not solved"}[v.Outcome] + " for Python " + c.checkedFor
}

// Details returns sentences with further results of the resolver.
func (c *Conda) Details() (list []string) {
	v := c.Verdict
	if v == nil {
		return nil
	}
	list = append(list, v.Reasons...)
	if len(v.Source) > 0 {
		rest := ""
		if v.Outcome == solve.Source && v.Checked > len(v.Source) {
			rest = "; the others can be installed"
		}
		list = append(list, "published only as source, which may fail to build: "+strings.Join(v.Source, ", ")+rest)
	}
	if n := len(v.Apart); n > 0 {
		list = append(list, "not checked: "+strconv.Itoa(n)+" given by address or path, or options of pip")
	}
	return list
}

// Change returns answers that make the environment installable, or "".
func (c *Conda) Change() string {
	if c.Verdict == nil {
		return ""
	}
	var changes []string
	for _, change := range c.Verdict.Changes {
		changes = append(changes, "`--answer "+strings.ReplaceAll(change, " and ", " --answer ")+"`")
	}
	return strings.Join(changes, ", or ")
}

func (m *Migration) reportChecked(p printer) {
	if m.Options.Resolve == nil || len(m.Conda) == 0 {
		return
	}
	p("\n## Environments\n\nChecked on %s over the network: whether pip can install its part of each file from wheels only. What conda installs was not checked.\n\n", m.Project.AsOf())
	p("| file | result | details | what to change |\n|---|---|---|---|\n")
	for _, c := range m.Conda {
		p("| %s | %s | %s | %s |\n", cell(c.Name), c.Result(), cell(strings.Join(c.Details(), "; ")), cell(c.Change()))
	}
}
