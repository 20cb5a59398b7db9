package session

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/plain"
)

// missing searches a job's output for files and modules that the job did not find.
type missing struct {
	line   []byte // the unfinished line
	paths  []string
	module string // the last one
}

// Limits on what is kept of a job's output.
const (
	missingLine  = 4 << 10 // bytes of a line
	missingPaths = 20
)

// notFound matches the messages of Python, the C library and programs that quote names about a missing file.
var notFound = plain.Regexp{Text: `(?:['"‘]([^'"‘’]+)['"’](?: for reading)?: |([^\s:'"]+): )?No such file or directory(?:: b?(?:'([^']+)'|"([^"]+)")|\s*$)`}

// noModule matches the last line of Python's traceback about a module that is not installed.
var noModule = plain.Regexp{Text: `(?:ModuleNotFound|Import)Error: No module named '?(\w+)'?\s*$`}

// The one or the other is contained in every line that notFound or noModule matches; traceback begins what an error
// ends, so that an earlier one was handled.
var (
	noFile    = []byte("No such file")
	noNamed   = []byte("No module named")
	traceback = []byte("Traceback (most recent call last)")
)

func (m *missing) Write(p []byte) (int, error) {
	rest := p
	if end := bytes.LastIndexByte(p, '\n') + 1; len(m.line) == 0 && !mayTell(p[:end]) { // the usual case
		rest = p[end:]
	}
	for len(rest) > 0 {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		m.line = append(m.line, line[:min(len(line), missingLine-len(m.line))]...)
		if rest = after; whole {
			m.look()
			m.line = m.line[:0]
		}
	}
	return len(p), nil
}

// mayTell reports whether one of some lines is of interest.
func mayTell(lines []byte) bool {
	return bytes.Contains(lines, noFile) || bytes.Contains(lines, noNamed) || bytes.Contains(lines, traceback)
}

func (m *missing) look() {
	if bytes.Contains(m.line, traceback) {
		m.module = ""
	}
	if bytes.Contains(m.line, noNamed) {
		if found := noModule.Get().FindSubmatch(m.line); found != nil {
			m.module = string(found[1])
		}
	}
	if len(m.paths) >= missingPaths || !bytes.Contains(m.line, noFile) {
		return
	}
	found := notFound.Get().FindSubmatch(m.line)
	if found == nil {
		return
	}
	if name := cmp.Or(string(found[3])+string(found[4]), string(found[1])+string(found[2])); name != "" {
		m.paths = append(m.paths, name)
	}
}

// notSent explains a job's failure by what was not sent with it; empty: nothing suggests that.
func (s *Session) notSent() string {
	if s.sent == nil {
		return ""
	}
	for _, named := range s.missing.paths {
		name := s.inProject(named)
		if why := cmp.Or(s.leftOut(name), s.outsideCode(named, name)); why != "" {
			return "it did not find " + why
		}
	}
	return ""
}

// InImage is where the programs of a job in a container are looked up.
const InImage = "in the image"

// notInstalled explains a job's failure by a well-known package that it lacks; empty: nothing suggests that.
func (s *Session) notInstalled() string {
	known, ok := catalog.LookupModule(s.missing.module)
	if !ok {
		return ""
	}
	advice := "add %[3]s to the environment, or use an image that has it"
	if s.where != InImage {
		advice = "install it there, for example with `pip install %[3]s`"
	}
	return fmt.Sprintf("the module %[1]s is not installed %[2]s: "+advice, known.Module, s.where, known.Packages[0])
}

// leftOut returns a file's name, and why it was not sent although it is in the folder that was; empty: it is not there.
func (s *Session) leftOut(name string) string {
	if name == "" {
		return ""
	}
	if _, err := os.Lstat(filepath.Join(s.sent.Root, filepath.FromSlash(name))); err != nil {
		return ""
	}
	if _, by := s.sent.Find(name); by != "" {
		return fmt.Sprintf("%s, which is not copied because of %s: %s", name, by, s.copied(by))
	}
	for _, w := range s.sent.Warnings {
		if w.Path != "" && (name == w.Path || strings.HasPrefix(name, w.Path+"/")) {
			return fmt.Sprintf("%s: %s was %s", name, w.Path, w.Text)
		}
	}
	if name == project.OutputsDir || strings.HasPrefix(name, project.OutputsDir+"/") {
		return fmt.Sprintf("%s: the content of %s/ is never copied to a job", name, project.OutputsDir)
	}
	return ""
}

// outsideCode is like leftOut, for a file of the project outside the code folder of a v2 job. named is what the job
// called it.
func (s *Session) outsideCode(named, name string) string {
	w := s.Plan.Work
	if w == nil {
		return ""
	}
	places := []string{filepath.Join(s.sent.Root, filepath.FromSlash(named))}
	if name != "" {
		places = append(places, filepath.Join(s.Plan.Project, filepath.FromSlash(name)))
	}
	for _, at := range places {
		if _, err := os.Stat(at); err != nil || !schema.Below(s.Plan.Project, at) || w.Code.Value != "" && schema.Below(w.Code.Value, at) {
			continue
		}
		if w.Code.Value == "" {
			return named + ": without code, nothing of the project is copied: write code: ., or make it an input of the job"
		}
		return fmt.Sprintf("%s: of the project, only the code folder is copied (%s): make it an input of the job, or move it there", named, w.Code.Origin)
	}
	return ""
}

// copied returns how a job can get a file that is excluded by a line of an ignore file.
func (s *Session) copied(by string) string {
	advice := "write an .amlignore without it"
	if strings.HasPrefix(path.Base(by), ".amlignore:") {
		advice = "take it out there"
	}
	if s.Plan.Work != nil {
		return advice + ", or make it an input of the job"
	}
	return advice + ", or put data into nativeSharedDirectory"
}

// inProject returns a path used by the job, slash-separated and relative to the project's root; empty: it is outside
// the project.
func (s *Session) inProject(name string) string {
	name = path.Clean(filepath.ToSlash(name))
	if path.IsAbs(name) {
		_, rest, ok := strings.Cut(name, docker.WorkDir+"/")
		if !ok {
			_, rest, ok = strings.Cut(name, "/"+filepath.Base(s.Plan.Project)+"/")
		}
		if !ok {
			return ""
		}
		name = rest
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return ""
	}
	return name
}
