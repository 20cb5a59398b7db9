package condaenv

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema/document"
)

// render returns the text of the environment, with its comments in place.
func (k *cleaner) render(root *document.Node) []byte {
	var head []string
	if len(root.Entries()) > 0 {
		first := root.Entries()[0].Key
		head = trimEnd(slices.Concat(k.said.apart[first], k.said.above[first]))
		delete(k.said.above, first)
		delete(k.said.apart, first)
	}
	for _, call := range k.in.Lost {
		head = append(head, "Not carried over: "+call+". Change the packages by hand; see "+account.Report)
	}
	if len(k.pip) > 0 {
		pip := yamlout.Map{k.entry(pipNode(root), "pip", k.pip)}
		k.conda = append(k.conda, yamlout.Item{Value: pip, Above: pip[0].Above})
		pip[0].Above = nil
	}
	m := yamlout.Map{k.entry(root, "name", k.name(root)), k.entry(root, "channels", k.channels(root)), k.entry(root, "dependencies", k.conda)}
	return append(yamlout.Bytes(head, m), yamlout.Bytes(trimEnd(slices.Concat(k.pending, k.said.tail)), nil)...)
}

// entry returns an entry with the comments of the key of the same name.
func (k *cleaner) entry(n *document.Node, key string, value any) yamlout.Entry {
	e, _ := n.Entry(key)
	if e.Key == nil {
		return yamlout.Entry{Key: key, Value: value}
	}
	return yamlout.Entry{Key: key, Value: value, Above: slices.Concat(k.said.apart[e.Key], k.said.above[e.Key]), Beside: k.said.beside[e.Key]}
}

// pipNode returns the mapping that holds the pip list, or nil.
func pipNode(root *document.Node) *document.Node {
	for _, item := range root.Get("dependencies").List() {
		if item.IsMapping() {
			return item.Resolve()
		}
	}
	return nil
}

// name returns the environment's name, or the project's if it still has the template's.
func (k *cleaner) name(root *document.Node) string {
	old := strings.TrimSpace(root.Get("name").Text())
	name := old
	template := strings.Join(strings.Fields(strings.ReplaceAll(old, "_", " ")), " ") == "project environment"
	if old == "" || template || account.Slug(old) != strings.ToLower(strings.ReplaceAll(old, "_", "-")) {
		name = k.in.Project
	}
	if n := root.Get("name"); n != nil {
		why := ""
		switch {
		case name == old:
		case template:
			why = "the template's default name"
		default:
			why = "names consist of lowercase letters, digits and dashes"
		}
		k.note(account.Mapped, n, "`name: "+name+"`", why)
	}
	return name
}

func (k *cleaner) channels(root *document.Node) (list yamlout.List) {
	channels := root.Get("channels").List()
	if k.in.Program != nil {
		channels = slices.Concat(channels, k.in.Program.Node.Get("channels").List())
	}
	seen := map[string]bool{}
	for _, n := range channels {
		if n.Text() == "" {
			continue
		}
		if seen[n.Text()] {
			k.note(account.Dropped, n, "", n.Text()+" is already listed")
			continue
		}
		seen[n.Text()] = true
		list = append(list, yamlout.Item{Value: n.Text(), Above: k.said.above[n], Beside: k.said.beside[n]})
		k.note(account.Mapped, n, "kept", "")
	}
	if len(list) == 0 {
		k.out.Added = append(k.out.Added, Added{"channel conda-forge", "the old file lists no channel"})
		list = yamlout.List{"conda-forge"}
	}
	if k.needsForge && !slices.ContainsFunc(list, isForge) {
		k.out.Added = append(k.out.Added, Added{"channel conda-forge", "it provides packages that PyPI has only as source"})
		list = append(list, "conda-forge")
	}
	if k.needsDefaults && !slices.ContainsFunc(list, isDefaults) {
		k.out.Added = append(k.out.Added, Added{"channel defaults", "conda-forge has no tensorflow-gpu; Anaconda's terms of service apply to this channel"})
		list = append(list, "defaults")
	}
	return list
}

// isDefaults reports whether an item names Anaconda's own channel.
func isDefaults(item any) bool {
	name := valueOf(item)
	return name == "defaults" || name == "anaconda"
}

// isForge reports whether an item names conda-forge.
func isForge(item any) bool {
	text, _ := valueOf(item).(string)
	return strings.HasSuffix(strings.TrimSuffix(text, "/"), "conda-forge")
}

// trimEnd removes empty lines at the end of comments.
func trimEnd(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
