package session

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/reserved"
)

// namedBehind is how many of the things left behind a line names.
const namedBehind = 3

// behindLimit is how many files of a working folder are examined to find those that the job has written.
const behindLimit = 100_000

// Sending reports what is not sent with the job because git ignores it: scripts often need such data.
func (s *Session) Sending(snap project.Snapshot) {
	s.sent = &snap
	var names []string
	for _, o := range snap.Omitted {
		if o.Implied() {
			names = append(names, o.Path)
		}
	}
	if len(names) > 0 {
		s.unsent = []project.Warning{{Text: fmt.Sprintf("not copied, because .gitignore lists %s: %s; an .amlignore file takes precedence over it", plain.Them(len(names)), some(names))}}
		s.Say.Notice("%s", s.unsent[0])
	}
}

// some names the first of a list.
func some(names []string) string {
	if more := len(names) - namedBehind; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:namedBehind], ", "), more)
	}
	return strings.Join(names, ", ")
}

// Elsewhere takes the files, slash-separated and relative to the working folder, that the job may have written outside
// outputs/. It ignores what was sent with the job, and what programs leave for themselves.
func (s *Session) Elsewhere(files []string) {
	files = slices.DeleteFunc(slices.Clone(files), func(name string) bool {
		return name == project.OutputsDir || strings.HasPrefix(name, project.OutputsDir+"/") || reserved.In(name) || strings.HasSuffix(name, ".pyc") || path.Base(name) == "__pycache__"
	})
	slices.Sort(files)
	s.elsewhere = slices.Compact(files)
}

// writtenIn lists the files in a working folder on this machine that have changed since just before the job started.
func (s *Session) writtenIn(dir string) {
	since, n := s.rec.run.Record().Entered(progress.Starting), 0
	if since.IsZero() {
		return
	}
	sent := map[string]project.Entry{}
	if s.sent != nil {
		for _, e := range s.sent.Entries {
			sent[e.Path] = e
		}
	}
	var files []string
	_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error { // what cannot be read is skipped
		if n++; n > behindLimit {
			return fs.SkipAll
		}
		rel, relErr := filepath.Rel(dir, name)
		switch {
		case err != nil || relErr != nil:
			return nil
		case d.IsDir() && (rel == project.OutputsDir || reserved.Is(d.Name())):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		rel = filepath.ToSlash(rel)
		info, err := d.Info()
		if as, went := sent[rel]; err == nil && info.ModTime().After(since.Add(-clockStep)) && (!went || as.Size != info.Size() || !as.ModTime.Equal(info.ModTime())) {
			files = append(files, rel)
		}
		return nil
	})
	s.Elsewhere(files)
}

// clockStep is how far a file's time may be behind the clock.
const clockStep = 20 * time.Millisecond

// behind returns one line each about what the job has written outside outputs/, and what of outputs/ was not copied
// back.
func (s *Session) behind() (list []project.Warning) {
	if n := len(s.elsewhere); n > 0 {
		files := "a file"
		if n > 1 {
			files = fmt.Sprintf("%d files", n)
		}
		list = append(list, project.Warning{Text: fmt.Sprintf("the job wrote %s outside %s/, which will not be copied back: %s", files, project.OutputsDir, some(s.elsewhere))})
	}
	switch left := s.Result.Outputs.Warnings; len(left) {
	case 0:
	case 1:
		list = append(list, left[0])
	default:
		var names []string
		for _, w := range left {
			names = append(names, w.Path+" ("+strings.TrimPrefix(w.Text, "left out: ")+")")
		}
		list = append(list, project.Warning{Text: fmt.Sprintf("%d items in %s/ are not copied back: %s", len(left), project.OutputsDir, some(names))})
	}
	return list
}
