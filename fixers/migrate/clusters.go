package migrate

import (
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// createCluster is the command of the CLI v1 that makes a cluster.
const createCluster = "computetarget create amlcompute"

// clusterOptions are its options, by the name of the parameter of SDK v1. Source:
// azure-docs reference-azure-machine-learning-cli.md (v1).
var clusterOptions = map[string]string{
	"-n": "name", "--name": "name", "-s": "vm_size", "--vm-size": "vm_size", "--size": "vm_size", "--min-nodes": "min_nodes", "--max-nodes": "max_nodes",
	"--idle-seconds-before-scaledown": "idle_seconds_before_scaledown", "--vm-priority": "vm_priority", "-p": "vm_priority", "--description": "description", "--location": "location", "-l": "location",
	"--vnet-name": "vnet_name", "--subnet-name": "subnet_name", "-u": "admin_username", "--admin-username": "admin_username", "--admin-user-ssh-key": "admin_user_ssh_key",
	"--assign-identity": "identity_type", "--vnet-resourcegroup-name": "vnet_resourcegroup_name",
}

// clusters finds the clusters that the command lines of a file make.
func clusters(file, text string) (list []*schema.File) {
	if !strings.Contains(text, createCluster) {
		return nil
	}
	variables := variablesOf(file, text)
	src := source.New(file, []byte(text))
	lines := strings.Split(text, "\n")
	for i := range lines {
		before, rest, ok := strings.Cut(lines[i], createCluster)
		if !ok || !isCommand(before) {
			continue
		}
		at := src.Line(i + 1)
		last := i
		rest = inQuotes(rest) + continued(lines, &last)
		root := &document.Node{Kind: document.Mapping, Tag: "!!map", Dash: -1, Span: at, Properties: at.Start}
		words := commandWords(strings.TrimRight(rest, "'\" "), variables)
		for w := 0; w < len(words); w++ {
			option, value, joined := strings.Cut(words[w], "=")
			key := clusterOptions[strings.ReplaceAll(option, "_", "-")]
			if !joined && w+1 < len(words) && strings.HasPrefix(option, "-") {
				w++
				value = words[w]
			}
			if key == "" || root.Get(key) != nil {
				continue
			}
			n := &document.Node{Kind: document.Scalar, Tag: "!!str", Value: value, Dash: -1, Span: at, Properties: at.Start}
			switch {
			case value == "" || strings.HasPrefix(value, "<"):
				n.Tag, n.Value, key = built.Open, option, key+" (not a literal)"
			case strings.Trim(value, "0123456789") == "":
				n.Tag = "!!int"
			}
			root.Entries = append(root.Entries, document.Entry{Key: &document.Node{Kind: document.Scalar, Tag: "!!str", Value: key, Dash: -1, Span: source.Span{Start: at.Start, End: at.Start}}, Value: n})
		}
		if len(root.Entries) > 0 {
			list = append(list, &schema.File{Path: file, Of: "cluster", Source: src, Stream: &document.Stream{Source: src, Documents: []*document.Node{root}}})
		}
	}
	return list
}

// readClusters adds the clusters of command lines that no program makes.
func (m *Migration) readClusters(found []*schema.File) {
	for _, f := range found {
		f.Rel = way(m.Project.Root, f.Path)
		f.Path = schema.Identity(f.Path)
		name := schema.FieldAt(f, f.Root(), "name").Text
		// another folder of the repository may be about another project
		known := name == "" && !filepath.IsLocal(filepath.FromSlash(f.Rel))
		for _, a := range m.Assets {
			known = known || a.Kind == built.Compute && name != "" && a.Field("name").Text == name
		}
		if !known {
			m.asset(built.Compute, f)
		}
	}
}
