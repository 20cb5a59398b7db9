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
	return n.Resolve() != nil && n.Resolve().Kind == document.Scalar && fractional.Get().MatchString(n.Resolve().Value)
}

// fractions reports options of type int whose value is elsewhere, and is no whole number: the default of a component's
// input, what a child of a pipeline gives it, or one of a sweep's choices.
func (c *comparison) fractions() {
	b := c.script.body
	for i, w := range c.script.Arguments {
		if b == nil || i == 0 || len(w.Parts) != 1 || w.Parts[0].Kind != shell.Binding {
			continue
		}
		option, _ := c.script.Arguments[i-1].Literal()
		a, ok := c.parser.Option(option)
		if !ok || a.Type != "int" {
			continue
		}
		said, certain := c.fraction(b, w.Parts[0].Text)
		if said != "" {
			c.report(argparse.Fault{Word: i, Arguments: []argparse.Argument{a}, Uncertain: !certain}, fmt.Sprintf("%s of %q must be a whole number, but %s", a.Name(), shortName(c.script.Name), said), nil)
		}
	}
}

// fraction says which value of an expression is no whole number, and whether the script certainly gets it.
func (c *comparison) fraction(b *flow.Body, expression string) (said string, certain bool) {
	if name, ok := strings.CutPrefix(expression, "search_space."); ok {
		choice := b.Space.Node.Get(name).Resolve()
		values := choice.Get("values").Resolve().List()
		if i := slices.IndexFunc(values, isFraction); i >= 0 && strings.EqualFold(choice.Get("type").Text(), "choice") {
			return "one of its choices is " + shown(values[i].Text()), true
		}
		return "", false
	}
	name, ok := strings.CutPrefix(expression, "inputs.")
	if !ok || !b.Declared {
		return "", false
	}
	for _, child := range c.pass.runnersOf(b) {
		if n := child.Inputs.Node.Get(name); isFraction(n) && child.Key != nil {
			return fmt.Sprintf("the job %q of a pipeline gives it %s", shown(child.Key.Value), shown(n.Text())), true
		}
	}
	if n := b.Inputs.Node.Get(name).Resolve().Get("default"); isFraction(n) {
		return "the default of its input is " + shown(n.Text()), false
	}
	return "", false
}

// runnersOf returns the children of pipelines that run a component of the project.
func (p *Pass) runnersOf(component *flow.Body) []*flow.Body {
	if p.shared.runners == nil {
		p.shared.runners = map[*flow.Body][]*flow.Body{}
		for _, b := range p.shared.bodies {
			if b.Runs != nil {
				p.shared.runners[b.Runs] = append(p.shared.runners[b.Runs], b)
			}
		}
	}
	return p.shared.runners[component]
}
