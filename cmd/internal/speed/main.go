// Command speed measures what users pay: the processor time of whole processes, as a small table in Markdown.
//
//	go run ./cmd/internal/speed [-n PROJECTS] [-rounds N] [-peers] [BASE] HEAD
//
// BASE and HEAD are programs (the paths of files) or git revisions of this repository, which are built. All take turns,
// round by round, and the least time of each counts. The floor walks, reads and parses the same files with yaml.v3 and
// does nothing else. With BASE, work that takes HEAD at least 5 % longer is marked. With -peers, other validators that
// are installed read the run configurations among these files, or as many manifests. The exit status is 0 however long
// anything takes, and 1 when a program cannot be built or run.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/amlfix/amlfix/cmd/internal/revision"
)

func main() {
	if len(os.Args) == 3 && os.Args[1] == asFloor {
		floor(os.Args[2])
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("speed", flag.ContinueOnError)
	n, rounds := flags.Int("n", 1000, "how many projects"), flags.Int("rounds", 7, "how often everything runs")
	withPeers := flags.Bool("peers", false, "measure other programs, too")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if c := flags.NArg(); c < 1 || c > 2 || *n < 1 || *rounds < 1 {
		return fmt.Errorf("%d arguments, want [BASE] HEAD: programs or git revisions", c)
	}
	work, err := os.MkdirTemp("", "speed-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }() // leftovers are in the folder for temporary files
	var home []string
	for _, variable := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		home = append(home, variable+"="+filepath.Join(work, "home"))
	}
	t := table{home: home}
	for _, what := range flags.Args() {
		bin, err := revision.Program(ctx, work, what)
		if err != nil {
			return err
		}
		t.programs, t.names = append(t.programs, bin), append(t.names, what)
	}
	jobs, err := prepare(work, *n)
	if err != nil {
		return err
	}
	if *withPeers {
		if t.peers, err = peers(ctx, work, t.programs[len(t.programs)-1], jobs); err != nil {
			return err
		}
	}
	if err := t.measure(ctx, jobs, *rounds); err != nil {
		return err
	}
	_, err = io.WriteString(out, t.markdown())
	return err
}
