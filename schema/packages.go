package schema

import (
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/requirement"
)

// Package is one item of an environment's dependency lists.
type Package struct {
	Node    *document.Node
	Manager requirement.Manager
	// Requirement is what the item asks for; meaningless if Err is set. Items with the same text share it.
	Requirement *requirement.Requirement
	// Err says why the item could not be parsed as a requirement.
	Err error
	// Command is the number, from 1, of the command of a Dockerfile that installs the package; 0 in a conda file.
	// Options of pip apply to one command.
	Command int
}

// notePackages is the number of the note on a conda file's packages; those of rules count from 0.
const notePackages = 62

// packageList is what has been read of a list.
type packageList struct {
	packages []Package
	parsed   []requirement.Requirement // the last ones, made several at a time
}

// readPackages returns the packages of the mapping n. There are at most as many as values: aliases may name one list
// many times.
func readPackages(n *document.Node, most int) []Package {
	list := n.Get("dependencies").Resolve()
	if !list.IsSequence() {
		return nil
	}
	count, pips := len(list.Items()), 0
	for _, item := range list.Items() {
		pips += len(item.Get("pip").List())
	}
	seen := [2]map[string]int{requirement.Pip: make(map[string]int, min(pips, most)), requirement.Conda: make(map[string]int, min(count, most))}
	all := packageList{packages: make([]Package, 0, min(count+pips, most))}
	for _, item := range list.Items() {
		if item.IsMapping() {
			for _, item := range item.Get("pip").List() {
				all.add(item, requirement.Pip, seen[requirement.Pip])
			}
			continue
		}
		all.add(item, requirement.Conda, seen[requirement.Conda])
	}
	return all.packages
}

// add parses one item, or reuses what was read from another with the same text, recorded in seen; items that are not
// strings are reported by the format's schema.
func (l *packageList) add(item *document.Node, manager requirement.Manager, seen map[string]int) {
	if !item.IsString() {
		return
	}
	text := item.Text()
	var p Package
	if i, known := seen[text]; known {
		p = l.packages[i]
	} else {
		if len(l.parsed) == cap(l.parsed) {
			l.parsed = make([]requirement.Requirement, 0, min(32, cap(l.packages)-len(l.packages)))
		}
		r, err := manager.Parse(text)
		l.parsed = append(l.parsed, r)
		p = Package{Manager: manager, Requirement: &l.parsed[len(l.parsed)-1], Err: err}
		seen[text] = len(l.packages)
	}
	p.Node = item
	l.packages = append(l.packages, p)
}
