// Package settings reads .amlfix.yaml: which rules count, how much and where,
// and the answers to amlfix's questions. What is wrong with the file is a finding
// like any other; what is right in it is in force all the same.
package settings

import (
	"fmt"
	"path/filepath"

	"strconv"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

// Settings are those of one file, or the defaults. They are immutable and safe
// for concurrent use. nil stands for the defaults in all methods.
type Settings struct {
	// Path is the file's path; "" for the defaults.
	Path string
	// Folder is where patterns begin: the file's own folder, unless it counts as
	// being in another one.
	Folder string
	// Select and Ignore name the rules, or groups of rules, that count and that
	// do not; an empty Select is all.
	Select, Ignore []string
	// Severity gives the findings of a rule or group a severity of their own.
	Severity map[string]Severity
	// Exclude are patterns of files that are not reported on, nor changed.
	Exclude []string
	// Paths are the settings for some files; later ones win.
	Paths []PathSettings
	// GPU and CPU name compute targets that are to be GPU or CPU targets.
	GPU, CPU []string
	// Computes are the sizes of the machines of computes that only a workspace knows,
	// by the compute's name.
	Computes map[string]string
	// Choices, Images and Migrate answer the questions of repairs, substitute
	// container images when a job is run, and answer those of a migration.
	Choices, Images, Migrate map[string]string
	// Kubernetes are the settings of the cluster that jobs run on with -t k8s.
	Kubernetes []Cluster
	// FailOn is the least severity that fails a check: 0 when not said, Never
	// when nothing does.
	FailOn finding.Severity
	// MaxWarnings is how many warnings a check may have; -1 is no limit.
	MaxWarnings int
	// Baseline is the path of the file of known findings, below the folder of the
	// settings; "" when not said.
	Baseline string

	file *document.Stream
}

// PathSettings are settings for the files that one of the patterns matches.
type PathSettings struct {
	Match    []string
	Ignore   []string
	Severity map[string]Severity
}

// Severity is that of a rule's findings, or Off.
type Severity = finding.Severity

// Off is the severity of findings that are left out, Never the one that no
// finding reaches.
const (
	Off   Severity = -1
	Never Severity = finding.Error + 1
)

// Default returns the settings where there is no file.
func Default() *Settings { return &Settings{MaxWarnings: -1} }

// Read returns the settings that a file holds; its source names it. Values that
// are of the wrong type are left out; package rules reports them.
func Read(file *document.Stream) *Settings {
	root, path := file.Root(), file.Source.Path
	s := &Settings{Path: path, Folder: filepath.Dir(path), file: file}
	for _, k := range s.keys() {
		k.value.read(root.Get(k.name))
	}
	return s
}

// local reports whether a path stays below the folder of the settings: a file that
// amlfix writes must not be anywhere else.
func local(name string) bool { return filepath.IsLocal(filepath.FromSlash(name)) }

// ParseFailOn returns the severity from which on findings fail a check; the error
// lists what may be written.
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

// items returns the items of a list, none for anything else.
func items(n *document.Node) []*document.Node {
	if n = n.Resolve(); n == nil {
		return nil
	}
	return n.Items
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
	for _, e := range n.Entries {
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
	if value := n.Resolve(); value != nil && value.Tag == "!!int" {
		if i, err := strconv.Atoi(value.Value); err == nil && i >= 0 {
			return i
		}
	}
	return -1
}

// Origin returns the path of the settings file and the line, from 1, on which
// the value at a JSON pointer is, such as "/ignore/0"; ok is false when it is
// not written there.
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
