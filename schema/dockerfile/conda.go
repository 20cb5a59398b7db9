package dockerfile

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/requirement"
)

var (
	condaValues   = []string{"-c", "--channel", "-n", "--name", "-p", "--prefix", "--solver", "--repodata-fn", "--subdir", "--platform", "--experimental-solver"}
	condaSwitches = []string{
		"-y", "--yes", "-q", "--quiet", "-v", "--verbose", "-k", "--insecure", "--override-channels", "--no-deps", "--force-reinstall", "--freeze-installed", "--update-deps",
		"--update-all", "--no-update-deps", "--strict-channel-priority", "--no-channel-priority", "--copy", "--prune", "--force", "-d", "--all", "-S", "--json",
		"--satisfied-skip-solve", "--no-pin", "--no-default-packages", "-yq", "-qy", "--no-update-dependencies",
	}
)

// conda parses the arguments of conda; false if the command installs nothing, or an option is not known.
func (b *builder) conda(words []word) bool {
	action := words[0].text
	if words = words[1:]; action == "env" && len(words) > 0 {
		if action = words[0].text; action != "create" && action != "update" {
			return false
		}
		return b.condaEnv(words[1:])
	}
	if !slices.Contains([]string{"install", "create", "remove", "uninstall"}, action) {
		return slices.Contains([]string{"clean", "init", "config", "activate", "info", "list"}, action)
	}
	var items []Item
	for n := 0; n < len(words); n++ {
		w := words[n]
		name, _, joined := strings.Cut(w.text, "=")
		switch {
		case !strings.HasPrefix(w.text, "-"):
			items = append(items, Item{Manager: requirement.Conda, Text: w.text, Span: w.span})
		case slices.Contains(condaSwitches, w.text):
		case !slices.Contains(condaValues, name):
			return false
		case !joined:
			n++
		}
	}
	b.command++
	for _, item := range items {
		if action == "remove" || action == "uninstall" {
			item.Kind = Removal
		}
		b.add(item)
	}
	return true
}

// condaEnv parses what follows "conda env create" and "conda env update".
func (b *builder) condaEnv(words []word) bool {
	var file word
	for n := 0; n < len(words); n++ {
		w := words[n]
		name, value, joined := strings.Cut(w.text, "=")
		switch {
		case name == "-f" || name == "--file":
			file = word{value, w.span}
			if !joined {
				if n++; n >= len(words) {
					return false
				}
				file = words[n]
			}
		case slices.Contains(condaSwitches, w.text):
		case !slices.Contains(condaValues, name):
			return false
		case !joined:
			n++
		}
	}
	if file.text == "" {
		return false
	}
	b.command++
	return b.file(requirement.Conda, CondaFile, file, file.span)
}
