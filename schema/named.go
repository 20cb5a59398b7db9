package schema

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
)

// addNamed adds the projects that refer to a file outside the configuration folders, and its own project if it is
// certainly a job's file. That it was named proves nothing: pre-commit names every YAML file of a commit.
func (d *discovery) addNamed(abs, id, folder string) {
	home, tree := cmp.Or(d.projectAt(folder), folder), Repository(folder)
	known := false
	for _, r := range d.around(cmp.Or(tree, home), id) {
		if r.Files.Contain(id) || mentions(r, id, filepath.Base(abs)) && Load(r, Options{}).File(id) != nil {
			d.whole[r.Dir], known = true, true
		}
	}
	if known || !Certain(id) {
		return
	}
	name := filepath.Join(folder, filepath.Base(abs))
	if filepath.Dir(id) == folder {
		name = id
	}
	if v2, _ := saysV2(id); v2 {
		home = cmp.Or(treeOf(folder, tree), home)
	}
	d.whole[home] = true
	d.project(home, place{tree: tree, top: home}).add(id, name, false)
}

// around returns the projects of a folder that may refer to a file. The folder is searched only once, and not at all
// for a file that no job can refer to.
func (d *discovery) around(tree, id string) []Root {
	if !referable(id) {
		return nil
	}
	if _, known := d.trees[tree]; !known {
		roots, _ := Discover([]string{tree}) // what cannot be read there refers to nothing
		d.trees[tree] = roots
	}
	return d.trees[tree]
}

// referable reports, from a file's text, whether a job may refer to it: most YAML files of a repository are not worth a
// search for references.
func referable(name string) bool {
	text, err := readFile(name)
	if err != nil || IsSettings(name) {
		return false
	}
	return len(bytes.TrimSpace(text)) == 0 || slices.ContainsFunc(
		[]string{"depend", "channels", "conda", "pip", "azureml", "image", "package", "repositor", "configuration"},
		func(word string) bool { return bytes.Contains(text, []byte(word)) })
}

// mentions reports whether a file of a project holds one of a file's names, whatever their case: only then can it refer
// to the file.
func mentions(r Root, id, base string) bool {
	names := [][]byte{bytes.ToLower([]byte(filepath.Base(id))), bytes.ToLower([]byte(base))}
	return slices.ContainsFunc(r.Files.All(), func(f string) bool {
		text, err := readFile(f)
		text = bytes.ToLower(text)
		return err == nil && slices.ContainsFunc(names, func(name []byte) bool { return bytes.Contains(text, name) })
	})
}

// Certain reports whether a file outside the configuration folders is certainly one that amlfix reads, whatever refers
// to it.
func Certain(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".compute", ".runconfig":
		return true
	case ".yml", ".yaml":
	default:
		if filepath.Base(name) != tableName {
			return false
		}
	}
	base := strings.ToLower(filepath.Base(name))
	if IsSettings(name) || strings.Contains(base, "conda_dependencies") || strings.Contains(base, "spark_dependencies") {
		return true
	}
	if v2, _ := saysV2(name); v2 {
		return true
	}
	text, err := readFile(name)
	if err != nil {
		return os.IsPermission(err) // an unreadable file must be reported
	}
	if !bytes.Contains(text, []byte("dependencies")) {
		return false // without the cost of parsing it
	}
	return isConda(parseFile(name, []string{filepath.Base(name)}, text, nil).Root())
}

// isConda reports whether a mapping is certainly a conda environment: others, such as Helm's charts and Ansible's
// roles, have "dependencies" too.
func isConda(root *document.Node) bool {
	list := root.Get("dependencies").Resolve()
	if !list.IsSequence() || list.IsNull() {
		return false
	}
	for _, e := range root.Entries() {
		if !slices.Contains([]string{"name", "channels", "dependencies", "prefix", "variables"}, e.Key.Text()) {
			return false
		}
	}
	sure := root.Get("channels") != nil
	for _, item := range list.Items() {
		if item.IsMapping() && item.Get("pip") == nil {
			return false
		}
		text := strings.TrimLeft(item.Text(), " ")
		sure = sure || item.Get("pip") != nil || strings.HasPrefix(text, "python=") || text == "python" || text == "pip"
	}
	return sure
}

// installsSDK reports whether a conda environment installs a package of Azure ML, all of which come from PyPI.
func installsSDK(root *document.Node) bool {
	sdk := func(item *document.Node) bool { return strings.HasPrefix(item.Text(), "azureml-") }
	return slices.ContainsFunc(root.Get("dependencies").List(), func(item *document.Node) bool { return slices.ContainsFunc(item.Get("pip").List(), sdk) })
}
