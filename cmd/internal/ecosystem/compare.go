package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/pool"
)

// comparison compares two programs on a folder of projects.
type comparison struct {
	base, head, dir string
	cache           string // the user's cache folder, as seen by the programs
}

// difference is what one program reports about a project and the other does not.
type difference struct {
	project               string
	gone, added           []string // findings, one line each
	repairsGone, repaired []string // unified diffs of one file each
}

// all compares the projects, several at a time, and returns those that differ. It returns an error only if ctx ends.
func (c comparison) all(ctx context.Context, names []string) (list []difference, err error) {
	err = pool.Each(ctx, names, func(name string) difference {
		base, head := c.look(ctx, c.base, name), c.look(ctx, c.head, name)
		d := difference{project: name}
		d.gone, d.added = apart(base.findings, head.findings)
		d.repairsGone, d.repaired = apart(base.repairs, head.repairs)
		return d
	}, func(d difference) bool {
		if len(d.gone)+len(d.added)+len(d.repairsGone)+len(d.repaired) > 0 {
			list = append(list, d)
		}
		return true
	})
	return list, err
}

// apart returns the lines that are only in a, and those only in b, including a line that one has twice and the other
// once.
func apart(a, b []string) (onlyA, onlyB []string) {
	left := slices.Clone(b)
	for _, line := range a {
		if i := slices.Index(left, line); i >= 0 {
			left = slices.Delete(left, i, i+1)
		} else {
			onlyA = append(onlyA, line)
		}
	}
	return onlyA, left
}

// result is what a program reports about a project.
type result struct{ findings, repairs []string }

// look runs a program on a project. A failure counts as a finding.
func (c comparison) look(ctx context.Context, program, project string) (r result) {
	text, failed := c.output(ctx, program, project, "--format", "json", "--exit-zero")
	var report struct {
		Findings []struct {
			Rule, Severity, Message, Path string
			Line, Column                  int
			Fix                           *struct{ Title, Applicability string }
		}
	}
	if failed == "" && len(bytes.TrimSpace(text)) > 0 {
		if err := json.Unmarshal(text, &report); err != nil {
			failed = "the report is not JSON: " + err.Error()
		}
	}
	for _, f := range report.Findings {
		line := fmt.Sprintf("%s:%d:%d: %s: %s [%s]", f.Path, f.Line, f.Column, f.Severity, f.Message, f.Rule)
		if f.Fix != nil {
			line += fmt.Sprintf(" (%s: %s)", f.Fix.Applicability, f.Fix.Title)
		}
		r.findings = append(r.findings, line)
	}
	diff, failedToo := c.output(ctx, program, project, "--diff", "--exit-zero")
	for _, why := range slices.Compact([]string{failed, failedToo}) {
		if why != "" {
			r.findings = append(r.findings, why)
		}
	}
	r.repairs = files(string(diff))
	return r
}

// output returns a program's output, or one line on why it failed.
func (c comparison) output(ctx context.Context, program, project string, args ...string) (out []byte, failed string) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = filepath.Join(c.dir, project)
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+c.cache, "NO_COLOR=1")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, strings.Join(strings.Fields(fmt.Sprintf("amlfix failed: %v: %.300s", err, stderr.String())), " ")
	}
	return stdout.Bytes(), ""
}

// files splits a unified diff by file.
func files(diff string) (list []string) {
	lines := slices.Collect(strings.Lines(diff))
	for i, line := range lines {
		if starts := strings.HasPrefix(line, "--- ") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "+++ "); starts || len(list) == 0 {
			list = append(list, "")
		}
		list[len(list)-1] += line
	}
	return list
}
