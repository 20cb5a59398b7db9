package migrate

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// submission is a line of a README, a shell script or a CI file that submits a run: "az ml experiment submit -c NAME
// SCRIPT" of Workbench, "az ml run submit-script" and "az ml run submit-hyperdrive" of the CLI v1. What is not known is
// "".
type submission struct {
	// config is the run configuration as named, without .runconfig; filled means that something fills it in.
	config string
	filled bool
	// of is the path of the run configuration's file, if that is what is named.
	of     string
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
				if s.words = words[i:]; len(s.arguments) > 0 && s.arguments[0] == "--" { // ends the options of az
					s.arguments = s.arguments[1:]
					s.words = slices.Delete(slices.Clone(s.words), 1, 2)
				}
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
			if strings.Trim(value, ".…*<>") != "" { // a README leaves it out
				s.experiment = value
			}
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
