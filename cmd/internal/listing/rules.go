package listing

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/plain"
)

// WriteRules writes a row for each rule.
func WriteRules(w io.Writer, style ui.Style, list []*rules.Rule) {
	table := ui.Heading(style, "RULE", "SEVERITY", "REPAIR", "WHAT IS WRONG")
	for _, r := range list {
		repair := "no"
		if r.Remedy != "" {
			repair = "yes"
		}
		table.Row(r.ID, r.Severity.String(), repair, r.Doc)
		table.Paint(0, func(id string) string { return style.Link(report.RulePage(r.ID), id) })
		table.Paint(1, report.Paint(style, r.Severity))
	}
	table.Write(w, "")
}

// RulesOf returns the rules of a group; none if there is no such group.
func RulesOf(group string) (list []*rules.Rule) {
	group = strings.TrimSuffix(strings.Trim(group, "[] "), "/")
	for _, r := range rules.All() {
		if strings.HasPrefix(r.ID, group+"/") {
			list = append(list, r)
		}
	}
	return list
}

// RuleNamed finds a rule by its ID or by the part of it after the slash. The error says which one may be meant.
func RuleNamed(name string) (*rules.Rule, error) {
	name = strings.Trim(name, "[] ")
	if rule, ok := rules.ByID(name); ok {
		return rule, nil
	}
	var ids, groups, shorts []string
	for _, r := range rules.All() {
		group, short, _ := strings.Cut(r.ID, "/")
		ids, groups, shorts = append(ids, r.ID), append(groups, group), append(shorts, short)
	}
	if i := slices.Index(shorts, name); i >= 0 && !slices.Contains(shorts[i+1:], name) {
		rule, _ := rules.ByID(ids[i])
		return rule, nil
	}
	hint := ui.DidYouMean(name, slices.Concat(ids, groups))
	if hint == "" {
		if i := slices.Index(shorts, plain.Nearest(name, shorts)); i >= 0 {
			hint = "; did you mean " + ids[i] + "?"
		}
	}
	if hint == "" && len(name) > 2 {
		hint = ui.DidYouMeanOne(slices.DeleteFunc(ids, func(id string) bool { return !strings.Contains(id, strings.ToLower(name)) }))
	}
	if hint == "" {
		hint = "; amlfix rules lists all"
	}
	return nil, fmt.Errorf("unknown rule or group %q%s", name, hint)
}
