// Package settings reads .amlfix.yaml: which rules count, where and with which severity, and the answers to amlfix's
// questions. What is wrong with the file is a finding like any other; the rest of it still applies.
package settings

import (
	"fmt"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

// Settings are the settings of one file, or the defaults. They are immutable and safe for concurrent use. All methods
// treat nil as the defaults.
type Settings struct {
	// Path is the file's path; "" for the defaults.
	Path string
	// Folder is where patterns start: the file's own folder, unless the file counts as being in another one.
	Folder string
	// Select and Ignore name the rules, or groups of rules, that count and that do not; an empty Select stands for all.
	Select, Ignore []string
	// Severity overrides the severity of the findings of a rule or group.
	Severity map[string]Severity
	// Exclude are patterns of files that are not reported on, nor changed.
	Exclude []string
	// Paths are the settings for some files; later ones win.
	Paths []PathSettings
	// GPU and CPU name compute targets that count as GPU targets, or that --apply makes CPU targets.
	GPU, CPU []string
	// Computes are the sizes of the machines of computes that only a workspace knows, by the compute's name.
	Computes map[string]string
	// Choices, Images and Migrate answer the questions of repairs, substitute container images when a job is run, and
	// answer those of a migration.
	Choices, Images, Migrate map[string]string
	// Kubernetes are the settings of the cluster that jobs run on with -t k8s.
	Kubernetes []Cluster
	// FailOn is the lowest severity that fails a check: 0 if not set, Never if nothing does.
	FailOn finding.Severity
	// MaxWarnings is how many warnings a check may have; -1 is no limit.
	MaxWarnings int
	// Baseline is the path of the file of known findings, below the folder of the settings; or "" if not set.
	Baseline string

	file *document.Stream
	// What named and of returned, by rule and by path.
	rules, seen sync.Map
	// Exclude, and the Match of each of Paths, as files returns them.
	once    sync.Once
	exclude []string
	match   [][]string
}

// PathSettings are settings for the files that one of the patterns matches.
type PathSettings struct {
	Match    []string
	Ignore   []string
	Severity map[string]Severity
}

// Severity is that of a rule's findings, or Off.
type Severity = finding.Severity

// Off is the severity of findings that are not reported; no finding reaches Never.
const (
	Off   Severity = -1
	Never Severity = finding.Error + 1
)

// Default returns the settings that apply without a file.
func Default() *Settings { return &Settings{MaxWarnings: -1} }

// Read returns the settings that a file holds; its source names it. Values that are of the wrong type are left out;
// package rules reports them.
func Read(file *document.Stream) *Settings {
	root, path := file.Root(), file.Source.Path
	s := &Settings{Path: path, Folder: filepath.Dir(path), file: file}
	for _, k := range s.keys() {
		k.read(root.Get(k.name))
	}
	s.limit()
	return s
}

// local reports whether a path stays below the folder of the settings: amlfix must not write the file anywhere else.
func local(name string) bool { return filepath.IsLocal(filepath.FromSlash(name)) }

// ParseFailOn returns the lowest severity that fails a check; the error lists the valid values.
func ParseFailOn(word string) (Severity, error) {
	if word == "never" {
		return Never, nil
	}
	severity, err := finding.ParseSeverity(word)
	if err != nil {
		return 0, fmt.Errorf("%q is not error, warning, info or never", word)
	}
	return severity, nil
}

// items returns the items of a list, or nothing for other nodes.
func items(n *document.Node) []*document.Node {
	if n = n.Resolve(); n == nil {
		return nil
	}
	return n.Items()
}

// texts returns the texts of a list.
func texts(n *document.Node) (list []string) {
	for _, item := range items(n) {
		if item.IsString() {
			list = append(list, item.Text())
		}
	}
	return list
}

// pairs returns the scalars of a mapping as texts.
func pairs(n *document.Node) map[string]string {
	m := map[string]string{}
	if n = n.Resolve(); n == nil {
		return m
	}
	for _, e := range n.Entries() {
		if value := e.Value.Resolve(); e.Key.Kind == document.Scalar && value != nil && value.Kind == document.Scalar && !value.IsNull() {
			m[e.Key.Value] = value.Text()
		}
	}
	return m
}

func severities(n *document.Node) map[string]Severity {
	m := map[string]Severity{}
	for rule, word := range pairs(n) {
		if word == "off" {
			m[rule] = Off
		} else if s, err := finding.ParseSeverity(word); err == nil {
			m[rule] = s
		}
	}
	return m
}

// number returns a whole number that is not negative, -1 for anything else.
func number(n *document.Node) int {
	if value := n.Resolve(); value != nil && value.Tag() == "!!int" {
		if i, err := strconv.Atoi(value.Value); err == nil && i >= 0 {
			return i
		}
	}
	return -1
}

// Origin returns the path of the settings file and the line, from 1, of the value at a JSON pointer such as
// "/ignore/0"; ok is false if it is not set there.
func (s *Settings) Origin(pointer string) (path string, line int, ok bool) {
	if s == nil || s.file == nil {
		return "", 0, false
	}
	n := s.file.Root().Find(pointer)
	if n == nil {
		return "", 0, false
	}
	at := n.Properties
	if key := n.KeyNode(); key != nil {
		at = key.Properties
	}
	return s.Path, s.file.Source.LineAt(at), true
}
