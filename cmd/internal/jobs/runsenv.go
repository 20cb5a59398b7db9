package jobs

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/plain"
)

// environments lists the environments that the engine keeps for these runs, or all, and removes them if the user
// agrees.
func (k *cleaning) environments(ctx context.Context, of runs) error {
	eng, err := docker.Connect()
	if err != nil {
		return err
	}
	defer func() { _ = eng.Close() }()
	list, err := prepare.List(ctx, eng)
	if err != nil {
		return err
	}
	table := new(ui.Table)
	table.Row("ENVIRONMENT", "SIZE", "ITS OWN", "BASE IMAGE")
	var mine, others []prepare.Kept
	for _, e := range list {
		switch {
		case k.dir != "" && !uses(of, e):
			others = append(others, e)
			continue
		case e.Base == "":
			table.Row(e.Image, progress.Bytes(e.Size), "-", "built from a Dockerfile")
		default:
			table.Row(e.Image, progress.Bytes(e.Size), progress.Bytes(e.Own), e.Base)
		}
		mine = append(mine, e)
	}
	if n := len(others); n > 0 {
		k.Say("%s (%s) that no run of this project on this machine has used: --all includes them", plain.Count(n, "environment"), freed(others))
		k.kept++
	}
	if len(mine) == 0 {
		return nil
	}
	table.Write(k.Out, "")
	if yes, err := k.sure(ctx, fmt.Sprintf("Remove %s, and free %s?", plain.Count(len(mine), "environment"), freed(mine))); err != nil || !yes {
		k.kept++
		return err
	}
	for _, e := range mine {
		k.remove("environment "+e.Image, func() error { return eng.RemoveImage(ctx, e.Image) })
	}
	return nil
}

// freed returns how much space removing environments frees, as far as it is known.
func freed(list []prepare.Kept) string {
	sum, least := int64(0), ""
	for _, e := range list {
		if sum += e.Own; e.Base == "" {
			least = "at least "
		}
	}
	return least + progress.Bytes(sum)
}

// uses reports whether one of the runs has used an environment.
func uses(of runs, e prepare.Kept) bool {
	return slices.ContainsFunc(of, func(r foundRun) bool {
		return r.Image != nil && r.Image.Name == e.Image || r.Environment != nil && r.Environment.Base.Name == e.Image
	})
}

// sure asks for confirmation of something that takes minutes to redo. --yes and --dry-run answer it.
func (k *cleaning) sure(ctx context.Context, question string) (bool, error) {
	if k.o.Yes || k.o.DryRun {
		return true, nil
	}
	_, _ = fmt.Fprint(k.Err, question+" [y/N] ")
	text, err := bufio.NewReader(ui.Stoppable(ctx, k.Stdin)).ReadString('\n')
	if err != nil && ctx.Err() != nil {
		return false, ctx.Err()
	}
	return slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(text))), nil
}
