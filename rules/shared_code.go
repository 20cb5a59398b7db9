package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/shell"
	"github.com/amlfix/amlfix/schema/template"
)

// folder returns the folder that a script's job uploads, relative to the project's root; known is false if it is not on
// this computer, or not certain.
func (s *script) folder(p *schema.Project) (rel string, known bool) {
	rel, ok := s.code.Path()
	if !ok || path.IsAbs(rel) || schema.HasDrive(s.code.Text) || template.In(s.code.Text) || !p.Exists(rel) {
		return "", false
	}
	return rel, true
}

// find returns the path of a script; there is false if it was not found.
func (s *script) find(p *schema.Project) (rel string, there bool) {
	code, known := s.folder(p)
	if !known || s.Folder == "" || path.IsAbs(s.Name) {
		return "", false
	}
	if !p.IsFolder(code) {
		return code, path.Base(code) == path.Clean(s.Name)
	}
	for _, name := range s.names() {
		if at := path.Join(code, name); p.Exists(at) && !p.IsFolder(at) {
			return at, true
		}
	}
	return "", false
}

// names returns the paths, relative to the code folder, at which a script may be.
func (s *script) names() (names []string) {
	if !s.Module {
		return []string{path.Join(s.Folder, s.Name)}
	}
	file := strings.ReplaceAll(s.Name, ".", "/")
	for _, folder := range append([]string{s.Folder}, s.Paths...) {
		if folder != "" {
			names = append(names, path.Join(folder, file)+".py", path.Join(folder, file, "__main__.py"))
		}
	}
	return names
}

// missingScript reports a v2 script that is not uploaded.
func missingScript(p *Pass, s *script) {
	if s.Folder == "" || !s.Certain || s.Made || s.extended || path.IsAbs(s.Name) || schema.HasDrive(s.Name) || strings.Contains(s.Name, "://") || p.full(s.file.Source) {
		return
	}
	if s.code.Key == nil {
		uncoded(p, s)
		return
	}
	code, known := s.folder(p.Project)
	if !known {
		return
	}
	at, there := s.find(p.Project)
	inside := path.Join(s.Folder, s.Name)
	switch {
	case there:
		if by := p.Project.Excluded(code, strings.TrimPrefix(at, code+"/")); by != "" && code != at {
			p.reportAs(finding.Error, s.location(fmt.Sprintf("%s keeps %q from being uploaded, so the job cannot run it: remove it from %s", by, shortName(s.Name), by)), nil)
		}
	case s.Module:
		missingModule(p, s, code)
	case strings.HasPrefix(inside, "../"), p.Project.IsFolder(path.Join(code, inside)), s.Later && mayBeMade(p.Project, code, inside):
	default:
		p.absent(s, code)
	}
}

// mayBeMade reports whether an earlier script may create a file: it is in a folder that does not exist, or is not a
// Python file.
func mayBeMade(p *schema.Project, code, file string) bool {
	folder := path.Dir(file)
	return path.Ext(file) != ".py" || folder != "." && !p.IsFolder(path.Join(code, folder))
}

// uncoded reports a script of a job that uploads nothing, if the project contains the script: otherwise it may be
// anywhere, or just an example. The entry of a Spark step is looked up beside its file.
func uncoded(p *Pass, s *script) {
	spark := s.body != nil && (s.body.Parent != nil || s.body.Declared) && s.body.Node.Get("entry").Get("file").Text() == s.Name
	if s.Module || !s.bare && !spark || s.body.Parent != nil && s.body.Parent.Node.Get("defaults") != nil || s.body.Node.Merges() || s.body.Elsewhere {
		return
	}
	folders := holding(p.Project, s.file.Dir(), path.Join(s.Folder, s.Name))
	code := " with the folder that contains it"
	var fix *finding.Fix
	if len(folders) == 1 {
		if fix = s.code.Fix(finding.Text(folders[0]), finding.Unsafe, "upload the folder "+folders[0]); fix != nil {
			code = ": " + shortName(folders[0])
		}
	}
	switch {
	case spark:
		besideSpark(p, s, len(folders) > 0, code, fix)
	case len(folders) > 0:
		p.reportAs(finding.Error, s.location(fmt.Sprintf("this job uploads no code, so %q is missing when the job runs: add code%s", shortName(s.Name), code)), fix)
	}
}

// besideSpark reports the entry of a Spark step without code that is not beside the step's file. elsewhere means that
// another folder has it; code says which one to add, and fix adds it.
func besideSpark(p *Pass, s *script, elsewhere bool, code string, fix *finding.Fix) {
	beside := path.Join(s.file.Dir(), s.Name)
	if p.Project.Exists(beside) || strings.HasPrefix(beside, "../") {
		return
	}
	if !elsewhere && p.ignored(beside) {
		p.reportAs(finding.Warning, s.location(fmt.Sprintf("%q does not exist, and .gitignore leaves it out of the repository: make it before this file is used", shortName(s.Name))), fix)
		return
	}
	severity, rejected := finding.Error, "the pipeline"
	if s.body.Parent == nil && !p.runInPipeline(s.file) { // the client accepts the component
		severity, rejected = finding.Warning, "pipelines that run this component"
	}
	p.reportAs(severity, s.location(fmt.Sprintf("without code, a Spark step runs a file in the folder of this file, which has no %q, so Azure ML rejects %s: add code%s", shortName(s.Name), rejected, code)), fix)
}

// holding returns the folders below from that contain a file, or those below the project's root if there are none, as
// paths relative to from.
func holding(p *schema.Project, from, name string) (folders []string) {
	for up, dir := "", from; len(folders) == 0; up, dir = path.Join(up, ".."), path.Dir(dir) {
		for _, file := range p.Below(dir, path.Base(name)) {
			if folder, ok := strings.CutSuffix("./"+file, "/"+name); ok {
				folders = append(folders, path.Join(up, folder))
			}
		}
		if dir == "." || path.IsAbs(dir) || strings.HasPrefix(dir, "..") {
			break
		}
	}
	return folders
}

// missingModule reports a module that is missing from its package. It ignores packages that are not in the code folder,
// because they may be installed, and folders that are not marked as packages, unless another module's name is a near
// miss.
func missingModule(p *Pass, s *script, code string) {
	file := strings.ReplaceAll(s.Name, ".", "/")
	for _, folder := range append([]string{s.Folder}, s.Paths...) {
		if folder == "" {
			continue
		}
		at := path.Join(code, folder, file)
		if p.Project.Exists(path.Join(at, "__init__.py")) {
			p.reportAs(finding.Error, s.location(fmt.Sprintf("%q is a package without __main__.py, which Python cannot run: use a module in it", shortName(s.Name))), nil)
			return
		}
		in, root := path.Dir(at), path.Join(code, folder)
		for in != root && !p.Project.IsFolder(in) {
			in = path.Dir(in)
		}
		if in != root && (in == path.Dir(at) && p.Project.Exists(path.Join(in, "__init__.py")) || len(s.near(p, code)) > 0) {
			p.absent(s, code)
			return
		}
	}
}

// absent reports a script that is not in the code folder, and suggests what may be meant.
func (p *Pass) absent(s *script, code string) {
	name := s.Name
	if s.Folder != "." && !s.Module { // after cd
		name = path.Join(s.Folder, name)
	}
	message := fmt.Sprintf("the code folder %q has no %q, so the job fails when it starts", shortName(s.code.Text), shortName(name))
	if strings.Trim(name, "-") == "" { // in a template whose options are still to be written
		p.reportAs(finding.Error, s.location(fmt.Sprintf("%q is not a script, so the job fails when it starts: write the path of a file in the code folder %q here", name, shortName(s.code.Text))), nil)
		return
	}
	near := s.near(p, code)
	if len(near) == 0 && s.Language == shell.Python && !s.Module && shell.IsProgram(name) {
		p.reportAs(finding.Error, s.location(fmt.Sprintf("Python does not run the program %q, only scripts in the code folder %q: put it into a command of its own", name, shortName(s.code.Text))), nil)
		return
	}
	if folders := s.elsewhere(p, near); len(folders) == 1 {
		fix := s.code.Fix(finding.Text(folders[0]), finding.Unsafe, "upload the folder "+folders[0])
		p.reportAs(finding.Error, s.location(fmt.Sprintf("%s: did you mean code: %s?", message, shortName(folders[0]))), fix)
		return
	}
	if len(near) != 1 {
		p.reportAs(finding.Error, s.location(message+": write the path of a file in it, relative to that folder"), nil)
		return
	}
	message += fmt.Sprintf(": did you mean %q?", shortName(near[0]))
	var fix *finding.Fix
	if s.exact && !s.file.Stream.Repaired && plainWord(near[0]) {
		fix = finding.NewFix(finding.Unsafe, fmt.Sprintf("run %q", near[0]), finding.Splice(s.file.Source, s.at, near[0]))
	}
	p.reportAs(finding.Error, s.location(message), fix)
}

// elsewhere returns the folders that contain a script which the code folder lacks, if no file in it has nearly that
// name and no other script is in it: a path in code starts at the file that has it, not where az is called.
func (s *script) elsewhere(p *Pass, near []string) []string {
	if s.Module || s.Language == shell.Other || len(near) == 1 {
		return nil
	}
	for i := range p.shared.scripts {
		if other := &p.shared.scripts[i]; other.node == s.node {
			if _, there := other.find(p.Project); there {
				return nil
			}
		}
	}
	return holding(p.Project, s.file.Dir(), path.Join(s.Folder, s.Name))
}

// plainWord reports whether a name means the same in a shell and in YAML, with or without quotes.
func plainWord(name string) bool {
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./") == "" && !strings.HasPrefix(name, "-")
}

// near returns the scripts with a similar name, or with the same name in another folder, as the command would name
// them.
func (s *script) near(p *Pass, code string) (names []string) {
	ending := path.Ext(s.Name)
	switch {
	case s.Module:
		ending = ".py"
	case ending == "" && s.Language == shell.Python && p.Project.Exists(path.Join(code, s.Folder, s.Name)+".py"):
		return []string{s.Name + ".py"}
	}
	if ending == "" || p.compared >= mostComparisons {
		return nil
	}
	for _, file := range p.Project.Below(path.Join(code, s.Folder), ending) {
		if s.Module {
			file = strings.ReplaceAll(strings.TrimSuffix(file, ".py"), "/", ".")
		}
		names = append(names, file)
	}
	if near := p.nearest(path.Clean(s.Name), names); len(near) > 0 {
		return near
	}
	if s.Module {
		return nil
	}
	return slices.DeleteFunc(names, func(n string) bool { return path.Base(n) != path.Base(s.Name) })
}
