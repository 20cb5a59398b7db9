package check

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/pool"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/secret"
)

// Selected is a project with the IDs of the fixes to make in it.
type Selected struct {
	Root
	IDs []string
}

// SelectionError says which fix does not exist, or why it is unclear how to make it.
type SelectionError struct{ message string }

func (e *SelectionError) Error() string { return e.message }

// Locate finds the project of each fix: the first one, if projects share a file. The error is a *SelectionError or the
// cause of ctx.
func (c *Checker) Locate(ctx context.Context, roots []Root, ids []string) (list []Selected, _ error) {
	type found struct {
		named
		at int
	}
	all, ambiguous, at := map[string]found{}, map[string][]string{}, 0
	err := pool.Each(ctx, roots, func(r Root) map[string]named {
		here, err := pool.Guarded(c.Rel(r.Dir), func() map[string]named { return c.naming(r, ids).named })
		if err != nil {
			c.notice(err.Error())
		}
		return here
	}, func(here map[string]named) bool {
		for id, one := range here {
			if first, ok := all[id]; !ok {
				all[id] = found{one, at}
			} else if first.file != one.file {
				ambiguous[id] = append(ambiguous[id], c.Rel(roots[at].Dir))
			}
		}
		at++
		return true
	})
	if err != nil {
		return nil, err
	}
	in := map[int][]string{}
	for _, id := range ids {
		one, ok := all[id]
		switch {
		case !ok:
			return nil, wrong("there is no fix %s here: its files may have changed since it was printed, or it was printed with other flags; run amlfix again for the current ids", id)
		case len(ambiguous[id]) > 0:
			where := append([]string{c.Rel(roots[one.at].Dir)}, ambiguous[id]...)
			return nil, wrong("several projects have a fix %s: choose one of them with --in: %s", id, ui.ShortList(where))
		case one.open != nil:
			return nil, undecided(id, one.named)
		}
		in[one.at] = append(in[one.at], id)
	}
	for _, at := range slices.Sorted(maps.Keys(in)) {
		list = append(list, Selected{roots[at], in[at]})
	}
	return list, nil
}

// undecided returns an error that lists the answers from which a fix needs one.
func undecided(id string, one named) error {
	var text strings.Builder
	for _, a := range one.open.Answers {
		fmt.Fprintf(&text, "\n  --%s %s: %s", a.Flag, escape.Word(a.Argument()), secret.Hide(a.Title))
	}
	if text.Len() == 0 {
		return wrong("fix %s cannot be made by amlfix: %s", id, secret.Hide(one.open.Title))
	}
	return wrong("fix %s leaves a decision to you, so answer with one of%s", id, text.String())
}

func wrong(format string, args ...any) error { return &SelectionError{fmt.Sprintf(format, args...)} }
