package migrate

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// submission is a line of a README, a shell script or a CI file that submits a run: "az ml experiment submit -c NAME
// SCRIPT" of Workbench, "az ml run submit-script" and "az ml run submit-hyperdrive" of the CLI v1. What is not known is
// "".
type submission struct {
	// config is the run configuration as named, without .runconfig; filled means that something fills it in.
	config string
	filled bool
	script string
	// file and line are its position; at is the position in words, relative to the project's root.
	file string
	line int
	at   string
	// target and experiment are the values of --ct and -e.
	target, experiment string
	// conda is the conda file; folder is the folder of the code, relative to the project's or to that of the step in a
	// CI file.
	conda, folder string
	// pipeline is the YAML of a pipeline.
	pipeline string
	// sweep is the HyperDrive configuration.
	sweep     string
	arguments []string
	// words are the script and what follows it; unknown ones are "".
	words []string
	// lost are the keys of a run configuration that are given with unknown values.
	lost []string
	// sdk means that the line is for the CLI v1; command means that it is not a sentence, so that what follows the
	// script are its arguments.
	sdk, command bool
}

const (
	// maxNotes is the maximum number of files that are searched for submissions, and maxEntries the maximum number of
	// files and folders that are visited.
	maxNotes   = 2000
	maxEntries = 50_000
)

// hiddenFolders are the hidden folders of a repository with what its CI runs and what the SDK reads.
var hiddenFolders = []string{".github", ".azure-pipelines", ".azuredevops", ".pipelines", ".ci", ".gitlab", ".circleci", ".azureml"}

// readSubmissions returns the submissions in the files of the repository at top, sorted by path, what their other lines
// create, and the files that concern Azure ML. It skips files below out, which amlfix wrote, and files of projects
// other than the one at home. Links are not followed.
func readSubmissions(top, home, out string) (list []submission, lines []*schema.File, found []Related, left unsearched) {
	read, met := 0, 0
	var configs []string
	folders := listing{}
	defer func() { list = certain(list, configs, home) }()
	_ = filepath.WalkDir(top, func(name string, e fs.DirEntry, err error) error {
		met++
		switch {
		case met > maxEntries:
			left.cut = true
			return filepath.SkipAll
		case err != nil:
			left.files = append(left.files, name)
			return nil
		case e.IsDir() && name != top && (skipped(e.Name()) && !slices.Contains(hiddenFolders, e.Name()) || filepath.Clean(name) == filepath.Clean(out) || isVirtual(name) || Written(name, name) || folders.isOther(name, home, &configs)):
			return filepath.SkipDir
		case filepath.Ext(name) == ".runconfig":
			configs = append(configs, name)
			return nil
		case !e.Type().IsRegular() || !mayRelate(e.Name()):
			return nil
		case read >= maxNotes:
			left.beyond++
			return nil
		}
		read++
		if text, ok := readText(name); !ok {
			left.files = append(left.files, name)
		} else {
			if notes(e.Name()) {
				list = append(list, submissions(name, text)...)
				lines = append(lines, madeIn(name, text)...)
			}
			found = append(found, related(name, text)...)
		}
		return nil
	})
	return list, lines, found, left
}

// listing returns what is in folders, each read once, although isOther looks two levels ahead.
type listing map[string][]fs.DirEntry

func (l listing) of(dir string) []fs.DirEntry {
	entries, ok := l[dir]
	if !ok {
		entries, _ = os.ReadDir(dir) // the walk reports what cannot be read
		l[dir] = entries
	}
	return entries
}

// runConfigs returns the run configurations in a folder.
func (l listing) runConfigs(dir string) (paths []string) {
	for _, e := range l.of(dir) {
		if filepath.Ext(e.Name()) == ".runconfig" {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths
}

// isOther reports whether a folder is a project other than the one at home, and adds its run configurations to configs.
// Links are not followed.
func (l listing) isOther(dir, home string, configs *[]string) bool {
	if strings.HasPrefix(dir+string(filepath.Separator), home+string(filepath.Separator)) || strings.HasPrefix(home+string(filepath.Separator), dir+string(filepath.Separator)) {
		return false
	}
	found := l.runConfigs(dir)
	for _, e := range l.of(dir) {
		if e.IsDir() {
			found = append(found, l.runConfigs(filepath.Join(dir, e.Name()))...)
		}
	}
	*configs = append(*configs, found...)
	return len(found) > 0
}

// certain removes submissions outside the project that may refer to run configurations of several projects.
func certain(list []submission, configs []string, home string) []submission {
	return slices.DeleteFunc(list, func(s submission) bool {
		if strings.HasPrefix(s.file, home+string(filepath.Separator)) {
			return false
		}
		others := 0
		for _, name := range configs {
			switch stem := filepath.ToSlash(strings.TrimSuffix(name, ".runconfig")); {
			case !strings.HasSuffix(stem, "/"+s.config):
			case !strings.HasPrefix(name, home+string(filepath.Separator)):
				others++
			}
		}
		return others > 0
	})
}

// notes reports whether files of this name may contain command lines.
func notes(name string) bool {
	name = strings.ToLower(name)
	switch path.Ext(name) {
	case ".md", ".txt", ".rst", ".yml", ".yaml", ".sh", ".ps1", ".cmd", ".bat", ".azcli":
		return true
	}
	return strings.HasPrefix(name, "readme") || name == "makefile"
}

// submissions returns the submissions in one file.
func submissions(file, text string) (list []submission) {
	if !strings.Contains(text, "submit") {
		return nil
	}
	variables := variablesOf(file, text)
	lines := strings.Split(text, "\n")
	around := outline{lines: lines}
	for i := range lines {
		before, rest, ok := submits(lines[i])
		if !ok {
			continue
		}
		line, sdk := i+1, !strings.Contains(lines[i], "experiment submit")
		s := parseSubmission(commandWords(rest+around.continued(&i), variables))
		s.file, s.line, s.sdk, s.command = file, line, sdk, isCommand(before)
		if s.config == "" && s.command {
			s.folder = path.Join(around.workingFolder(file, line-1, variables), s.folder)
		}
		if s.config != "" || s.command && (s.pipeline != "" || len(s.words) > 0) {
			list = append(list, s)
		}
	}
	return list
}

// submits splits a line at a command that submits a run; ok is false if there is none.
func submits(line string) (before, rest string, ok bool) {
	for _, command := range []string{"experiment submit", "run submit-script", "run submit-hyperdrive", "run submit-pipeline"} {
		if before, rest, ok = strings.Cut(line, command); ok {
			break
		}
	}
	return before, inQuotes(rest), ok
}

// inQuotes returns the rest of a command line without the sentence after it, which begins at a backquote that does not
// continue the line.
func inQuotes(rest string) string {
	command, after, quoted := strings.Cut(rest, "`")
	if quoted && strings.HasSuffix(command, " ") && strings.TrimSpace(after) == "" {
		return rest
	}
	return command
}

// isCommand reports whether only a prompt, a YAML key, a quote or another command precedes "az ml" on a line.
func isCommand(before string) bool {
	before = strings.TrimSpace(before)
	before, ok := strings.CutSuffix(before, "az ml")
	before = strings.Trim(before, " \t'\"`$>|-")
	if at := strings.LastIndexAny(before, "&;(|"); at >= 0 && strings.ContainsAny(before[at:], "&;(") {
		before = strings.TrimSpace(before[at+1:])
	}
	return ok && (before == "" || strings.HasSuffix(before, ":") && !strings.Contains(before, " "))
}

// variablesOf returns the variables that a CI file sets to a text, by name.
func variablesOf(rel, text string) map[string]string {
	if ext := path.Ext(rel); ext != ".yml" && ext != ".yaml" {
		return nil
	}
	found := map[string]string{}
	add := func(name string, n *document.Node) {
		if n = n.Resolve(); n != nil && n.Kind == document.Scalar {
			found[name] = n.Text()
		}
	}
	var walk func(n *document.Node)
	walk = func(n *document.Node) {
		for _, e := range n.Entries {
			if e.Key.Value == "variables" || e.Key.Value == "env" {
				if e.Value.IsMapping() {
					for _, v := range e.Value.Resolve().Entries {
						add(v.Key.Value, v.Value)
					}
				}
				if e.Value.IsSequence() {
					for _, item := range e.Value.Resolve().Items {
						if name := item.Get("name"); name != nil {
							add(name.Text(), item.Get("value"))
						}
					}
				}
			}
			walk(e.Value)
		}
		for _, item := range n.Items {
			walk(item)
		}
	}
	for _, root := range document.Parse(source.New(rel, []byte(text))).Documents {
		walk(root)
	}
	return found
}

// commandWords splits the rest of a command line into words and replaces known variables; a word with other variables
// is "".
func commandWords(text string, variables map[string]string) (words []string) {
	for _, form := range []string{"$(%s)", "${{ variables.%s }}", "${{ env.%s }}", "${{ variables['%s'] }}", "${%s}"} {
		for name, value := range variables {
			text = strings.ReplaceAll(text, fmt.Sprintf(form, name), value)
		}
	}
	var b strings.Builder
	quote, within := rune(0), false
	end := func() {
		if word := b.String(); within && strings.ContainsAny(word, "$") {
			words = append(words, "")
		} else if within {
			words = append(words, word)
		}
		within = false
		b.Reset()
	}
	for _, r := range text {
		switch {
		case r == quote:
			quote = 0
		case quote != 0:
			b.WriteRune(r)
		case r == '"' || r == '\'':
			quote, within = r, true
		case r == ' ' || r == '\t' || r == '\r':
			end()
		case r == ';' || r == '&' || r == '|' || r == '>':
			end()
			return words
		case r != '\\' || within:
			within = true
			b.WriteRune(r)
		}
	}
	end()
	return words
}

// lineKeys maps options to the keys of a run configuration that they set.
func lineKeys() map[string]string {
	return map[string]string{"--ct": "target", "--target": "target", "-e": "experiment", "--experiment-name": "experiment", "-d": "environment.python.condaDependenciesFile", "--conda-dependencies": "environment.python.condaDependenciesFile", "--path": "sourceDirectory", "--source-directory": "sourceDirectory"}
}

// parseSubmission reads the options of a submission, and the script after them.
func parseSubmission(words []string) (s submission) {
	for i := 0; i < len(words); i++ {
		name, value, joined := strings.Cut(words[i], "=")
		if !strings.HasPrefix(name, "-") {
			if strings.HasSuffix(strings.ToLower(words[i]), ".py") || strings.HasSuffix(strings.ToLower(words[i]), ".r") {
				s.script, s.arguments = path.Clean(strings.ReplaceAll(words[i], `\`, "/")), words[i+1:]
				s.words = words[i:]
				return s
			}
			if words[i] == "" && s.words == nil {
				s.words = words[i:] // a script whose name is not known
			}
			continue
		}
		if !joined && i+1 < len(words) && !strings.HasPrefix(words[i+1], "-") {
			value = words[i+1]
		}
		used := true
		if key := lineKeys()[name]; key != "" && value == "" {
			s.lost = append(s.lost, key)
		}
		switch name {
		case "-c", "--run-configuration", "--run-configuration-name", "--configuration":
			s.config = strings.TrimSuffix(strings.ReplaceAll(value, `\`, "/"), ".runconfig")
			s.filled = value == ""
		case "--ct", "--target", "--compute-target":
			s.target = value
		case "-e", "--experiment-name":
			s.experiment = value
		case "--hyperdrive-configuration-name":
			s.sweep = strings.ReplaceAll(value, `\`, "/")
		case "-d", "--conda-dependencies":
			s.conda = strings.ReplaceAll(value, `\`, "/")
		case "--path":
			s.folder = cmp.Or(s.folder, strings.ReplaceAll(value, `\`, "/"))
		case "--source-directory":
			s.folder = strings.ReplaceAll(value, `\`, "/")
		case "-y", "--pipeline-yaml":
			s.pipeline = strings.ReplaceAll(value, `\`, "/")
		case "-t", "--output-metadata-file", "-g", "--resource-group", "-w", "--workspace-name", "--subscription-id", "--subscription", "-i", "--pipeline-id", "-n":
		default:
			used = false
		}
		if used && !joined && i+1 < len(words) && !strings.HasPrefix(words[i+1], "-") {
			i++
		}
	}
	return s
}

// names reports whether a submission names a run configuration by its path or name.
func (s submission) names(j *schema.Job) bool {
	stem := strings.TrimSuffix(j.File.Rel, ".runconfig")
	return s.config == j.Name || s.config == stem || path.Base(s.config) == j.Name && strings.HasSuffix(stem, s.config)
}

// submissionsOf returns the submissions that name a run configuration.
func (m *Migration) submissionsOf(j *schema.Job) (own []submission) {
	if m.named == nil {
		m.named = map[string][]submission{}
		for _, s := range m.submitted {
			m.named[path.Base(s.config)] = append(m.named[path.Base(s.config)], s)
		}
	}
	bases := []string{path.Base(j.Name), strings.TrimSuffix(path.Base(j.File.Rel), ".runconfig")}
	for _, base := range slices.Compact(bases) {
		for _, s := range m.named[base] {
			if s.names(j) {
				own = append(own, s)
			}
		}
	}
	return own
}
