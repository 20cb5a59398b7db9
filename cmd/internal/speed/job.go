package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/amlfix/amlfix/cmd/internal/sample"
)

// job is the work to measure.
type job struct {
	name  string
	args  []string
	dir   string // the floor's folder, "" for none
	fresh string // a folder to copy to dir before each run, because the run changes it
	bytes int64  // how many it reads, 0 if peers are not compared with it
}

// prepare writes the input files, and returns the jobs.
func prepare(work string, n int) ([]job, error) {
	one, many, faulty, again, huge := filepath.Join(work, "one"), filepath.Join(work, "many"), filepath.Join(work, "faulty"), filepath.Join(work, "again"), filepath.Join(work, "huge")
	var size int64
	for i := range n {
		files := sample.Project(i, i%50 == 0)
		for _, text := range files {
			size += int64(len(text))
		}
		if err := write(filepath.Join(many, fmt.Sprintf("team-%02d", i%40), fmt.Sprintf("project-%05d", i)), files); err != nil {
			return nil, err
		}
	}
	for i := range max(n/10, 1) {
		if err := write(filepath.Join(faulty, fmt.Sprintf("project-%05d", i)), sample.Project(i, true)); err != nil {
			return nil, err
		}
	}
	if err := write(one, sample.Project(1, false)); err != nil {
		return nil, err
	}
	if err := write(huge, map[string][]byte{"conda_dependencies.yml": hugeFile()}); err != nil {
		return nil, err
	}
	projects := fmt.Sprintf("%d projects", n)
	repairs := fmt.Sprintf("%d projects, each with a fault", max(n/10, 1))
	return []job{
		{name: "start", args: []string{"--version"}},
		{name: "one project", args: []string{one}, dir: one},
		{name: projects, args: []string{many}, dir: many, bytes: size},
		{name: repairs, args: []string{faulty}, dir: faulty},
		{name: repairs + ", --format json", args: []string{"--format", "json", faulty}, dir: faulty},
		{name: repairs + ", --format sarif", args: []string{"--format", "sarif", faulty}, dir: faulty},
		{name: repairs + ", --diff", args: []string{"--diff", faulty}, dir: faulty},
		{name: repairs + ", --apply", args: []string{"--apply", again}, dir: again, fresh: faulty},
		{name: "a file of 1 MB", args: []string{huge}, dir: huge},
	}, nil
}

func write(project string, files map[string][]byte) error {
	dir := filepath.Join(project, "aml_config")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// renew restores what the last run has changed.
func (j job) renew() error {
	if j.fresh == "" {
		return nil
	}
	if err := os.RemoveAll(j.dir); err != nil {
		return err
	}
	return os.CopyFS(j.dir, os.DirFS(j.fresh))
}

// hugeFile returns a conda file of almost 1 MB.
func hugeFile() []byte {
	b := bytes.NewBufferString("name: environment\ndependencies:\n  - python=3.5.2\n")
	for i := 0; b.Len() < 1_000_000; i++ {
		fmt.Fprintf(b, "  - package%d=1.%d\n", i, i)
	}
	return b.Bytes()
}
