package jobs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/schema/plain"
)

// pairRow is one property of two runs. Its JSON form is a stable interface.
type pairRow struct {
	Section string    `json:"section"` // run, metrics, parameters or plan
	Name    string    `json:"name"`
	Values  [2]string `json:"values"` // "" if a run has none
	Same    bool      `json:"same"`
}

// compareRuns shows two runs side by side.
func (c *Jobs) compareRuns(_ context.Context, all runs, o RunsOptions) error {
	two, err := all.pickTwo(o.args)
	if err != nil {
		return err
	}
	rows := compared(two)
	if o.json {
		c.WriteJSON(struct {
			Version string    `json:"version"`
			Runs    [2]runRow `json:"runs"`
			Rows    []pairRow `json:"rows"`
		}{c.Version(), [2]runRow{c.row(two[0]), c.row(two[1])}, rows})
		return nil
	}
	style, err := o.Style()
	if err != nil {
		return err
	}
	for _, section := range []string{"run", "metrics", "parameters", "plan"} {
		c.showPairs(style, section, slices.DeleteFunc(slices.Clone(rows), func(r pairRow) bool { return r.Section != section }))
	}
	return nil
}

// pickTwo returns two runs, the older one first if the order is not specified.
func (all runs) pickTwo(args []string) (two [2]foundRun, err error) {
	switch n := len(all); {
	case len(args) == 0 && n == 1:
		return two, console.Usage("runs", "compare needs two runs, but there is only one here")
	case len(args) == 0 && n > 1:
		return [2]foundRun(all[n-2:]), nil
	}
	if two[0], err = all.pick(args, anyRun, ""); err != nil {
		return two, err
	}
	two[1], err = all.pick(args[1:], func(r foundRun) bool { return r.ID != two[0].ID }, "compare needs two runs, but there is no other run here")
	return two, err
}

// compared lists the properties of two runs, in the order of the first.
func compared(two [2]foundRun) (rows []pairRow) {
	for _, section := range []struct {
		name string
		of   func(foundRun) [][2]string
	}{{"run", foundRun.facts}, {"metrics", foundRun.metrics}, {"parameters", foundRun.parameters}, {"plan", foundRun.planLines}} {
		begin := len(rows)
		for side, r := range two {
			open := map[string][]int{} // by name, the rows without a value of this run
			for i, row := range rows[begin:] {
				open[row.Name] = append(open[row.Name], begin+i)
			}
			for _, f := range section.of(r) {
				name, value := f[0], f[1]
				if len(open[name]) == 0 {
					open[name] = append(open[name], len(rows))
					rows = append(rows, pairRow{Section: section.name, Name: name})
				}
				at := open[name]
				if rows[at[0]].Values[side] = value; value != "" {
					open[name] = at[1:]
				}
			}
		}
	}
	for i := range rows {
		rows[i].Same = rows[i].Values[0] == rows[i].Values[1]
	}
	return rows
}

// facts returns how a run ended and what it ran on; no value is empty.
func (r foundRun) facts() (list [][2]string) {
	add := func(name, value string) {
		if value != "" {
			list = append(list, [2]string{name, value})
		}
	}
	add("run", r.ID.String())
	add("started", r.Created.Local().Format("2006-01-02 15:04"))
	add("took", r.took())
	add("state", r.stateInShort())
	add("gpu", r.gpuInShort())
	if r.Image != nil {
		add("digest", r.digest())
	}
	if r.Git != nil {
		changed := ""
		if r.Git.Changed {
			changed = ", with changes"
		}
		add("commit", r.Git.ID[:min(12, len(r.Git.ID))]+changed)
	}
	return list
}

func (r foundRun) metrics() (list [][2]string) {
	for _, s := range readSeries(r.Dir) {
		text := s.last()
		if low, high, ok := s.bounds(); ok && len(s.values) > 1 {
			text += fmt.Sprintf("  (%s to %s, %s)", number(low), number(high), plain.Count(len(s.values), "value"))
		}
		list = append(list, [2]string{s.name, text})
	}
	return list
}

func (r foundRun) parameters() (list [][2]string) {
	for _, p := range r.Parameters() {
		list = append(list, [2]string{p.Name, p.Value})
	}
	return list
}

func (r foundRun) planLines() (list [][2]string) {
	for _, l := range r.Plan {
		list = append(list, [2]string{l.Name, l.Value})
	}
	return list
}

// showPairs writes one section. For the plan, which is long, it shows only differences; elsewhere it marks them.
func (c *Jobs) showPairs(style ui.Style, section string, rows []pairRow) {
	if len(rows) == 0 {
		return
	}
	if section != "run" {
		c.section(style, section)
	}
	same := 0
	table := new(ui.Table)
	for _, r := range rows {
		if r.Same && section == "plan" {
			same++
			continue
		}
		one, other := apart(r.shown(0), r.shown(1), 60)
		table.Row(plain.Fit(r.Name, 60), one, other)
		table.Paint(0, style.Dim)
		if !r.Same && section != "run" {
			table.Paint(1, style.Yellow)
			table.Paint(2, style.Yellow)
		}
	}
	table.Write(c.Out, "  ")
	if same > 0 {
		_, _ = fmt.Fprintf(c.Out, "  %s the same\n", plain.CountIs(same, "line"))
	}
}

// shown returns a run's value for a table, in one line.
func (p pairRow) shown(run int) string {
	return plan.InFolder(cmp.Or(strings.ReplaceAll(strings.TrimRight(p.Values[run], "\n"), "\n", " "), "-"))
}

// apart cuts two values to at most n characters each. If they differ only late, their common beginning is cut.
func apart(one, other string, n int) (string, string) {
	const before = 20 // characters that are kept of the beginning
	a, b := []rune(one), []rune(other)
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	if from := same - before; one != other && max(len(a), len(b)) > n && same > n-before {
		one, other = "…"+string(a[from:]), "…"+string(b[from:])
	}
	return plain.Fit(one, n), plain.Fit(other, n)
}
