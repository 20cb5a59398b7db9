package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
)

// Check returns what is wrong with the values of a settings file beyond their
// types, as findings of schema/value: rules that do not exist, patterns that
// match nothing, negative numbers, questions that are not asked. rules are the
// ids of all rules, questions those that "choices" answers, each with the answers
// where only these are right.
func Check(f *document.Stream, rules []string, questions map[string][]string) []finding.Finding {
	c := &checker{file: f, rules: rules, questions: questions}
	for _, id := range rules {
		if group, _, _ := strings.Cut(id, "/"); !slices.Contains(c.groups, group) {
			c.groups = append(c.groups, group)
		}
	}
	for _, k := range new(Settings).keys() {
		k.value.check(c, f.Root().Get(k.name))
	}
	return c.findings
}

type checker struct {
	file          *document.Stream
	rules, groups []string
	questions     map[string][]string
	findings      []finding.Finding
}

func (c *checker) list(n *document.Node, look func(*document.Node)) {
	for _, item := range items(n) {
		if item.IsString() && !c.full() {
			look(item)
		}
	}
}

func (c *checker) rule(n *document.Node) {
	c.name(n, func(near string) finding.Change {
		return finding.Change{Op: finding.SetScalar, File: c.file.Source.Path, Pointer: n.Pointer(), Value: finding.Text(near)}
	})
}

// name looks at the name of a rule or group; change returns what corrects it.
func (c *checker) name(n *document.Node, change func(near string) finding.Change) {
	name := n.Text()
	if n.Kind != document.Scalar || slices.Contains(c.rules, name) || slices.Contains(c.groups, name) {
		return
	}
	message := fmt.Sprintf("there is no rule or group %.60q", name)
	near := c.near(name)
	if len(near) > 0 {
		message += ": did you mean " + strings.Join(near, " or ") + "?"
	} else {
		message += "; amlfix rules lists all"
	}
	var fix *finding.Fix
	if len(near) == 1 && c.file.Exact && !c.file.Repaired {
		fix = &finding.Fix{Title: "write " + near[0], Applicability: finding.Safe, Changes: []finding.Change{change(near[0])}}
	}
	c.report(n, message, fix)
}

// near returns the rules and groups that a name is most likely a slip of: by its
// letters, or by the part behind the slash.
func (c *checker) near(name string) (near []string) {
	for _, id := range c.rules {
		if _, short, _ := strings.Cut(id, "/"); short == name {
			near = append(near, id)
		}
	}
	if len(near) > 0 {
		return near
	}
	return format.Nearest(name, slices.Concat(c.rules, c.groups))
}

func (c *checker) pattern(n *document.Node) {
	switch text := n.Text(); {
	case strings.TrimSpace(text) == "":
		c.report(n, "this pattern is empty and matches nothing: write a path such as vendor/**, or remove the item", nil)
	case !doublestar.ValidatePattern(text):
		c.report(n, fmt.Sprintf("%.60q is no pattern of paths: a bracket [ or brace { is not closed, or a backslash stands at its end", text), nil)
	case strings.Contains(text, `\`):
		c.report(n, fmt.Sprintf("%.60q has a backslash, which takes the meaning from the next character: write slashes between folders", text), nil)
	case strings.HasPrefix(text, "/"), strings.HasPrefix(text, "../"):
		c.report(n, fmt.Sprintf("%.60q matches nothing: paths begin at the folder of this file, without a slash", text), nil)
	}
}

// full reports whether as many findings are known as anybody wants.
func (c *checker) full() bool { return len(c.findings) >= finding.MaxPerFile }

func (c *checker) report(n *document.Node, message string, fix *finding.Fix) {
	c.findings = append(c.findings, finding.Finding{
		Rule: format.RuleValue, Severity: finding.Error, Fix: fix,
		Location: finding.Location{Source: c.file.Source, Span: n.Span, Message: message},
	})
}
