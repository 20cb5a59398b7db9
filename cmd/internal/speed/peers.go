package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// peer is another program that reads configuration files.
type peer struct {
	name, program string
	args          []string
	files         int
	least         time.Duration
}

// schemaFirst are the peers that accept a JSON Schema and files, with the flags before them.
var schemaFirst = map[string][]string{"jv": nil, "check-jsonschema": {"--schemafile"}}

// peers returns the installed peers. They read the projects' run configurations under names that end in .yml, the
// extension that they recognize.
func peers(ctx context.Context, work, amlfix string, jobs []job) (list []peer, err error) {
	dir, schema := filepath.Join(work, "peers"), filepath.Join(work, "runconfig.schema.json")
	text, err := exec.CommandContext(ctx, amlfix, "schema", "runconfig").Output()
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(schema, text, 0o644); err != nil {
		return nil, err
	}
	var files []string
	many := jobs[2].dir
	found, err := filepath.Glob(filepath.Join(many, "*", "*", "aml_config", "*.runconfig"))
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for _, name := range found {
		rel, _ := filepath.Rel(many, name) // it is below
		to := filepath.Join(dir, strings.ReplaceAll(filepath.ToSlash(rel), "/", "_")+".yml")
		if err := os.Link(name, to); err != nil {
			return nil, err
		}
		files = append(files, to)
	}
	for _, name := range []string{"yamllint", "yamlfmt", "jv", "check-jsonschema"} {
		program, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		args := map[string][]string{"yamllint": {"-d", "relaxed", dir}, "yamlfmt": {"-lint", dir}}[name]
		if flags, takes := schemaFirst[name]; takes {
			args = append(append(append(args, flags...), schema), files...)
		}
		list = append(list, peer{name: name, program: program, args: args, files: len(files)})
	}
	return list, nil
}
