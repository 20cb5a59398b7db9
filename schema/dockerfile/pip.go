package dockerfile

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/source"
)

// The pip options besides requirement.IndexOptions, with and without a value.
var (
	pipValues = []string{
		"-c", "--constraint", "-e", "--editable", "--upgrade-strategy", "--progress-bar", "--no-binary", "--only-binary", "--trusted-host", "--timeout",
		"--default-timeout", "--retries", "--proxy", "--cert", "--client-cert", "--cache-dir", "--log", "--use-feature", "--use-deprecated", "--global-option",
		"--config-settings", "-C", "--build-option", "--install-option", "--keyring-provider", "--exists-action", "--report", "--root-user-action", "--src", "--index-strategy",
	}
	pipSwitches = []string{
		"-U", "--upgrade", "--no-cache-dir", "--no-deps", "--pre", "--user", "-q", "-qq", "--quiet", "-v", "-vv", "--verbose", "--force-reinstall", "-I", "--ignore-installed",
		"--no-build-isolation", "--no-input", "--disable-pip-version-check", "--no-warn-script-location", "--break-system-packages", "--prefer-binary", "--no-index", "--isolated",
		"--no-compile", "--compile", "--require-hashes", "-y", "--yes", "--system", "--no-cache", "--use-pep517", "--no-use-pep517", "--no-color", "--ignore-requires-python",
		"--no-python-version-warning", "--no-clean", "--use-deprecated=legacy-resolver", "--only-deps",
	}
)

// pip parses the arguments of pip; false if the command is not install, or if an option is not known, because it is
// then not certain what is installed, or where.
func (b *builder) pip(words []word) bool {
	var items []Item
	var files []word
	action := ""
	for n := 0; n < len(words); n++ {
		w := words[n]
		name, value, joined := strings.Cut(w.text, "=")
		if !strings.HasPrefix(w.text, "-") {
			if action == "" {
				if action = w.text; action != "install" && action != "uninstall" {
					return action == "list" || action == "check" || action == "freeze"
				}
				continue
			}
			items = append(items, Item{Text: w.text, Span: w.span})
			continue
		}
		if len(w.text) > 2 && w.text[1] != '-' && strings.IndexByte("rif", w.text[1]) >= 0 {
			name, value, joined = w.text[:2], w.text[2:], true // -rfile
		}
		if slices.Contains(pipSwitches, w.text) {
			continue
		}
		span := w.span
		if !joined {
			if n++; n >= len(words) {
				return false
			}
			value, span = words[n].text, source.Span{Start: w.span.Start, End: words[n].span.End}
		}
		switch {
		case name == "-r" || name == "--requirement":
			files = append(files, word{value, span})
		case slices.Contains(requirement.IndexOptions, name):
			items = append(items, Item{Kind: Option, Text: name + " " + value, Span: span})
		case slices.Contains(pipValues, name):
		default:
			return false
		}
	}
	b.command++
	known := true
	for _, item := range items {
		if action == "uninstall" {
			item.Kind = Removal
		}
		item.Manager = requirement.Pip
		b.add(item)
	}
	for _, f := range files {
		if action == "install" {
			known = b.file(requirement.Pip, RequirementFile, f, f.span) && known
		}
	}
	return known
}
