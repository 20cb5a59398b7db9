package listing

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/settings"
)

// settingsPage is a page about the settings of projects.
type settingsPage struct {
	*check.Engine
	io.Writer
	style ui.Style
	file  string // the only file that it is about; "" for whole projects
}

// WriteSettings describes the settings of projects, each settings file once. If one file is named, those that match it
// are included.
func WriteSettings(w io.Writer, style ui.Style, e *check.Engine, roots []check.Root, named []string) {
	p := settingsPage{Engine: e, Writer: w, style: style}
	if len(named) == 1 {
		p.file = oneFile(e, named[0])
	}
	for i, first := range roots {
		same := func(r check.Root) bool { return r.Settings.Path == first.Settings.Path }
		if slices.ContainsFunc(roots[:i], same) {
			continue
		}
		var where []string
		for _, r := range roots {
			if same(r) {
				where = append(where, orThisFolder(e.Rel(r.Dir)))
			}
		}
		if p.file != "" {
			where = []string{e.Rel(p.file)}
		}
		if i > 0 {
			p.say("")
		}
		p.write(first, ui.Printable(ui.ShortList(where)))
	}
}

// say writes a line.
func (p settingsPage) say(format string, args ...any) {
	_, _ = io.WriteString(p, ui.Fold(fmt.Sprintf(format, args...), ui.Columns(p.Writer), "    ")+"\n")
}

// write describes the settings of a project, and of others in the same places.
func (p settingsPage) write(r check.Root, places string) {
	if r.Settings.Path == "" {
		why := "There is no .amlfix.yaml for"
		if p.Trust.Isolated {
			why = "No .amlfix.yaml applies to"
		}
		p.say("%s %s: the defaults apply.", why, places)
		if other := p.UnreadSettings(); other != "" {
			p.say("%s is not read: settings are in .amlfix.yaml.", ui.Printable(other))
		}
		if r.Baseline != "" {
			p.say("The findings in %s are accepted.", ui.Printable(p.Rel(r.Baseline)))
		}
		return
	}
	p.say("%s applies to %s.\n", p.style.Bold(ui.Printable(p.Rel(r.Settings.Path))), places)
	table := ui.Heading(p.style, "SETTING", "VALUE", "FROM")
	for _, row := range r.Settings.Rows() {
		if row.Name == "baseline" && r.Baseline != "" { // even if no setting names it
			row.Value = p.Rel(r.Baseline)
		}
		table.Row(row.Name, secret.HideValue(row.Value), p.origin(r.Settings, "/"+row.Name))
	}
	table.Write(p, "")
	p.decided(r.Settings)
	p.SayFaults(r)
}

// oneFile returns the identity of a path if it is a file of a project, or "".
func oneFile(e *check.Engine, named string) string {
	name := e.Identity(named)
	if list, err := schema.Discover([]string{e.Path(named)}); err != nil || len(list) != 1 || !list[0].Files.Contain(name) {
		return ""
	}
	return name
}

// orThisFolder returns a path for use in a sentence.
func orThisFolder(path string) string {
	if path == "." {
		return "this folder"
	}
	return path
}

// origin returns where a setting is set, or that it is the default.
func (p settingsPage) origin(s *settings.Settings, pointer string) string {
	path, line, ok := s.Origin(pointer)
	if !ok {
		return "default"
	}
	return fmt.Sprintf("%s:%d", p.Rel(path), line)
}

// decided lists the rules that the settings affect, if any.
func (p settingsPage) decided(s *settings.Settings) {
	file := p.file
	if file == "" {
		file = filepath.Join(s.Folder, "any") // no pattern is meant to match it
	}
	n, table := 0, ui.Heading(p.style, "RULE", "SEVERITY", "WHY")
	for _, r := range rules.All() {
		why := s.Why(r.ID, file)
		if why == "" {
			continue
		}
		severity, counts := s.Verdict(r.ID, file, r.Severity)
		word, paint := severity.String(), report.Paint(p.style, severity)
		if !counts {
			word, paint = "off", p.style.Dim
		}
		setting := why[1:]
		if before, _, found := strings.Cut(why, "severity/"); found {
			setting = before[1:] + "severity"
		}
		table.Row(r.ID, word, setting+", "+p.origin(s, why))
		table.Paint(1, paint)
		n++
	}
	if n > 0 {
		p.say("")
		table.Write(p, "")
	}
}
