package main

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
)

// moved are the pages outside docs/, by their path in the repository.
var moved = map[string]string{"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "cmd/python/README.md": "python.md"}

// prepare creates the input of mkdocs: its settings, and the pages with the site's links, examples and charts.
func prepare(top, work string) error {
	docs := filepath.Join(work, "docs")
	if err := os.CopyFS(docs, os.DirFS(filepath.Join(top, "docs"))); err != nil {
		return err
	}
	pages := map[string]string{}
	err := filepath.WalkDir(docs, func(name string, _ os.DirEntry, err error) error {
		if filepath.Ext(name) == ".md" {
			name, _ = filepath.Rel(docs, name)
			pages["docs/"+filepath.ToSlash(name)] = filepath.ToSlash(name)
		}
		return err
	})
	if err != nil {
		return err
	}
	maps.Copy(pages, moved)
	for from, to := range pages {
		text, err := os.ReadFile(filepath.Join(top, from))
		if err != nil {
			return err
		}
		made, err := page(top, from, to, string(text), pages)
		if err != nil {
			return fmt.Errorf("%s: %w", from, err)
		}
		if err := os.WriteFile(filepath.Join(docs, to), []byte(made), 0o644); err != nil {
			return err
		}
	}
	if err := copyOwn("site.css", filepath.Join(docs, "site.css"), ""); err != nil {
		return err
	}
	return copyOwn("mkdocs.yml", filepath.Join(work, "mkdocs.yml"), navigation())
}

// copyOwn writes one of the command's own files, with a text appended.
func copyOwn(name, to, end string) error {
	text, err := own.ReadFile(name)
	if err != nil {
		return err
	}
	return os.WriteFile(to, append(text, end...), 0o644)
}

// page returns the text of a page in the form for the site. from and to are its paths in the repository and below the
// site's docs/.
func page(top, from, to, text string, pages map[string]string) (string, error) {
	text = leading.ReplaceAllString(text, "")
	if rule := ruleOf(to); rule != "" {
		text = rulePage(rule, text)
	}
	if inProject(to) {
		text = "---\nsearch:\n  boost: 0.3\n---\n" + text // for people who work on amlfix
	}
	if to == "index.md" || to == "playground/README.md" {
		text = "---\nhide: [navigation]\n---\n" + text // it would have a single page
	}
	if to == "playground/README.md" {
		text = strings.Replace(text, "\n\n", "\n\n[Open the playground](page/index.html){ .md-button .md-button--primary }\n\n", 1)
	}
	if to == "rules/README.md" {
		text = listed.ReplaceAllString(text, `| <span class="severity $1">$1</span> |`)
	}
	text, err := charts(text)
	if err != nil {
		return "", err
	}
	return outsideCode(indented(text), func(part string) string {
		return link.ReplaceAllStringFunc(part, func(found string) string {
			m := link.FindStringSubmatch(found)
			return "](" + target(top, path.Dir(from), to, m[1], pages) + m[2] + ")"
		})
	}), nil
}

var (
	listed  = regexp.MustCompile(`\| (error|warning|info) \|`)
	leading = regexp.MustCompile(`^<!--.*-->\n`)
	link    = regexp.MustCompile(`\]\(([^)\s#:]+)(#[^)\s]*)?\)`)
	fence   = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	item    = regexp.MustCompile(`^\d+\. `)
)

// outsideCode changes a text, except its code blocks.
func outsideCode(text string, change func(string) string) string {
	var b strings.Builder
	at := 0
	for _, m := range fence.FindAllStringIndex(text, -1) {
		b.WriteString(change(text[at:m[0]]) + text[m[0]:m[1]])
		at = m[1]
	}
	return b.String() + change(text[at:])
}

// indented indents the content of numbered list items by the four spaces that Python's Markdown requires, where GitHub
// accepts three.
func indented(text string) string {
	in := false
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		switch {
		case item.MatchString(line):
			in = true
		case in && strings.HasPrefix(line, "   "):
			lines[i] = " " + line
		case strings.TrimSpace(line) != "":
			in = false
		}
	}
	return strings.Join(lines, "")
}

// target returns where a link on a page in the folder dir leads on the site: to a page, to a file beside the pages, or
// to the file's page in the repository.
func target(top, dir, to, link string, pages map[string]string) string {
	full := path.Join(dir, link)
	info, err := os.Stat(filepath.Join(top, full))
	folder := err == nil && info.IsDir()
	if folder && pages[full+"/README.md"] != "" {
		full += "/README.md"
	}
	place, ok := pages[full]
	if !ok && strings.HasPrefix(full, "docs/") && !folder {
		place, ok = strings.TrimPrefix(full, "docs/"), true // mkdocs checks that it exists
	}
	switch {
	case ok:
		relative, err := filepath.Rel(path.Dir(to), place)
		if err != nil {
			return link
		}
		return filepath.ToSlash(relative)
	case folder:
		return ui.Homepage + "/tree/main/" + full
	}
	return ui.Homepage + "/blob/main/" + full
}
