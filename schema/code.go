package schema

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/amlfix/amlfix/schema/source"
)

// Code returns the text of a file that a job uploads or runs, at a slash-separated path from the root; ok is false when
// it cannot be read, or must not be read because it is outside the tree.
func (p *Project) Code(rel string) (*source.Source, bool) {
	if f := p.FileAt(rel); f != nil {
		return f.Source, f.Err == nil
	}
	name, ok := p.reach(rel)
	if !ok {
		return nil, false
	}
	if text, changed := p.disk.changed[name]; changed {
		return source.New(name, text), text != nil
	}
	if p.opts.Text != nil {
		if text, open := p.opts.Text(name); open {
			return source.New(name, text), true
		}
	}
	text, err := readFile(name)
	return source.New(name, text), err == nil && len(text) <= source.MaxSize
}

// Below returns the files in a folder and below it whose names end in a text, as paths from that folder. It leaves out
// hidden folders, and files that are deeper or more numerous than a person can have meant. A folder outside the tree
// has none. Each folder is listed once, for all versions of the project.
func (p *Project) Below(folder, ending string) (files []string) {
	for _, at := range p.disk.below(p.join(folder), func() []string { return p.list(folder) }) {
		if strings.HasSuffix(at, ending) && strings.HasSuffix(path.Base(at), ending) {
			files = append(files, at)
		}
	}
	return files
}

func (p *Project) list(folder string) (files []string) {
	const deepest, most = 4, 1000
	if !readableIn(p.disk.boundary, p.identity(p.join(folder))) {
		return nil
	}
	looked := 0
	var walk func(rel string, depth int)
	walk = func(rel string, depth int) {
		entries, err := os.ReadDir(filepath.Join(p.join(folder), filepath.FromSlash(rel)))
		if err != nil {
			return
		}
		for _, e := range entries {
			if looked++; looked > most {
				return
			}
			at := path.Join(rel, e.Name())
			switch {
			case e.Type()&fs.ModeSymlink != 0, strings.HasPrefix(e.Name(), "."):
			case e.IsDir() && depth < deepest:
				walk(at, depth+1)
			case !e.IsDir():
				files = append(files, at)
			}
		}
	}
	walk("", 0)
	return files
}

// ignoreFiles name what is not uploaded; only the first one that a code folder has is read.
var ignoreFiles = []string{".amlignore", ".gitignore"}

// Excluded returns the name of the file by which Azure ML leaves a file out when it uploads a code folder; "" when it
// does not. rel is the file's path from the folder.
func (p *Project) Excluded(folder, rel string) (by string) {
	for _, name := range ignoreFiles {
		at := path.Join(folder, name)
		if !p.Exists(at) {
			continue
		}
		if p.excludes(at, rel, false) {
			return name
		}
		return ""
	}
	return ""
}

// GitIgnores reports whether a .gitignore of the project leaves a file or folder, which need not exist, out of the
// repository. rel is its path from the project folder.
func (p *Project) GitIgnores(rel string) (ignored bool) {
	dir := ""
	for {
		if at := path.Join(dir, ".gitignore"); p.Exists(at) {
			ignored = p.excludes(at, strings.TrimPrefix(rel[len(dir):], "/"), ignored)
		}
		next, _, deeper := strings.Cut(strings.TrimPrefix(rel[len(dir):], "/"), "/")
		if !deeper {
			return ignored
		}
		dir = path.Join(dir, next)
	}
}

// excludes reports whether the patterns of an ignore file exclude a file in its folder, whose state without them is
// excluded.
func (p *Project) excludes(at, rel string, excluded bool) bool {
	text, ok := p.Code(at)
	const most = 64 << 10 // bytes written by people
	if !ok || len(text.Text) > most {
		return excluded
	}
	for line := range strings.Lines(strings.TrimPrefix(string(text.Text), "\ufeff")) {
		if pattern, leavesOut := ignorePattern(line); pattern != "" && matches(pattern, rel) {
			excluded = leavesOut
		}
	}
	return excluded
}

// matches reports whether a pattern matches a file, or a folder that it is in.
func matches(pattern, rel string) bool {
	if folder, only := strings.CutSuffix(pattern, "/"); only {
		return doublestar.MatchUnvalidated(folder+"/**/*", rel)
	}
	if strings.HasSuffix(pattern, "/**") { // what is below it, but not a file of that name
		return doublestar.MatchUnvalidated(pattern+"/*", rel)
	}
	return doublestar.MatchUnvalidated(pattern, rel) || doublestar.MatchUnvalidated(pattern+"/**/*", rel)
}

// ignorePattern returns the pattern of a line of an ignore file from its folder; "" for a line without one.
func ignorePattern(line string) (pattern string, leavesOut bool) {
	line = strings.TrimSpace(line)
	if line == "" || line[0] == '#' {
		return "", false
	}
	line, takesIn := strings.CutPrefix(line, "!")
	line = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(line)
	body := strings.TrimSuffix(line, "/")
	if !strings.Contains(body, "/") {
		line = "**/" + line
	}
	return strings.TrimPrefix(line, "/"), !takesIn
}
