package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
)

// Selection is the rules that a command line selects, within those of the settings: it cannot enable what the settings
// disable. nil stands for all rules. It is immutable and safe for concurrent use.
type Selection struct{ selected, ignored []string }

// NewSelection returns the Selection for some names: IDs of rules, groups, or patterns of either, such as "gpu/cpu-*"
// or "*"; an empty selected stands for all. rules are the IDs of all rules. The error reports the first name that
// matches none of them.
func NewSelection(selected, ignored, rules []string) (*Selection, error) {
	if len(selected)+len(ignored) == 0 {
		return nil, nil
	}
	for _, name := range slices.Concat(selected, ignored) {
		if !names(name, rules) {
			return nil, fmt.Errorf("%s", noRule(name, near(name, true, rules)))
		}
	}
	return &Selection{selected, ignored}, nil
}

// Counts reports whether the findings of a rule count. As in settings, a rule's name has precedence over a group or a
// pattern; between equals, ignore wins.
func (s *Selection) Counts(rule string) bool {
	if s == nil {
		return true
	}
	selected := strength(s.selected, rule)
	if len(s.selected) > 0 && selected == 0 {
		return false
	}
	out := strength(s.ignored, rule)
	return out == 0 || out < selected
}

// Filter returns the findings that count: those of the rules, and those about settings files, whose faults change what
// else counts.
func (s *Selection) Filter(list []finding.Finding, isSettings func(path string) bool) []finding.Finding {
	if s == nil {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(f finding.Finding) bool { return !s.Counts(f.Rule) && !isSettings(f.Source.Path) })
}

// strength is 2 if a list names a rule, 1 if it names its group or has a pattern that matches it, and 0 otherwise.
func strength(list []string, rule string) (n int) {
	for _, name := range list {
		switch {
		case name == rule:
			return 2
		case covers(name, rule):
			n = 1
		}
	}
	return n
}

// covers reports whether a name is that of a rule's group, or a pattern that matches the rule or, without a slash, its
// group.
func covers(name, rule string) bool {
	group, _, _ := strings.Cut(rule, "/")
	return name == group || isPattern(name) && (match(name, rule) || !strings.Contains(name, "/") && match(name, group))
}

// names reports whether a name is that of a rule or group, or a pattern that matches a rule.
func names(name string, rules []string) bool {
	return slices.ContainsFunc(rules, func(rule string) bool { return name == rule || covers(name, rule) })
}

// isPattern reports whether a name is a pattern.
func isPattern(name string) bool {
	return strings.ContainsAny(name, "*?[{") && doublestar.ValidatePattern(name)
}

// groups returns the groups of rules, each once.
func groups(rules []string) (list []string) {
	for _, id := range rules {
		if group, _, _ := strings.Cut(id, "/"); !slices.Contains(list, group) {
			list = append(list, group)
		}
	}
	return list
}

// everything is the pattern that matches all rules, in the quotes that YAML and shells need.
const everything = "'*'"

// near returns the rules and groups that were most likely meant by a name: by its letters, or by the part after the
// slash. In a list, which may have patterns, "all" means everything.
func near(name string, list bool, rules []string) (near []string) {
	if list && strings.EqualFold(name, "all") {
		return []string{everything}
	}
	if group, all := strings.CutSuffix(name, "/*"); all && !isPattern(group) && names(group, rules) {
		return []string{group}
	}
	for _, id := range rules {
		if _, short, _ := strings.Cut(id, "/"); short == name {
			near = append(near, id)
		}
	}
	if len(near) > 0 {
		return near
	}
	return format.Nearest(name, slices.Concat(rules, groups(rules)))
}

// noRule says that a name is not that of a rule, and which ones are similar.
func noRule(name string, near []string) string {
	switch {
	case name == "":
		return "the name of a rule or group is missing; amlfix rules lists all"
	case len(near) > 0:
		return fmt.Sprintf("unknown rule or group %.60q: did you mean %s?", name, strings.Join(near, " or "))
	case isPattern(name):
		return fmt.Sprintf("no rule matches %.60q; amlfix rules lists all", name)
	}
	return fmt.Sprintf("unknown rule or group %.60q; amlfix rules lists all", name)
}
