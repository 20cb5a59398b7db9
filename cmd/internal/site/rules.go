package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/rules"
)

// ruleOf returns the rule that a page is about, or "".
func ruleOf(page string) string {
	for _, r := range rules.All() {
		if page == rulePath(r.ID) {
			return r.ID
		}
	}
	return ""
}

func rulePath(id string) string { return "rules/" + strings.ReplaceAll(id, "/", "-") + ".md" }

var (
	severity = regexp.MustCompile(`(?m)^\*\*(error|warning|info)\.\*\*`)
	example  = regexp.MustCompile("(?ms)^```\n(-- .*?)^```$")
)

// rulePage shows the files of a rule's examples separately, and ranks the page above others that use the same words in
// search results.
func rulePage(id, text string) string {
	text = severity.ReplaceAllString(text, `<span class="severity $1">$1</span>`)
	text = example.ReplaceAllStringFunc(text, func(block string) string {
		var b strings.Builder
		for _, f := range txtar.Parse([]byte(example.FindStringSubmatch(block)[1])).Files {
			fmt.Fprintf(&b, "```%s title=\"%s\"\n%s```\n\n", language(f.Name, string(f.Data)), f.Name, f.Data)
		}
		return strings.TrimSuffix(b.String(), "\n\n")
	})
	r, _ := rules.ByID(id)
	return fmt.Sprintf("---\ntitle: %s\ndescription: %q\nsearch:\n  boost: 4\n---\n%s", id, r.Doc, text)
}

// language returns the language of a file's text, for highlighting.
func language(name, text string) string {
	switch {
	case strings.HasSuffix(name, ".py"):
		return "python"
	case strings.HasSuffix(name, "Dockerfile"):
		return "dockerfile"
	case strings.HasPrefix(strings.TrimSpace(text), "{"):
		return "json"
	}
	return "yaml"
}

// groups are the sections of the navigation with their pages.
var groups = []struct {
	title string
	pages []string
}{
	{"Home", []string{"index.md"}},
	{"Start", []string{"quickstart.md", "install.md", "faq.md", "formats.md"}},
	{"Guides", []string{
		"run.md", "run-v2.md", "remote.md", "kubernetes.md", "runs.md", "migration.md", "ci.md", "editors.md", "configuration.md", "agents.md", "python.md", "facts.md",
	}},
	{"Rules", nil},
	{"Playground", []string{"playground/README.md"}},
	{"Evidence", []string{"accuracy.md", "performance.md", "security.md"}},
	{"Project", []string{"changelog.md", "contributing.md", "architecture.md", "add-a-target.md", "testing.md", "dependencies.md"}},
}

// inProject reports whether a page is about working on amlfix rather than using it.
func inProject(page string) bool { return slices.Contains(groups[len(groups)-1].pages, page) }

// navigation returns the part of mkdocs' settings that lists the pages: rules by group, in amlfix's order.
func navigation() string {
	var b strings.Builder
	b.WriteString("nav:\n")
	for _, g := range groups {
		if len(g.pages) == 1 {
			fmt.Fprintf(&b, "  - %s: %s\n", g.title, g.pages[0])
			continue
		}
		fmt.Fprintf(&b, "  - %s:\n", g.title)
		for _, p := range g.pages {
			fmt.Fprintf(&b, "      - %s\n", p)
		}
		if g.title == "Rules" {
			writeRules(&b)
		}
	}
	return b.String()
}

func writeRules(b *strings.Builder) {
	var names []string
	pages := map[string]string{}
	for _, r := range rules.All() {
		name, _, _ := strings.Cut(r.ID, "/")
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		pages[name] += fmt.Sprintf("          - %s: %s\n", r.ID, rulePath(r.ID))
	}
	b.WriteString("      - rules/README.md\n")
	for _, name := range names {
		fmt.Fprintf(b, "      - %s:\n%s", name, pages[name])
	}
}
