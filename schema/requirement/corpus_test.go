package requirement

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// corpusItem is one list item under dependencies, found only by its indentation.
type corpusItem struct {
	manager Manager
	file    string
	line    int
	text    string
}

// corpusItems roughly parses the items of a conda file: it ignores flow style, and treats any nested list as the pip
// list.
func corpusItems(file, text string) []corpusItem {
	var items []corpusItem
	inside, pipIndent, itemIndent := false, -1, -1
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, "\r \t")
		body := strings.TrimLeft(line, " \t")
		indent := len(line) - len(body)
		if body == "" || body[0] == '#' {
			continue
		}
		if body[0] != '-' {
			inside = strings.HasPrefix(body, "dependencies:")
			pipIndent, itemIndent = -1, -1
			continue
		}
		if !inside || len(body) > 1 && body[1] != ' ' && body[1] != '\t' {
			continue
		}
		if indent <= pipIndent {
			pipIndent = -1
		}
		text := strings.TrimLeft(body[1:], " \t")
		if c := commentStart(text, 0, len(text)); c < len(text) {
			text = strings.TrimRight(text[:c], " \t")
		}
		if itemIndent >= 0 && indent > itemIndent {
			// YAML folds a deeper line into the previous item.
			items[len(items)-1].text += " - " + text
			continue
		}
		if text == "pip:" {
			pipIndent, itemIndent = indent, -1
			continue
		}
		itemIndent = indent
		manager := Conda
		if pipIndent >= 0 {
			manager = Pip
		}
		items = append(items, corpusItem{manager, file, i + 1, strings.Trim(text, `"'`)})
	}
	return items
}

// TestCorpus parses each dependency of the real conda files. Only forms that are known to be wrong may fail.
func TestCorpus(t *testing.T) {
	known := map[string]string{ // reason, by its beginning → what the author wrote
		"nothing is required":        "an empty item",
		"'#' starts a comment only":  "==version#version",
		"a hyphen inside an item":    "a list swallowed by the item before it",
		"a space inside the address": "a placeholder with a space in an address",
	}
	counts := map[string]int{}
	items, single, wheels, options := 0, 0, 0, 0
	err := filepath.WalkDir(testkit.Corpus(t), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".yml") || !strings.Contains(filepath.Base(path), "conda") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, item := range corpusItems(path, string(text)) {
			items++
			r, err := item.manager.Parse(item.text)
			checkParts(t, r)
			if err == nil {
				checkRebuilt(t, r)
				single += flag(r.SingleEquals)
				wheels += flag(r.Wheel != nil)
				options += flag(r.Kind == Option)
				if _, err := r.Versions(); err != nil && !r.SingleEquals && r.Constraint != ">1.18.*" {
					t.Errorf("%s:%d: the versions cannot be evaluated: %v", item.file, item.line, err)
				}
				continue
			}
			e, ok := errors.AsType[*ParseError](err)
			if !ok {
				t.Fatal(err)
			}
			form := ""
			for reason, name := range known {
				if strings.HasPrefix(e.Reason, reason) {
					form = name
				}
			}
			if counts[form]++; form == "" {
				t.Errorf("%s:%d (%v): %v", item.file, item.line, item.manager, err)
			}
		}
		return nil
	})
	testkit.OK(t, err)
	t.Logf("%d items: %d wheels, %d options, %d with a single equals sign under pip; wrong forms: %v", items, wheels, options, single, counts)
	if items < 1000 || wheels == 0 || options == 0 {
		t.Errorf("only %d items, %d wheels and %d options found: the scan is broken", items, wheels, options)
	}
}
