package migrate

import (
	"cmp"
	"slices"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/secret"
)

// shared are the ids of questions to which all jobs of a project usually have the same answer.
var shared = []string{"target", "registered", "experiment", "vm-size", "max-nodes"}

// Computed completes a question about a value that the program computes: Why, to which the question may have an
// addition, and the default, if the value comes from an option or a variable that has one.
func (m *Migration) Computed(q account.Question, f schema.Field) account.Question {
	why := account.Place(f) + " computes it"
	if th := m.built[f.File]; th != nil && f.Node != nil {
		if l, ok := th.Usually(f.Node); ok && !secret.Contains(l.Value.Value) && !secret.NameIsSecret(l.Option) && !secret.NameIsSecret(l.Variable) {
			q.Default = l.Value.Value
			if why = account.Place(f) + " takes it from the option " + account.Name(l.Option) + ", whose default this is"; l.Variable != "" {
				why = account.Place(f) + " takes it from the variable " + account.Name(l.Variable) + ", or this if that is not set"
			}
		}
	}
	if !slices.Contains(shared, q.ID) && f.Node != nil {
		q.About = cmp.Or(f.Node.Value, account.Place(f))
	}
	if q.Why = why + q.Why; len(q.Choices) > 0 {
		q.Default = "" // it is chosen among others
	}
	return q
}
