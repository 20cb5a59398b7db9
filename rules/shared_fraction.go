package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema/argparse"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/shell"
)

// fractional matches numbers that are not whole.
var fractional = plain.Regexp{Text: `^-?[0-9]*\.[0-9]*[1-9][0-9]*$`}

func isFraction(n *document.Node) bool {
	n = n.Resolve()
	return n != nil && n.Kind == document.Scalar && strings.Contains(n.Value, ".") && fractional.Get().MatchString(n.Value)
}

// fractions reports options of type int whose value is elsewhere, and is no whole number: the default of a component's
// input, what a child of a pipeline gives it, or one of a sweep's choices.
func (c *comparison) fractions() {
	var known map[string]string // by expression, which a command may repeat
	for i, w := range c.script.Arguments {
		if c.script.body == nil || i == 0 || len(w.Parts) != 1 || w.Parts[0].Kind != shell.Binding {
			continue
		}
		option, _ := c.script.Arguments[i-1].Literal()
		a, ok := c.parser.Option(option)
		if !ok || a.Type != "int" {
			continue
		}
		said, met := known[w.Parts[0].Text]
		if !met {
			if known == nil {
				known = map[string]string{}
			}
			said = c.fraction(w.Parts[0].Text)
			known[w.Parts[0].Text] = said
		}
		if said != "" {
			c.report(argparse.Fault{Word: i, Arguments: []argparse.Argument{a}, Uncertain: strings.HasPrefix(said, byDefault)}, fmt.Sprintf("%s of %q must be a whole number, but %s", a.Name(), shortName(c.script.Name), said), nil)
		}
	}
}

// byDefault begins what is said of a value that a job may replace.
const byDefault = "the default of its input is "

// fraction says which value of an expression is no whole number, or "".
func (c *comparison) fraction(expression string) string {
	b := c.script.body
	if name, ok := strings.CutPrefix(expression, "search_space."); ok {
		choice := b.Space.Node.Get(name).Resolve()
		values := choice.Get("values").Resolve().List()
		if i := slices.IndexFunc(values, isFraction); i >= 0 && strings.EqualFold(choice.Get("type").Text(), "choice") {
			return "one of its choices is " + shown(values[i].Text())
		}
		return ""
	}
	name, ok := strings.CutPrefix(expression, "inputs.")
	if !ok || !b.Declared {
		return ""
	}
	if said := c.pass.fractionsGiven()[b][name]; said != "" {
		return said
	}
	if n := b.Inputs.Node.Get(name).Resolve().Get("default"); isFraction(n) {
		return byDefault + shown(n.Text())
	}
	return ""
}

// fractionsGiven says, for each component of the project and each of its inputs, which child of a pipeline gives it a
// number that is not whole.
func (p *Pass) fractionsGiven() map[*flow.Body]map[string]string {
	if p.shared.fractions != nil {
		return p.shared.fractions
	}
	p.shared.fractions = map[*flow.Body]map[string]string{}
	for _, b := range p.shared.bodies {
		if b.Runs == nil || b.Key == nil {
			continue
		}
		for _, e := range b.Inputs.Node.Resolve().Own() {
			if !isFraction(e.Value) {
				continue
			}
			if p.shared.fractions[b.Runs] == nil {
				p.shared.fractions[b.Runs] = map[string]string{}
			}
			if of := p.shared.fractions[b.Runs]; of[e.Key.Value] == "" {
				of[e.Key.Value] = fmt.Sprintf("the job %q of a pipeline gives it %s", shown(b.Key.Value), shown(e.Value.Text()))
			}
		}
	}
	return p.shared.fractions
}
