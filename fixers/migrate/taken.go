package migrate

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/fixers/transaction"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
)

// Taken is a file that only a cell of a notebook contains, which writes it with %%writefile.
type Taken struct {
	// File is its path relative to the project's folder.
	File string
	// At is the cell, as FILE:LINE.
	At   string
	Text []byte
	// New means that the file is not in the project yet; otherwise it has the same text there.
	New bool
}

// version is what a file contains from a place in a notebook on.
type version struct {
	Taken
	notebook string
	from     int // the place
	unsure   bool
}

// take reads the files that cells write in notebooks that build jobs, and adds those to the project whose path and
// content are certain: a job cannot run without its script. It returns those that concern Azure ML.
func (m *Migration) take(things map[string][]*built.Thing) (found []Related) {
	all := map[string][]version{}
	for _, name := range m.scripts.notebooks {
		if list := m.scripts.written[name]; len(list) > 0 && slices.ContainsFunc(things[name], m.needsCode) && m.chosen(name) {
			m.versions(name, list, all)
		}
	}
	overlay := map[string][]byte{}
	for _, file := range slices.Sorted(maps.Keys(all)) {
		t, ok := m.latest(file, all[file], things)
		if !ok {
			continue
		}
		m.Taken = append(m.Taken, t)
		if !t.New {
			continue
		}
		overlay[m.Project.PathOf(file)] = t.Text
		found = append(found, related(filepath.Join(m.Project.Root, filepath.FromSlash(file)), string(t.Text))...)
		if path.Ext(file) == ".py" {
			m.scripts.text[file] = string(t.Text)
			m.scripts.names = append(m.scripts.names, file)
		}
	}
	slices.Sort(m.scripts.names)
	if len(overlay) > 0 {
		m.Project = m.Project.Holding(overlay)
	}
	return found
}

// needsCode reports whether something that a program builds has a folder of code and is migrated.
func (m *Migration) needsCode(th *built.Thing) bool {
	switch th.Kind {
	case built.Job:
		return true
	case built.Pipeline, built.Service, built.Surroundings:
		return m.Emitter.Format() == "v2"
	default:
		return false
	}
}

// chosen reports whether the jobs of a program are to be migrated.
func (m *Migration) chosen(program string) bool {
	names := []string{program, path.Base(program), strings.TrimSuffix(path.Base(program), path.Ext(program))}
	return len(m.Options.Configs) == 0 || slices.ContainsFunc(m.Options.Configs, func(c string) bool { return slices.Contains(names, filepath.ToSlash(c)) })
}

// versions adds to all, by path, what the cells of a notebook write.
func (m *Migration) versions(notebook string, list []writing, all map[string][]version) {
	found := built.Writings(source.New(m.Project.PathOf(notebook), []byte(m.scripts.text[notebook])), path.Dir(notebook))
	sure := func(n int) bool {
		return slices.ContainsFunc(found, func(w built.Writing) bool { return w.Number == n && w.Path != "" })
	}
	unknown := map[string]bool{} // last names of files that may be in any folder
	for n, w := range list {
		if !sure(n) {
			unknown[path.Base(w.name)] = true
		}
	}
	for _, w := range found {
		cell := list[w.Number]
		file := path.Join(path.Dir(notebook), schema.Slashes(w.Path))
		if w.Path == "" || path.IsAbs(w.Path) || !m.mayTake(file) {
			continue
		}
		v := version{Taken: Taken{File: file, At: cell.at, Text: []byte(cell.text)}, notebook: notebook, from: w.At.Start, unsure: unknown[path.Base(cell.name)]}
		if before := all[file]; cell.appends && len(before) > 0 {
			v.Text = append(slices.Clone(before[len(before)-1].Text), v.Text...)
		} else if cell.appends {
			v.unsure = true
		}
		all[file] = append(all[file], v)
	}
}

// mayTake reports whether a path is one for code: in the project, not hidden and not in the folder that is written.
func (m *Migration) mayTake(file string) bool {
	hidden := slices.ContainsFunc(strings.Split(file, "/"), func(part string) bool { return strings.HasPrefix(part, ".") })
	return named(file) && !hidden && !strings.HasPrefix(file+"/", m.down()+"/")
}

// latest returns the last version of a file; ok is false if a job is started between different ones, if notebooks write
// different ones, or if the project has another.
func (m *Migration) latest(file string, versions []version, things map[string][]*built.Thing) (t Taken, ok bool) {
	last := versions[len(versions)-1]
	for i, v := range versions {
		next := last
		if i+1 < len(versions) {
			next = versions[i+1]
		}
		switch {
		case v.unsure:
			return t, false
		case string(v.Text) == string(next.Text):
		case v.notebook != next.notebook:
			return t, false
		case slices.ContainsFunc(things[v.notebook], func(th *built.Thing) bool {
			return m.needsCode(th) && v.from < th.At.Start && th.At.Start < next.from
		}):
			return t, false
		}
	}
	t = last.Taken
	now, there := m.Project.Code(file)
	if there && string(unix(now.Text)) != string(t.Text) || !there && m.Project.Exists(file) || secret.Contains(string(t.Text)) {
		return t, false
	}
	t.New = !there
	return t, true
}

// beside returns the new files in the project's folder.
func (m *Migration) beside() (files []disk.File) {
	if m.Ignore != nil {
		files = append(files, disk.File{Name: ignoreFile, Text: m.Ignore})
	}
	for _, t := range m.Taken {
		if t.New {
			files = append(files, disk.File{Name: t.File, Text: t.Text})
		}
	}
	return files
}

// writeBeside writes the new files of the project, and returns a function that removes them.
func (m *Migration) writeBeside() (back func(), err error) {
	files := m.beside()
	if len(files) == 0 {
		return func() {}, nil
	}
	first := filepath.Join(m.Project.Root, filepath.FromSlash(files[0].Name))
	d, below, err := disk.OpenAbove(first, m.Options.Trees...)
	if err != nil {
		return nil, unwritable(first, err)
	}
	root := strings.TrimSuffix(below, files[0].Name)
	for i := range files {
		files[i].Name = root + files[i].Name
	}
	if err := d.MakeAll(files); err != nil {
		d.Close()
		if at := new(fs.PathError); errors.As(err, &at) {
			first = d.Name(at.Path)
		}
		return nil, unwritable(first, err)
	}
	return func() {
		for _, f := range files { // the folder that they are for was not written
			_ = d.Remove(f.Name)
		}
		d.Close()
	}, nil
}

// besideFiles adds the new files in the project's folder to the rewritten scripts, of which they may be some.
func (m *Migration) besideFiles(scripts []transaction.File) []transaction.File {
	if m.Ignore != nil {
		scripts = append(scripts, transaction.File{Path: filepath.Join(m.Project.Root, ignoreFile), New: m.Ignore})
	}
	for _, t := range m.Taken {
		name := filepath.Join(m.Project.Root, filepath.FromSlash(t.File))
		i := slices.IndexFunc(scripts, func(f transaction.File) bool { return f.Path == name })
		switch {
		case t.New && i >= 0:
			scripts[i].Old = nil
		case t.New:
			scripts = append(scripts, transaction.File{Path: name, New: t.Text})
		}
	}
	return scripts
}

// makeFolder creates the folder of a file of the project.
func (m *Migration) makeFolder(name string) error {
	d, below, err := disk.OpenAbove(name, m.Options.Trees...)
	if err != nil {
		return unwritable(name, err)
	}
	defer d.Close()
	if path.Dir(below) == "." {
		return nil
	}
	sub, err := d.MakeSub(path.Dir(below), 0o777)
	if err == nil {
		sub.Close()
	}
	return err
}

func (m *Migration) reportTaken(p printer) {
	if len(m.Taken) == 0 {
		return
	}
	p("\n## Files from notebooks\n\nJobs need them, and only cells with `%%%%writefile` contained them: they are in the project's folder now.\n\n| file | cell |\n|---|---|\n")
	for _, t := range m.Taken {
		p("| %s | %s |\n", cell(account.Name(t.File)), cell(account.Name(t.At)))
	}
}
