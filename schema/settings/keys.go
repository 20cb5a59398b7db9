package settings

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

// key is one key of a settings file, or of an entry of its paths.
type key struct {
	name      string
	otherwise string // the default, for display; "" if it is obvious
	// read reads the node's value, as far as it has the right type.
	read func(n *document.Node)
	// check reports what is wrong with the node, without aliases, beyond its type; it may be nil.
	check func(c *checker, n *document.Node)
	// text returns one line for people; "" if the key is not set.
	text func() string
}

// keys are all keys of a settings file. The type and the description of a key are in the JSON Schema, and everything
// else is here.
func (s *Settings) keys() []key {
	return []key{
		listKey("select", "all rules", &s.Select, (*checker).rule),
		listKey("ignore", "no rule", &s.Ignore, (*checker).rule),
		severityKey("as the rules say", &s.Severity),
		listKey("exclude", "nothing", &s.Exclude, (*checker).pattern),
		{name: "paths", read: s.readPaths, check: (*checker).paths},
		listKey("gpu", "by their files", &s.GPU, nil),
		{name: "cpu", read: func(n *document.Node) { s.CPU = texts(n) }, check: (*checker).both, text: func() string { return strings.Join(s.CPU, ", ") }},
		mapKey("computes", &s.Computes, (*checker).sizes),
		mapKey("choices", &s.Choices, (*checker).choices),
		mapKey("images", &s.Images, (*checker).images),
		mapKey("migrate", &s.Migrate, nil),
		{name: "kubernetes", read: s.readClusters, text: s.clusterText},
		{name: "fail-on", otherwise: "error", read: func(n *document.Node) { s.FailOn, _ = ParseFailOn(n.Text()) }, text: func() string {
			return map[Severity]string{Never: "never", finding.Error: "error", finding.Warning: "warning", finding.Info: "info"}[s.FailOn]
		}},
		{name: "max-warnings", otherwise: "no limit", read: func(n *document.Node) { s.MaxWarnings = number(n) }, check: (*checker).limit, text: func() string {
			if s.MaxWarnings < 0 {
				return ""
			}
			return strconv.Itoa(s.MaxWarnings)
		}},
		{name: "baseline", otherwise: "none", check: (*checker).below, read: func(n *document.Node) {
			if n.IsString() && local(n.Text()) {
				s.Baseline = filepath.Join(filepath.Dir(s.Path), filepath.FromSlash(n.Text()))
			}
		}, text: func() string { return s.Baseline }},
	}
}

func (p *PathSettings) keys() []key {
	return []key{listKey("match", "", &p.Match, (*checker).pattern), listKey("ignore", "", &p.Ignore, (*checker).rule), severityKey("", &p.Severity)}
}

// both reports the targets under "cpu" that are under "gpu", too.
func (c *checker) both(n *document.Node) {
	gpu := map[string]bool{}
	for _, name := range texts(c.file.Root().Get("gpu")) {
		gpu[name] = true
	}
	for _, item := range items(n) {
		if item.IsString() && gpu[item.Text()] && !c.full() {
			c.report(item, fmt.Sprintf("%.60q is under \"gpu\", too, and counts as a CPU target: remove it from one of them", item.Text()), nil)
		}
	}
}

// listKey returns the key of a list of texts; look checks one of them, unless it is nil.
func listKey(name, otherwise string, at *[]string, look func(*checker, *document.Node)) key {
	k := key{name: name, otherwise: otherwise, read: func(n *document.Node) { *at = texts(n) }, text: func() string { return strings.Join(*at, ", ") }}
	if look != nil {
		k.check = func(c *checker, n *document.Node) { c.list(n, look) }
	}
	return k
}

// mapKey returns the key of a mapping from names to texts.
func mapKey(name string, at *map[string]string, check func(*checker, *document.Node)) key {
	return key{name: name, read: func(n *document.Node) { *at = pairs(n) }, check: check, text: func() string { return pairText(*at) }}
}

func severityKey(otherwise string, at *map[string]Severity) key {
	return key{name: "severity", otherwise: otherwise, read: func(n *document.Node) { *at = severities(n) }, check: (*checker).severities, text: func() string {
		words := map[string]string{}
		for name, severity := range *at {
			if words[name] = severity.String(); severity == Off {
				words[name] = "off"
			}
		}
		return pairText(words)
	}}
}

// Row is one setting for display.
type Row struct {
	Name  string // its JSON pointer without the slash before it
	Value string
}

// Rows returns the settings for display, including those that are not set, in the order of the documentation.
func (s *Settings) Rows() (rows []Row) {
	for _, k := range s.keys() {
		if k.name == "paths" {
			for i := range s.Paths {
				rows = append(rows, Row{k.name + "/" + strconv.Itoa(i), s.Paths[i].text()})
			}
			continue
		}
		if text := cmp.Or(k.text(), k.otherwise); text != "" {
			rows = append(rows, Row{k.name, text})
		}
	}
	return rows
}

func (s *Settings) readPaths(n *document.Node) {
	for _, item := range items(n) {
		var p PathSettings
		for _, k := range p.keys() {
			k.read(item.Get(k.name))
		}
		s.Paths = append(s.Paths, p)
	}
}

func (c *checker) paths(n *document.Node) {
	for _, item := range items(n) {
		c.keys(new(PathSettings).keys(), item)
	}
}

// text is one line for people.
func (p *PathSettings) text() string {
	text := strings.Join(p.Match, ", ") + ":"
	for _, k := range p.keys()[1:] {
		switch list := k.text(); {
		case list == "":
		case k.name == "severity":
			text += " " + list
		default:
			text += " " + k.name + " " + list
		}
	}
	return text
}

func (c *checker) limit(n *document.Node) {
	if n == nil || number(n) >= 0 || strings.Trim(n.Value, "0123456789") == "" { // the last is too large to limit anything
		return
	}
	if f, err := strconv.ParseFloat(n.Value, 64); n.Tag() == "!!int" || n.Tag() == "!!float" && err == nil && f == math.Trunc(f) { // 1e3 and 5.0 fit the schema
		c.report(n, "\"max-warnings\" must be 0 or a greater number, in digits only", nil)
	}
}

func (c *checker) below(n *document.Node) {
	if n.IsString() && !local(n.Text()) {
		c.report(n, fmt.Sprintf("%.60q is not a file below the folder of these settings: write a path such as .amlfix-baseline.yaml", n.Text()), nil)
	}
}

func pairText(m map[string]string) string {
	var list []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		list = append(list, key+": "+m[key])
	}
	return strings.Join(list, ", ")
}

// severities checks the names of rules in a mapping.
func (c *checker) severities(n *document.Node) {
	if n == nil {
		return
	}
	for _, e := range n.Entries() {
		if e.Key.Kind == document.Scalar && e.Key.Tag() == "!!str" && !c.full() {
			c.name(e.Key, n, func(near string) finding.Change {
				return finding.Change{Op: finding.RenameKey, File: c.file.Source.Path, Pointer: e.Value.Pointer(), Key: near}
			})
		}
	}
}
