package jobs

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/plain"
)

// runs are the records of the projects at hand, newest last.
type runs []foundRun

// foundRun is a record and the project it was found in.
type foundRun struct {
	record.Entry
	project string // as shown to the user; "" if it is the working directory
}

// findRuns reads all records, and reports those that cannot be read; some says that there are such records.
func (c *Jobs) findRuns() (all runs, some bool, err error) {
	f := c.atHand()
	if f.Unreadable() {
		return nil, false, console.Status(console.Failure)
	}
	for _, r := range f.Roots {
		list, err := record.List(r.Dir)
		if err != nil {
			c.sayEach([]error{err}, map[string]bool{})
			some = true
		}
		for _, e := range list {
			all = append(all, foundRun{e, r.Shown})
		}
	}
	plain.SortFunc(all, func(a, b foundRun) int { return a.Created.Compare(b.Created) })
	return all, some, nil
}

// pick returns the chosen run: the one whose ID contains the given text, or by default the newest that fits.
func (all runs) pick(args []string, fits func(foundRun) bool, none string) (foundRun, error) {
	if len(all) == 0 {
		return foundRun{}, console.Usage("runs", "there are no runs here: amlfix run starts one")
	}
	if len(args) == 0 || args[0] == "" {
		for _, r := range slices.Backward(all) {
			if fits(r) {
				return r, nil
			}
		}
		return foundRun{}, console.Usage("runs", "%s", none)
	}
	var found runs
	for _, r := range all {
		if r.ID.String() == args[0] {
			return r, nil
		}
		if strings.Contains(r.ID.String(), args[0]) {
			found = append(found, r)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0:
		return foundRun{}, console.Usage("runs", "there is no run %s here: amlfix runs list shows them", args[0])
	}
	table := new(ui.Table)
	for _, r := range found {
		table.Row(r.ID.String(), r.job(), r.state())
	}
	var b strings.Builder
	table.Write(&b, "  ")
	return foundRun{}, console.Usage("runs", "%s is part of several ids:\n%s", args[0], strings.TrimSuffix(b.String(), "\n"))
}

func anyRun(foundRun) bool { return true }

// job describes briefly what ran.
func (r foundRun) job() string {
	words := r.Arguments
	if len(words) == 0 {
		words = []string{r.Name}
	}
	text := strings.Join(words, " ")
	if command, err := strconv.Unquote(text); err == nil { // of a v2 job, which is a single argument
		text = ui.Printable(strings.ReplaceAll(strings.TrimRight(command, "\n"), "\n", " "))
	}
	return plan.InFolder(text)
}

// state returns the state of a run in a word or two. A run that is not over and that no process is using was left: its
// job may still be running.
func (r foundRun) state() string {
	switch {
	case r.OutputsMissing():
		return r.Outcome + ", outputs missing"
	case r.OutputsLost():
		return r.Outcome + ", outputs lost"
	case r.Over():
		return r.Outcome
	case r.Live:
		return string(r.State)
	case r.MayRun():
		return string(progress.Detached)
	}
	return "left while " + string(r.State)
}

// paint colours a state.
func (r foundRun) paint(style ui.Style) func(string) string {
	switch {
	case !r.Over() && r.Live:
		return style.Cyan
	case !r.Over(), r.OutputsMissing(), r.OutputsLost(), r.Outcome == string(runtime.Lost), r.Outcome == string(runtime.Cancelled):
		return style.Yellow
	case r.Outcome == string(runtime.Succeeded):
		return style.Green
	}
	return style.Red
}

// errGone means that a record disappeared while it was followed.
var errGone = errors.New("its record is gone: the run has ended, and its run configuration asks for no record")

// gone returns an error if the record no longer exists.
func (r foundRun) gone() error {
	if _, err := r.Again(); err != nil {
		return fmt.Errorf("run %s: %w", r.ID, errGone)
	}
	return nil
}
