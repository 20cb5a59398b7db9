package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// table holds the measurements.
type table struct {
	programs, names []string // the last one is HEAD
	peers           []peer
	home            []string // variables that say where amlfix, with --apply, keeps the original files
	rows            []row
}

// row is one job: the least processor time of each program.
type row struct {
	job   job
	floor time.Duration // 0 for none
	each  []time.Duration
}

// slower is the ratio from which HEAD counts as slower.
const slower = 1.05

// measure runs everything in turn, round by round, because the load of the machine varies.
func (t *table) measure(ctx context.Context, jobs []job, rounds int) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for _, j := range jobs {
		t.rows = append(t.rows, row{job: j, each: make([]time.Duration, len(t.programs))})
	}
	for range rounds {
		for i := range t.rows {
			r := &t.rows[i]
			for k, program := range t.programs {
				if err := errors.Join(r.job.renew(), t.least(ctx, &r.each[k], program, r.job.args...)); err != nil {
					return err
				}
			}
			if r.job.dir != "" {
				if err := t.least(ctx, &r.floor, self, asFloor, r.job.dir); err != nil {
					return err
				}
			}
		}
		for i := range t.peers {
			if err := t.least(ctx, &t.peers[i].least, t.peers[i].program, t.peers[i].args...); err != nil {
				return err
			}
		}
	}
	return nil
}

// least runs a program, and keeps its processor time if it is the lowest so far.
func (t *table) least(ctx context.Context, best *time.Duration, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), t.home...)
	err := cmd.Run()
	if found := new(exec.ExitError); err != nil && (!errors.As(err, &found) || found.ExitCode() != 1) { // 1 means that there are findings
		return fmt.Errorf("%s %q: %w", program, args, err)
	}
	if used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); *best == 0 || used < *best {
		*best = used
	}
	return nil
}

// markdown returns the table.
func (t *table) markdown() string {
	var b strings.Builder
	head := len(t.programs) - 1
	b.WriteString("| processor time |")
	for _, name := range t.names {
		fmt.Fprintf(&b, " %s |", name)
	}
	if head > 0 {
		b.WriteString(" ratio |")
	}
	b.WriteString(" floor | of the floor |\n|---|" + strings.Repeat("---|", len(t.names)+2+head) + "\n")
	for _, r := range t.rows {
		fmt.Fprintf(&b, "| %s |", r.job.name)
		for _, d := range r.each {
			fmt.Fprintf(&b, " %s |", milliseconds(d))
		}
		if head > 0 {
			b.WriteString(" " + compared(r.each[head], r.each[0]) + " |")
		}
		if r.floor == 0 {
			b.WriteString(" | |\n")
			continue
		}
		fmt.Fprintf(&b, " %s | %.2f |\n", milliseconds(r.floor), float64(r.each[head])/float64(r.floor))
	}
	for _, p := range t.peers {
		ratio := p.least.Seconds() / float64(p.bytes) / t.perByte()
		fmt.Fprintf(&b, "\n%s on %d files: %s (%.2f ms a file; %.1f times as long for a byte as %s)\n", p.name, p.files, milliseconds(p.least), p.least.Seconds()*1000/float64(p.files), ratio, t.names[head])
	}
	return b.String()
}

// perByte returns the seconds that HEAD takes for a byte of many projects.
func (t *table) perByte() float64 {
	i := slices.IndexFunc(t.rows, func(r row) bool { return r.job.bytes > 0 })
	return t.rows[i].each[len(t.programs)-1].Seconds() / float64(t.rows[i].job.bytes)
}

// compared returns the ratio of two times, marked if head is longer.
func compared(head, base time.Duration) string {
	ratio := float64(head) / float64(base)
	if ratio >= slower {
		return fmt.Sprintf("**%.2f slower**", ratio)
	}
	return fmt.Sprintf("%.2f", ratio)
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1000) }
