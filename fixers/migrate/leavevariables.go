package migrate

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/shell"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/binding"
	"github.com/amlfix/amlfix/schema/secret"
)

// exports returns the commands that set the variables in whose values Azure ML replaces expressions.
func (l *leaving) exports() string {
	var out strings.Builder
	var seen []string
	for own := l.job; own != nil; own = own.Runs {
		for _, v := range own.Variables {
			if text := v.Value.Text; !slices.Contains(seen, v.Name) && l.exported(v) {
				_, _ = out.WriteString("export " + v.Name + "=")
				at := 0
				for _, e := range binding.Parse(text) {
					_, _ = out.WriteString(quoted(text[at:e.Span.Start]) + text[e.Span.Start:e.Span.End])
					at = e.Span.End
				}
				_, _ = out.WriteString(quoted(text[at:]) + "; ")
			}
			seen = append(seen, v.Name)
		}
	}
	return out.String()
}

// quoted returns a word for the shell, or "" for no text.
func quoted(text string) string {
	if text == "" {
		return ""
	}
	return shell.Quote(text)
}

// exported reports whether a variable has expressions, all of which name inputs and outputs of the job.
func (l *leaving) exported(v schema.Variable) bool {
	all := binding.Parse(v.Value.Text)
	return len(all) > 0 && IsVariable(v.Name) && !slices.ContainsFunc(all, func(e binding.Expression) bool {
		name := strings.TrimSuffix(e.Name, ".path")
		_, known := l.values[name]
		return e.Broken || !known && !slices.ContainsFunc(l.missing, func(o origin) bool { return name == "inputs."+o.name })
	})
}

// evaluated handles a variable of a v2 job in whose value Azure ML replaces expressions, and reports whether it is one.
func (m *Migration) evaluated(j *Job, v schema.Variable) (item Variable, is, kept bool) {
	l := m.lowered[j.Source.File]
	if l == nil || len(binding.Parse(v.Value.Text)) == 0 {
		return item, false, false
	}
	if l.exported(v) {
		m.Ledger.Map(j.Name, "exported in the command", "", v.Value)
		return item, true, false
	}
	item = Variable{Name: v.Name, Source: v.Value, Secret: secret.Variable(v.Name, "x")}
	if item.Secret {
		m.Ledger.Map(j.Name, "a variable that you set", "its value is a secret", v.Value)
		return item, true, true
	}
	item.Value = m.askText(j, v.Value, "value-"+account.Slug(v.Name), "the environment variable "+account.Name(v.Name),
		account.Place(v.Value)+" has an expression that names no input or output of the job")
	return item, true, true
}

// IsVariable reports whether every shell accepts the name of a variable.
func IsVariable(name string) bool {
	for i, r := range name {
		if r != '_' && (r|0x20 < 'a' || r|0x20 > 'z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}
