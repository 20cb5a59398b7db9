package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/source"
)

// fromStdin returns the project of a file whose text comes from standard input.
// The file need not exist: editors check texts that were never saved.
func (c *Command) fromStdin(ctx context.Context, name string) (found, error) {
	text, err := io.ReadAll(io.LimitReader(ui.Stoppable(ctx, c.Stdin), source.MaxSize+1))
	if err != nil {
		return found{}, fmt.Errorf("standard input cannot be read: %w", err)
	}
	path := c.identity(name)
	list, err := schema.Discover([]string{c.path(name)})
	if err != nil || len(list) == 0 {
		list = []schema.Root{unsaved(path)}
	}
	// Of several, which refer to the file, the largest shows it in its surroundings.
	of := slices.MaxFunc(list, func(a, b schema.Root) int { return cmp.Compare(len(a.Files), len(b.Files)) })
	f := found{roots: []root{{Root: of}}}
	f.shared(nil)
	c.withSettings(&f)
	for i := range f.roots {
		f.roots[i].scope = &scope{files: map[string]bool{path: true}, stdin: path, text: text}
	}
	return f, nil
}

// unsaved returns the project that a file would belong to if it existed.
func unsaved(path string) schema.Root {
	home := schema.ProjectOf(filepath.Dir(path))
	for _, folder := range configFolders {
		if list, err := schema.Discover([]string{filepath.Join(home, folder)}); err == nil && len(list) == 1 {
			return list[0]
		}
	}
	return schema.Root{Dir: home, Boundary: home, Files: []string{path}}
}

// repairedText returns a repaired text from standard input.
func (s *scope) repairedText(patch *fixers.Patch) []byte {
	for _, f := range patch.Files {
		if f.Path == s.stdin {
			return f.New
		}
	}
	return s.text
}

// stdinArgs reads what the command line says about standard input: the name of
// the file that the text stands for, "" when it is not read.
func stdinArgs(name string, named bool, args []string, since string) (string, error) {
	switch {
	case !slices.Contains(args, "-") && !named:
		return "", nil
	case !named:
		return "", usage("check", `"-" is standard input: say with --stdin-filename which file the text stands for`)
	case strings.TrimSpace(name) == "":
		return "", usage("check", "--stdin-filename: a file name is missing")
	case len(args) > 1 || len(args) == 1 && args[0] != "-":
		return "", usage("check", "--stdin-filename checks standard input alone: name no other path")
	case since != "":
		return "", usage("check", "--since is about files: leave --stdin-filename out")
	}
	return name, nil
}
