package main

import (
	"fmt"
	"regexp"
	"strconv"
	"sync/atomic"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestOfferedIsMade checks, over all examples and test projects, that as many findings are repaired, or refused with a
// reason, as a check reported as fixable, both with and without --unsafe.
//
//testkit:norace
func TestOfferedIsMade(t *testing.T) {
	t.Parallel()
	cases := map[string][]txtar.File{}
	for _, r := range rules.All() {
		cases[r.ID] = txtar.Parse([]byte(r.Bad)).Files
	}
	for _, pattern := range []string{"testdata/*.txtar", "../../rules/testdata/*.txtar", "../../rules/testdata/repairs/*.txtar"} {
		for _, name := range testkit.Glob(t, pattern) {
			archive := testkit.Archive(t, name)
			cases[name] = archive.Files
		}
	}
	offer, summary := regexp.MustCompile(`(?m)(\d+) can be repaired: amlfix --apply( --unsafe)?`), regexp.MustCompile(`(?m)^(?:(\d+) repaired.*?; )?(?:(\d+) not repaired; )?`)
	var total atomic.Int64
	t.Run("cases", func(t *testing.T) {
		for name, files := range cases {
			for _, unsafe := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/unsafe=%v", name, unsafe), func(t *testing.T) {
					t.Parallel() // they wait for the disk
					flags := []string{"--format", "concise", "--no-baseline", fmt.Sprintf("--unsafe=%v", unsafe)}
					dir := testkit.Unpack(t, files)
					offered, done := 0, 0
					if found := offer.FindStringSubmatch(amlfix(t, dir, flags...).out); found != nil && (unsafe || found[2] == "") {
						offered = countIn(found[1])
					}
					out := amlfix(t, dir, append(flags, "--apply")...).out
					for _, found := range summary.FindAllStringSubmatch(out, -1) {
						done += countIn(found[1]) + countIn(found[2])
					}
					if offered != done {
						t.Errorf("%d can be repaired, but %d were or were refused:\n%s", offered, done, out)
					}
					total.Add(int64(offered))
				})
			}
		}
	})
	if n := total.Load(); n < 400 {
		t.Errorf("only %d repairs", n)
	}
}

// countIn reads a count, or 0 if there is none.
func countIn(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}
