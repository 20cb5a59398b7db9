package migrate

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// maker is a command that creates something.
type maker struct {
	command, of string
	kind        built.Kind
	options     func() map[string]string
}

// makers are the CLI v1 commands that create something, with their options.
var makers = []maker{
	{"computetarget create amlcompute", "cluster", built.Compute, clusterOptions},
	{"model register", "model", built.Model, modelOptions},
}

// modelOptions maps the options that register a model to the names of SDK v1's parameters. Source: azure-docs
// reference-azure-machine-learning-cli.md (v1).
func modelOptions() map[string]string {
	return map[string]string{"-n": "model_name", "--name": "model_name", "-p": "model_path", "--model-path": "model_path", "-d": "description", "--description": "description", "--model-framework": "model_framework", "--model-framework-version": "model_framework_version"}
}

// clusterOptions maps the options that create a cluster to the names of SDK v1's parameters. Source: azure-docs
// reference-azure-machine-learning-cli.md (v1).
func clusterOptions() map[string]string {
	return map[string]string{
		"-n": "name", "--name": "name", "-s": "vm_size", "--vm-size": "vm_size", "--size": "vm_size", "--min-nodes": "min_nodes", "--max-nodes": "max_nodes",
		"--idle-seconds-before-scaledown": "idle_seconds_before_scaledown", "--vm-priority": "vm_priority", "-p": "vm_priority", "--description": "description", "--location": "location", "-l": "location",
		"--vnet-name": "vnet_name", "--subnet-name": "subnet_name", "-u": "admin_username", "--admin-username": "admin_username", "--admin-user-ssh-key": "admin_user_ssh_key",
		"--assign-identity": "identity_type", "--vnet-resourcegroup-name": "vnet_resourcegroup_name",
	}
}

// madeIn returns what the command lines in a file create.
func madeIn(file, text string) (list []*schema.File) {
	for _, m := range makers {
		if strings.Contains(text, m.command) {
			list = append(list, madeBy(file, text, m.command, m.of, m.options())...)
		}
	}
	return list
}

// madeBy returns what one command creates.
func madeBy(file, text, command, of string, options map[string]string) (list []*schema.File) {
	variables := variablesOf(file, text)
	src := source.New(file, []byte(text))
	lines := strings.Split(text, "\n")
	around := outline{lines: lines}
	for i := range lines {
		before, rest, ok := strings.Cut(lines[i], command)
		if !ok || !isCommand(before) {
			continue
		}
		at := src.Line(i + 1)
		last := i
		rest = inQuotes(rest) + around.continued(&last)
		root := document.NewMapping(at)
		words := commandWords(strings.TrimRight(rest, "'\" "), variables)
		for w := 0; w < len(words); w++ {
			option, value, joined := strings.Cut(words[w], "=")
			key := options[strings.ReplaceAll(option, "_", "-")]
			if !joined && w+1 < len(words) && strings.HasPrefix(option, "-") {
				w++
				value = words[w]
			}
			if key == "" || root.Get(key) != nil {
				continue
			}
			n := document.NewScalar("!!str", value, at)
			switch {
			case value == "" || strings.HasPrefix(value, "<"):
				n, key = document.NewScalar(built.Open, option, at), key+built.NotLiteral
			case strings.Trim(value, "0123456789") == "":
				n.SetTag("!!int")
			}
			root.AddEntry(document.NewScalar("!!str", key, source.Span{Start: at.Start, End: at.Start}), n)
		}
		if len(root.Entries()) > 0 {
			list = append(list, &schema.File{Path: file, Of: of, Source: src, Stream: &document.Stream{Source: src, Documents: []*document.Node{root}}})
		}
	}
	return list
}

// placed assigns what command lines create to files of the project, and omits models whose files the project does not
// have.
func (m *Migration) placed(list []*schema.File) []*schema.File {
	for _, f := range list {
		f.Rel = way(m.Project.Root, f.Path)
		f.Path = schema.Identity(f.Path)
	}
	return slices.DeleteFunc(list, func(f *schema.File) bool { return f.Of == "model" && m.ModelOf(f) == "" })
}

// readMade adds what command lines create, unless a program creates it.
func (m *Migration) readMade() {
	for _, f := range m.made {
		kind := makers[slices.IndexFunc(makers, func(k maker) bool { return k.of == f.Of })].kind
		key := map[built.Kind]string{built.Compute: "name", built.Model: "model_name"}[kind]
		name := schema.FieldAt(f, f.Root(), key).Text
		// another folder of the repository may be about another project
		known := name == "" && !filepath.IsLocal(filepath.FromSlash(f.Rel))
		for _, a := range m.Assets {
			known = known || a.Kind == kind && name != "" && a.Field(key).Text == name
		}
		if !known {
			m.asset(kind, f)
		}
	}
}
