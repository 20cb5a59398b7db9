package jobs

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/page"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/plain"
)

// reportRun writes what is known about a run as an HTML page, to the named file or to standard output.
func (c *Jobs) reportRun(_ context.Context, all runs, o RunsOptions) (err error) {
	r, err := all.pick(o.args, anyRun, "")
	if err != nil {
		return err
	}
	if o.Output == "" && ui.IsTerminal(c.Out) {
		return console.Usage("runs", "the page is for a browser, not for a terminal: write it to a file with -o run.html")
	}
	p := page.Run{Entry: r.Entry, Job: r.job(), State: r.state(), Sentence: r.sentence(), Took: r.took(), Next: r.next(), Version: c.Version(), Now: time.Now()}
	for _, s := range readSeries(r.Dir) {
		p.Metrics = append(p.Metrics, page.Metric{Name: s.name, Values: s.values, Text: s.text})
	}
	if o.Output == "" || o.Output == "-" {
		return writePage(c.Out, p)
	}
	// A repository may contain a link or a device with that name.
	path, trees := c.Path(o.Output), c.Trees(nil)
	f, err := disk.CreateNamed(path, trees...)
	if err != nil {
		return fmt.Errorf("--output %s: the file cannot be written: %w", o.Output, err)
	}
	if err = writePage(f, p); err == nil {
		err = f.Sync()
	}
	if err = disk.CloseNamed(f, err, path, trees...); err != nil {
		return fmt.Errorf("--output %s: the file cannot be written: %w", o.Output, plain.Cause(err))
	}
	c.Say("wrote a page about run %[2]s to %[1]s: open it in a browser", o.Output, r.ID)
	return nil
}

func writePage(w io.Writer, p page.Run) error {
	b := bufio.NewWriterSize(w, 64<<10)
	if err := page.Write(b, p); err != nil {
		return err
	}
	return b.Flush()
}
