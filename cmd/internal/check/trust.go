package check

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/settings"
	"github.com/amlfix/amlfix/schema/source"
)

// Trust says which settings, baselines and comments count. Those in the tree are as trustworthy as its author; a pull
// request brings its own. The zero value trusts the tree. TrustFile and TrustCopy change this.
type Trust struct {
	// Isolated means that nothing in the tree counts.
	Isolated bool
	// KeepsBaseline means that the baseline in the tree still counts, because it is to be written.
	KeepsBaseline bool

	settings *settings.Settings // for all projects; nil for those in the tree
	copy     string             // the folder that provides settings and baselines; "" for the tree
	top      string             // the folder in the tree of which it is a copy
}

// Settings returns the settings for all projects; nil if each has its own.
func (t *Trust) Settings() *settings.Settings { return t.settings }

// SettingsError means that a settings file named by the user has problems: applying half of it would check something
// other than intended.
type SettingsError struct {
	Line, Column int // from 1
	Message      string
}

// Error returns the position in the file, which the caller names.
func (e *SettingsError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// TrustFile takes all settings from a file. The error is a *SettingsError if the file has problems, and otherwise says
// why it cannot be read.
func (e *Engine) TrustFile(name string) error {
	path := filepath.Clean(e.Path(name))
	text, err := e.readNamed(path)
	if err != nil {
		return plain.Cause(err)
	}
	if list := settingsFaults(text); len(list) > 0 {
		at := list[0].Source.Position(list[0].Span.Start)
		return &SettingsError{at.Line, at.Column, secret.Hide(list[0].Message)}
	}
	s := settings.Read(document.Parse(source.New(path, text)))
	if top := e.treeTop(); !schema.IsSettings(path) || !schema.Below(top, path) {
		s.Folder = top
	}
	e.Trust.settings = s
	return nil
}

// TrustCopy takes settings and baselines from a copy of the tree. The error says why the folder cannot be used.
func (e *Engine) TrustCopy(folder string) error {
	e.Trust.copy, e.Trust.top = filepath.Clean(e.Path(folder)), e.treeTop()
	info, err := os.Stat(e.Trust.copy)
	if err == nil && !info.IsDir() {
		return errors.New("it is not a folder")
	}
	return err
}

// treeTop returns the root of the repository in which amlfix was started, or the working directory outside a
// repository.
func (e *Engine) treeTop() string { return cmp.Or(schema.Repository(e.Dir), e.Dir) }

// folderOf returns the folder to which a settings file or baseline applies: its own or, if it comes from elsewhere, the
// one in the tree for which it was written.
func (t *Trust) folderOf(path string) string {
	dir := filepath.Dir(path)
	switch {
	case t.settings != nil:
		return filepath.Join(t.settings.Folder, relTo(filepath.Dir(t.settings.Path), dir))
	case t.copy != "":
		return filepath.Join(t.top, relTo(t.copy, dir))
	}
	return dir
}

// finder limits a finder's search to the copy of the tree, if there is one.
func (t *Trust) finder(finder *schema.Finder) *schema.Finder {
	if t.copy != "" {
		return finder.Below(t.copy)
	}
	return finder
}

// find returns the file that applies to a project's folder, in the tree or its copy; "" if there is none, or none that
// counts.
func (t *Trust) find(finder *schema.Finder, r schema.Root) string {
	switch {
	case t.copy != "":
		if rel := relTo(t.top, r.Dir); filepath.IsLocal(rel) {
			return finder.Find(filepath.Join(t.copy, rel))
		}
		return ""
	case t.settings != nil || t.Isolated:
		return ""
	}
	return finder.For(r)
}

// read reads a file that find has found for a project.
func (t *Trust) read(boundary, path string) ([]byte, error) {
	if t.copy != "" {
		return source.ReadWithin(t.copy, path)
	}
	return schema.ReadOwn(boundary, path)
}

// settingsOf returns the settings file that applies to a project's folder; an unsaved one counts as if it were on disk.
func (e *Engine) settingsOf(finder *schema.Finder, r schema.Root) string {
	path := e.Trust.find(finder, r)
	if e.Trust.settings != nil || e.Trust.Isolated || e.Trust.copy != "" {
		return path
	}
	for _, name := range e.sortedTexts() {
		if folder := filepath.Dir(name); schema.IsSettings(name) && schema.Below(folder, r.Dir) && (path == "" || schema.Below(filepath.Dir(path), folder)) {
			path = name
		}
	}
	return path
}

// read reads a settings file or baseline that applies to a project.
func (e *Engine) read(boundary, path string) ([]byte, error) {
	if text, ok := e.Texts[path]; ok {
		return text, nil
	}
	return e.Trust.read(boundary, path)
}

// SayFaults reports if parts of a project's settings file do not apply.
func (e *Engine) SayFaults(r Root) {
	if e.Trust.settings != nil {
		return // it has no faults, or we would not be here
	}
	name := e.Rel(r.Settings.Path)
	text, err := e.read(r.Boundary, r.Settings.Path)
	if err != nil {
		e.notice(name + ": none of it applies: " + schema.ReadError(err))
	} else if n := len(settingsFaults(text)); n > 0 {
		e.notice(fmt.Sprintf("%s has %s, so some of it may not work as intended: see amlfix check", name, plain.Count(n, "fault")))
	}
}

// settingsFaults returns what prevents parts of a settings text from applying.
func settingsFaults(text []byte) []finding.Finding {
	const name = ".amlfix.yaml"
	project := schema.Load(schema.Root{Dir: "."}, schema.Options{}).With(map[string][]byte{name: text})
	return slices.DeleteFunc(rules.Check(project), func(f finding.Finding) bool { return f.Severity < finding.Warning })
}

// readNamed reads a file named on the command line. The author of the tree may have replaced it with a link.
func (e *Engine) readNamed(path string) ([]byte, error) {
	if top := e.treeTop(); schema.Below(top, path) {
		return source.ReadWithin(top, path)
	}
	if _, err := os.Stat(path); err != nil { // which knows links in a circle; EvalSymlinks says only "too many links"
		return nil, err
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	return source.ReadWithin(filepath.Dir(real), real)
}

// relTo returns a path relative to a folder, or ".." if that is impossible; both are absolute.
func relTo(folder, path string) string {
	rel, err := filepath.Rel(folder, path)
	if err != nil {
		return ".."
	}
	return rel
}
