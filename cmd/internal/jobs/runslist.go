package jobs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/plain"
)

// runRow is the JSON form of a run: its record and additional information.
type runRow struct {
	record.Record
	Path    string      `json:"path"`           // the folder of its record
	Live    bool        `json:"live"`           // an amlfix process is using it
	Missing bool        `json:"outputsMissing"` // outputs could not be copied back, and are kept where the job ran
	Metrics []seriesRow `json:"metrics"`
}

func (c *Jobs) row(r foundRun) runRow {
	return runRow{Record: r.Record, Path: c.Rel(r.Dir), Live: r.Live, Missing: r.OutputsMissing(), Metrics: rowsOf(readSeries(r.Dir))}
}

func (c *Jobs) listRuns(_ context.Context, all runs, o RunsOptions) error {
	if len(o.args) > 0 {
		return console.Usage("runs", "list shows all runs: unexpected argument %q", o.args[0])
	}
	if o.json {
		rows := []runRow{}
		for _, r := range all {
			rows = append(rows, c.row(r))
		}
		c.WriteJSON(struct {
			Version string   `json:"version"`
			Runs    []runRow `json:"runs"`
		}{c.Version(), rows})
		return nil
	}
	style, err := o.Style()
	if err != nil {
		return err
	}
	if len(all) == 0 {
		c.Say("there are no runs here: amlfix run starts one")
		return nil
	}
	columns := ui.Columns(c.Out)
	cells := func(all ...string) []string {
		if columns > 0 && columns < 100 {
			return slices.Delete(all, 1, 2) // a run's id says when it started
		}
		return all
	}
	heading := cells("RUN", "STARTED", "TOOK", "JOB", "TARGET", "GPU", "METRIC", "STATE")
	table, at := ui.Heading(style, heading...), func(name string) int { return slices.Index(heading, name) }
	table.Wrap(at("JOB"))
	for _, r := range all {
		job := plain.Fit(r.job(), 40)
		if r.project != "" {
			job = r.project + ": " + job
		}
		table.Row(cells(r.ID.String(), r.Created.Local().Format("2006-01-02 15:04"), r.took(), job, r.Target, r.gpuInShort(), headline(readSeries(r.Dir)), r.stateInShort())...)
		table.Paint(at("STATE"), r.paint(style))
		if r.GPU != nil && r.GPU.Proven {
			table.Paint(at("GPU"), style.Green)
		}
	}
	table.Write(c.Out, "")
	return nil
}

// stateInShort returns the state, with the job's exit code if that says more.
func (r foundRun) stateInShort() string {
	if r.Over() && r.Exit != nil && r.Exit.Code != 0 && r.Outcome == "failed" {
		return strings.Replace(r.state(), r.Outcome, fmt.Sprintf("%s (%d)", r.Outcome, r.Exit.Code), 1)
	}
	return r.state()
}

// gpuInShort returns in a word or two whether a GPU was used.
func (r foundRun) gpuInShort() string {
	switch {
	case !r.SaysGPU():
		return ""
	case r.GPU.StandIn:
		return "STAND-IN"
	case r.GPU.Proven && len(r.GPU.Names) > 0:
		return plain.Fit(r.GPU.Names[0], 20)
	case r.GPU.Proven:
		return "used"
	}
	return cmp.Or(r.GPU.Short, "not proven")
}

// took returns how long the job ran.
func (r foundRun) took() string {
	switch {
	case r.Exit != nil && !r.Exit.Started.IsZero():
		d := r.Exit.Ended.Sub(r.Exit.Started)
		whole := r.Exit.Started.Nanosecond() == 0 && r.Exit.Ended.Nanosecond() == 0 // another machine's clock with whole seconds only
		switch {
		case d == 0:
			return "<1s"
		case whole && d > 0 && d < time.Minute:
			return fmt.Sprintf("%ds", int(d.Seconds()))
		}
		return plain.Duration(d)
	case r.MayRun() && r.Live:
		return plain.Duration(time.Since(r.Entered("running")))
	}
	return ""
}
