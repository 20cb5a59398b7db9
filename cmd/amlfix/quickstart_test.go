package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema/testkit"
)

var (
	consoleBlocks = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")
	prompts       = regexp.MustCompile(`(?m)^\$ (.*)$`)
	varying       = []struct {
		what *regexp.Regexp
		as   string
	}{ // what differs between runs and machines, and what the page shows instead
		{regexp.MustCompile(`\d{8}-\d{6}-[0-9a-f]{6}`), "20261122-101500-3f9c1a"},
		{regexp.MustCompile(`\b[0-9.]+m?s( |;)`), "184ms$1"},
		{regexp.MustCompile(`\S*[/\\]python3?(\.exe)?([ ,\n])`), "/usr/bin/python3$2"},
	}
)

// TestQuickstart follows docs/quickstart.md: the commands in its console blocks run in order on the sample, and print
// what the page says. With -update it rewrites the outputs.
func TestQuickstart(t *testing.T) {
	testkit.Program(t, "python3")
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // undo does not see other tests' repairs
	dir := filepath.Join(t.TempDir(), "article")
	testkit.OK(t, os.CopyFS(dir, os.DirFS("../../testdata/article")))
	const page = "../../docs/quickstart.md"
	want, commands := testkit.Read(t, page), 0
	got := consoleBlocks.ReplaceAllStringFunc(want, func(block string) string {
		var b strings.Builder
		for _, m := range prompts.FindAllStringSubmatch(block, -1) {
			b.WriteString(follow(t, dir, m[1]))
			commands++
		}
		return "```console\n" + b.String() + "```"
	})
	if *update {
		testkit.OK(t, os.WriteFile(page, []byte(got), 0o644))
		return
	}
	if commands < 10 {
		t.Errorf("only %d commands", commands)
	}
	testkit.Same(t, want, got, "docs/quickstart.md is stale (-update writes its outputs again)")
}

// follow runs a command of the page and returns it with what a terminal shows.
func follow(t *testing.T, dir, line string) string {
	t.Helper()
	words, seen := strings.Fields(line), &testkit.Buffer{}
	switch words[0] {
	case "cat":
		return "$ " + line + "\n" + testkit.Read(t, dir, words[1])
	case "git":
		testkit.Git(t, dir, words[1:]...)
		return "$ " + line + "\n"
	}
	c := Command{Stdin: strings.NewReader(""), Stdout: seen, Stderr: seen, Dir: dir, Env: func(name string) string {
		if name == "PATH" || name == "HOME" {
			return os.Getenv(name)
		}
		return ""
	}, Now: func() time.Time { return today }}
	code := c.Run(t.Context(), words[1:])
	text := strings.ReplaceAll(seen.String(), dir, "/home/me/article")
	for _, v := range varying {
		text = v.what.ReplaceAllString(text, v.as)
	}
	if code != 0 {
		text += fmt.Sprintf("(exit %d)\n", code)
	}
	return "$ " + line + "\n" + text
}
