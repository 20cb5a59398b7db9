package migrate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

// report returns MIGRATION.md: what was written, what has to be decided, and what happened to every key.
func (m *Migration) report() []byte {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	p("# %s"+titleWords+"%s"+byAmlfix+" The old configuration files are unchanged. `FILE:LINE` refers to the old files.\n", m.Name(), m.Emitter.Title())
	m.reportBroken(p)
	m.reportDecisions(p)
	m.reportSecrets(p)
	m.reportTaken(p)
	m.reportRewritten(p)
	m.reportScripts(p)
	m.reportUnread(p)
	m.reportAdded(p)
	m.reportChecked(p)
	m.reportNext(p)
	m.reportKeys(p)
	m.reportLeft(p)
	m.reportRelated(p)
	m.reportUnsearched(p)
	return []byte(escape.Lines(b.String())) // --dry-run and cat show it on a terminal
}

// Broken returns the migrated files of which only the beginning is known, because they cannot be parsed. A conda file
// is asked about instead.
func (m *Migration) Broken() (files []*schema.File) {
	for _, f := range m.Project.Files {
		if f.Kind != schema.CondaFile && f.Err == nil && f.Of == "" && f.Broken() && m.Ledger.Has(f) {
			files = append(files, f)
		}
	}
	return files
}

func (m *Migration) reportBroken(p printer) {
	for i, f := range m.Broken() {
		if i == 0 {
			p("\n## Incomplete\n\nThese files cannot be parsed from the named line on, so the new files lack what follows: repair them, and migrate again.\n\n")
		}
		cause, _ := f.Stream.Prevented()
		p("- %s:%d\n", cell(f.Rel), f.Source.LineAt(cause.Span.Start))
	}
}

type printer func(format string, args ...any)

func (m *Migration) reportDecisions(p printer) {
	open, taken := m.Open(), []*account.Decision{}
	for _, d := range m.Decisions {
		if !d.Open() {
			taken = append(taken, d)
		}
	}
	if len(open) > 0 {
		p("\n## To be decided\n\nThe files contain the word %s in these places and do not work until you decide. Answer, and migrate again: files in this folder that you have not edited are written again.\n\n", account.Marker)
		p("| question | for | background | how to answer |\n|---|---|---|---|\n")
		for _, d := range open {
			p("| %s | %s | %s | %s |\n", cell(d.Ask), cell(strings.Join(d.Scopes, ", ")), cell(d.Why), code(d.How()))
		}
	}
	if len(taken) > 0 {
		p("\n## Decisions\n\nMade by default unless an answer is given. Each can be answered differently on the command line, or in `.amlfix.yaml` under `migrate:`;\n`SCOPE/ID` instead of `ID` answers for a single run configuration or file.\n\n")
		p("| question | for | answer | background | how to change it |\n|---|---|---|---|---|\n")
		for _, d := range taken {
			answer := code(secret.HideValue(d.Taken))
			if d.From != "" {
				answer += " (" + d.From + ")"
			}
			p("| %s | %s | %s | %s | %s |\n", cell(d.Ask), cell(strings.Join(d.Scopes, ", ")), answer, cell(d.Why), code(d.How()))
		}
	}
}

func (m *Migration) reportSecrets(p printer) {
	var lines []string
	for _, j := range m.Jobs {
		for _, v := range j.Variables {
			if v.Secret {
				lines = append(lines, fmt.Sprintf("- `%s` (%s): the value was not copied. %s\n", v.Name, account.Place(v.Source), m.Emitter.Secret(m, j, v)))
			}
		}
		fields := slices.Clone(j.Source.Passwords)
		if j.Source.Target != nil {
			fields = append(fields, j.Source.Target.Password())
		}
		for _, f := range fields {
			if f.Explicit && f.Text != "" {
				lines = append(lines, fmt.Sprintf("- %s logs in to a machine or a registry, and was not copied. If it is a real password, change it, because the old file contains it. Use an SSH key for a machine, and %s for a registry.\n", account.Place(f), m.registryLogin()))
			}
		}
	}
	slices.Sort(lines)
	if lines = slices.Compact(lines); len(lines) > 0 {
		rest := "The old files are part of the folder that is uploaded with the code: list them in `.amlignore`, or remove them when the new files work."
		if m.ignores {
			rest = "The old files still contain them. The `.amlignore` written by amlfix keeps them from being uploaded with the code: remove them when the new files work."
		}
		if !m.Emitter.Keeps(vendorImages) { // outside Azure nothing is uploaded
			rest = "The old files still contain them: remove them when the new files work."
		}
		if m.Emitter.Format() == SkyPilot {
			rest = "The old files still contain them, and are copied to the machine with the project: remove them when the new files work."
		}
		p("\n## Secrets\n\n%s- %s\n", strings.Join(lines, ""), rest)
	}
}

// registryLogin returns what logs in to a registry of images.
func (m *Migration) registryLogin() string {
	switch m.Emitter.Format() {
	case "compose":
		return "`docker login`"
	case "k8s":
		return "a pull secret that the Job names under `imagePullSecrets`"
	case SkyPilot:
		return "`SKYPILOT_DOCKER_PASSWORD`"
	}
	return "a workspace connection"
}

func (m *Migration) reportScripts(p printer) {
	if len(m.ScriptIssues) == 0 {
		return
	}
	p("\n## What the scripts need\n\nFound by reading them.\n\n| place | what | instead |\n|---|---|---|\n")
	for _, n := range m.ScriptIssues {
		p("| %s:%d | %s | %s |\n", cell(account.Name(n.File)), n.Line, cell(n.What), cell(n.Instead))
	}
}

func (m *Migration) reportUnread(p printer) {
	if len(m.unread) == 0 {
		return
	}
	p("\n## Not carried over\n\namlfix does not read these parts of programs. Write what matters of them into the new files.\n\n| place | what |\n|---|---|\n")
	const most = 200
	for i, n := range m.unread {
		if i == most {
			p("| and %d more | |\n", len(m.unread)-most)
			break
		}
		p("| %s:%d | %s |\n", cell(account.Name(n.File)), n.Line, cell(account.Name(n.What)))
	}
}

func (m *Migration) reportNext(p printer) {
	if next := m.Emitter.Next(m); len(next) > 0 {
		when := "Run this in"
		if len(m.Open()) > 0 {
			when = "When nothing is left to decide, run this in"
		}
		p("\n## Next\n\n%s the project's folder:\n\n```sh\ncd %s\n%s\n```\n", when, escape.Word(m.down()), strings.Join(next, "\n"))
	}
}

func (m *Migration) reportAdded(p printer) {
	var added []string
	for _, c := range m.Conda {
		for _, a := range c.Added {
			added = append(added, fmt.Sprintf("- %s: `%s`: %s\n", c.Name, a.Package, a.Why))
		}
	}
	if len(added) > 0 {
		p("\n## Added\n\n%s", strings.Join(added, ""))
	}
}

func (m *Migration) reportKeys(p printer) {
	if len(m.Ledger.Rows) == 0 {
		return
	}
	p("\n## Every key\n\nEvery key with a value in the old files, once each.\n")
	var file *schema.File
	var empty []string // the file's keys without a value, which share a line
	tellEmpty := func() {
		if len(empty) > 0 {
			p("| %s |  | %s | %s |\n", strings.Join(empty, ", "), account.Dropped, account.WhyEmpty)
		}
		empty = nil
	}
	for _, row := range m.Ledger.Rows {
		if file == nil || row.File.Rel != file.Rel {
			tellEmpty()
			file = row.File
			p("\n### %s\n\n| key | value | outcome | result |\n|---|---|---|---|\n", cell(account.Name(file.Rel)))
		}
		if row.Disposition() == account.Dropped && row.Result() == account.WhyEmpty {
			empty = append(empty, code(row.Key))
			continue
		}
		p("| %s | %s | %s | %s |\n", code(row.Key), code(row.Value), row.Disposition(), cell(row.Result()))
	}
	tellEmpty()
}

func (m *Migration) reportLeft(p printer) {
	if len(m.Skipped) == 0 {
		return
	}
	plain.SortFunc(m.Skipped, func(a, b Skipped) int { return cmp.Compare(a.File, b.File) })
	p("\n## Files left alone\n\n| file | why |\n|---|---|\n")
	for _, l := range m.Skipped {
		p("| %s | %s |\n", cell(account.Name(l.File)), cell(l.Why))
	}
}

// cell escapes a text for a table cell.
func cell(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 {
			return ' '
		}
		return r
	}, text)
	return strings.ReplaceAll(text, "|", `\|`)
}

// code formats a text as code in a table cell; "" stays empty.
func code(text string) string {
	text = cell(text)
	if strings.TrimSpace(text) == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		text = " " + text + " "
	}
	return fence + text + fence
}
