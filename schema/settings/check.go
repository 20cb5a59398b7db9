package settings

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
)

// Check returns what is wrong with the values of a settings file beyond their types, as findings of schema/value: rules
// that do not exist, patterns that match nothing, negative numbers, questions that do not exist. rules are the IDs of
// all rules; questions are those that "choices" answers, each with its possible answers if only these are valid.
func Check(f *document.Stream, rules []string, questions map[string][]string) []finding.Finding {
	c := &checker{file: f, rules: rules, questions: questions}
	c.keys(new(Settings).keys(), f.Root())
	return c.findings
}

type checker struct {
	file      *document.Stream
	rules     []string
	questions map[string][]string
	findings  []finding.Finding
	work      work
}

// keys checks the values that a mapping has for keys.
func (c *checker) keys(list []key, of *document.Node) {
	for _, k := range list {
		if k.check != nil {
			k.check(c, of.Get(k.name).Resolve())
		}
	}
}

func (c *checker) list(n *document.Node, look func(*checker, *document.Node)) {
	for _, item := range items(n) {
		switch had := c.work; {
		case !item.IsString() || c.full():
		case c.work.takes(item.Text()):
			look(c, item)
		case had <= mostWork:
			c.report(item, "this and what follows is ignored: the patterns and names of this file are too many, too long or have too many alternatives in braces: write fewer that cover more, such as FOLDER/**", nil)
		}
	}
}

func (c *checker) rule(n *document.Node) {
	c.name(n, nil, func(near string) finding.Change {
		return finding.Change{Op: finding.SetScalar, File: c.file.Source.Path, Pointer: n.Pointer(), Value: finding.Text(near)}
	})
}

// name checks the name of a rule or group, a key of a mapping or an item of a list, which may be a pattern; change
// returns the change that corrects it. A fix never writes everything: with "ignore", nothing would be reported any
// more.
func (c *checker) name(n, mapping *document.Node, change func(near string) finding.Change) {
	name, list := n.Text(), mapping == nil
	if n.Kind != document.Scalar || names(name, c.rules) && (list || !isPattern(name)) {
		return
	}
	meant := near(name, list, c.rules)
	var fix *finding.Fix
	if len(meant) == 1 && meant[0] != everything && mapping.Get(meant[0]) == nil && c.file.Exact && !c.file.Repaired {
		fix = &finding.Fix{Title: "write " + meant[0], Applicability: finding.Safe, Changes: []finding.Change{change(meant[0])}}
	}
	message := noRule(name, meant)
	if names(name, c.rules) {
		message = fmt.Sprintf("severity takes no patterns such as %.60q: write %s", name, cmp.Or(strings.Join(meant, ""), "the name of each rule or group"))
	}
	c.report(n, message, fix)
}

func (c *checker) pattern(n *document.Node) {
	switch text := n.Text(); {
	case strings.TrimSpace(text) == "":
		c.report(n, "this pattern is empty and matches nothing: write a path such as vendor/**, or remove the item", nil)
	case !doublestar.ValidatePattern(text):
		c.report(n, fmt.Sprintf("%.60q is not a valid path pattern: a bracket [ or brace { is not closed, or it ends with a backslash", text), nil)
	case strings.Contains(text, `\`):
		c.report(n, fmt.Sprintf("%.60q has a backslash, which escapes the next character: write slashes between folders", text), nil)
	case strings.HasPrefix(text, "/"), strings.HasPrefix(text, "../"):
		c.report(n, fmt.Sprintf("%.60q matches nothing: paths begin at the folder of this file, without a slash", text), nil)
	}
}

// full reports whether the maximum number of findings is reached.
func (c *checker) full() bool { return len(c.findings) >= finding.MaxPerFile }

func (c *checker) report(n *document.Node, message string, fix *finding.Fix) {
	c.findings = append(c.findings, finding.Finding{
		Rule: format.RuleValue, Severity: finding.Error, Fix: fix,
		Location: finding.Location{Source: c.file.Source, Span: n.Span, Message: message},
	})
}
