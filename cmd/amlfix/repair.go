package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/secret"
)

// honesty ends a repair for --gpu: what it claims, and what not.
const honesty = "The repairs make the files consistent as of the image's time; whether the image can still be pulled, and its packages still be installed, is another matter."

// goneImages ends a repair of files that name an image which is gone: infos are not
// shown, and whoever has just repaired them is about to run them.
func goneImages(places int) string {
	where := "one place"
	if places > 1 {
		where = fmt.Sprintf("%d places", places)
	}
	return "In " + where + " the image can no longer be pulled, only used where it was pulled in time: amlfix --verbose says where."
}

// allow tells whether a finding's fix may be made.
func (m mode) allow(f finding.Finding) bool {
	return f.Fix != nil && (f.Fix.Applicability == finding.Safe || m.unsafe && f.Fix.Applicability == finding.Unsafe)
}

// repairing reports whether faults are to be repaired, and not only ignored.
func (m mode) repairing() bool { return m.apply || m.diff && m.ignores == nil }

// repaired is what a repair has come to.
type repaired struct {
	project  *schema.Project
	all      []finding.Finding // also those that do not count
	findings []finding.Finding
	repairs  []report.Repair
	refused  []fixers.Refused
	diff     []byte
	changed  map[string][]byte // with --diff: the new texts
	over     map[string][]byte // with --diff: the texts of earlier diffs that it was planned over
	text     []byte            // what standard input becomes
	forGPU   bool              // something was changed for a GPU target
}

// judge takes all findings that there are, and picks those that count.
func (d *repaired) judge(r root, all []finding.Finding) { d.all, d.findings = all, r.counting(all) }

// attemptWith is attempt while a lock is held.
func (k *checking) attemptWith(lock sync.Locker, r root) (repaired, error) {
	lock.Lock()
	defer lock.Unlock()
	return k.attempt(r)
}

// attempt works out a project's repair and, for --apply, writes it. An error
// means that files were not written; the result then says what is on disk.
func (k *checking) attempt(r root) (out repaired, err error) {
	patch, out, err := k.plan(r, k.answers, func(f finding.Finding) bool { return k.repairing() && k.allow(f) })
	if err != nil {
		return out, err
	}
	if k.ignores != nil {
		if patch, err = k.withIgnores(r, out.project, patch); err != nil {
			return out, fmt.Errorf("%s: %w", k.rel(r.Dir), err)
		}
		out.judge(r, patch.Remaining)
		out.repairs, out.refused = k.refusals(patch), patch.Refused
	}
	if k.diff {
		out.changed = patch.Changed()
		out.diff = patch.Diff(fixers.DiffOptions{Raw: k.raw, Name: k.rel})
		return out, nil
	}
	return k.carryOut(r, k.answers, patch, out)
}

// plan works out a project's repair: the fixes that allow is true for.
func (k *checking) plan(r root, a answers, allow func(finding.Finding) bool) (*fixers.Patch, repaired, error) {
	var over map[string][]byte
	if k.diff {
		r.text, over = k.diffs.over(r.changed)
	}
	out := repaired{project: r.load(a), over: over}
	patch, err := fixers.Repair(out.project, fixers.Options{
		Recheck: r.all,
		Allow:   func(f finding.Finding) bool { return allow(f) && r.repairs(f) },
	})
	if err != nil {
		return nil, out, fmt.Errorf("%s: %w", k.rel(r.Dir), err)
	}
	out.judge(r, patch.Remaining)
	out.repairs, out.refused = k.refusals(patch), patch.Refused
	return patch, out, nil
}

// carryOut writes a repair and adds what it has done to out.
func (k *checking) carryOut(r root, a answers, patch *fixers.Patch, out repaired) (repaired, error) {
	if r.scope != nil && r.scope.stdin != "" {
		out.text = r.scope.repairedText(patch)
	} else if err := k.write(patch); err != nil {
		out.judge(r, r.all(r.load(a)))
		return out, err
	}
	for _, a := range slices.Concat(patch.Applied, patch.Also) {
		out.repairs = append(out.repairs, report.Repair{
			Path: k.rel(a.Path), Line: a.Line, Rule: a.Finding.Rule, Title: secret.Hide(a.Title), Notice: a.Finding.Fix.Notice,
			Changes: k.changes(a.Finding.Fix.Changes), Ignored: addsIgnore(a.Finding), Uncovered: a.Uncovered,
		})
		out.forGPU = out.forGPU || strings.HasPrefix(a.Finding.Rule, "gpu/")
	}
	return out, nil
}

// write writes a project's repair, all of it or nothing.
func (k *checking) write(patch *fixers.Patch) error {
	k.writing.Lock()
	defer k.writing.Unlock()
	if err := k.commit(patch); err != nil {
		return err
	}
	for _, f := range patch.Files {
		k.rewritten[f.Path] = true
	}
	return nil
}

// repaired reports whether a file was changed by this very run: a change by
// anybody else is never repaired over without a new look by the user.
func (k *checking) repaired(path string) bool {
	k.writing.Lock()
	defer k.writing.Unlock()
	return k.rewritten[path]
}

func (k *checking) refusals(patch *fixers.Patch) (list []report.Repair) {
	for _, r := range patch.Refused {
		at := r.Finding.Source.Position(r.Finding.Span.Start)
		list = append(list, report.Repair{
			Path: k.rel(r.Finding.Source.Path), Line: at.Line, Rule: r.Finding.Rule,
			Title: secret.Hide(r.Finding.Fix.Title), Reason: secret.Hide(r.Reason), Clause: r.Clause,
			Ignored: addsIgnore(r.Finding),
		})
	}
	return list
}

// changes returns the declared changes as they are reported.
func (k *checking) changes(list []finding.Change) (out []report.Change) {
	for _, c := range list {
		out = append(out, report.Change{Op: c.Op.String(), Path: k.rel(c.File), Pointer: c.Pointer})
		out = append(out, k.changes(c.Changes)...)
	}
	return out
}

// withRefusals adds to resolved findings why their fix was not made.
func withRefusals(resolved []report.Finding, findings []finding.Finding, refused []fixers.Refused) {
	for _, r := range refused {
		for i, f := range findings {
			if resolved[i].Fix != nil && finding.Compare(f, r.Finding) == 0 {
				resolved[i].Fix.Refused = &report.Refusal{Clause: r.Clause, Reason: secret.Hide(r.Reason)}
			}
		}
	}
}
