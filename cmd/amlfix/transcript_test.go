package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/cmd/internal/version"
	"github.com/amlfix/amlfix/schema/testkit"
)

// transcriptName is the last file of a transcript, an archive in testdata. The lines of its comment that begin with "$
// " are commands. They are run in a folder with the archive's files, and what they print is compared with the last
// file. `cat FILE` and `ls` also work. With -update, the last file is rewritten.
const transcriptName = "transcript"

func TestTranscripts(t *testing.T) {
	for _, name := range testkit.Glob(t, "testdata/*.txtar") {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive := testkit.Archive(t, name)
			files := archive.Files
			want := ""
			if n := len(files) - 1; n >= 0 && files[n].Name == transcriptName {
				want, files = string(files[n].Data), files[:n]
			}
			dir := testkit.Unpack(t, files)
			t.Setenv("XDG_CACHE_HOME", t.TempDir()) // undo does not see other tests' repairs
			got := ""
			for line := range strings.Lines(string(archive.Comment)) {
				if command, ok := strings.CutPrefix(line, "$ "); ok {
					got += play(t, dir, strings.TrimSpace(command))
				}
			}
			if *update {
				archive.Files = append(slices.Clone(files), txtar.File{Name: transcriptName, Data: []byte(got)})
				testkit.OK(t, os.WriteFile(name, txtar.Format(archive), 0o644))
				return
			}
			testkit.Same(t, want, got, "the transcript differs (-update writes it again)")
		})
	}
}

// play runs one line of a transcript and returns what the user sees.
func play(t *testing.T, dir, line string) string {
	t.Helper()
	words := strings.Fields(line)
	for i, word := range words {
		if word == `""` {
			words[i] = ""
		}
	}
	seen := "$ " + line + "\n"
	switch words[0] {
	case "cat":
		return seen + testkit.Read(t, dir, words[1])
	case "ls":
		return seen + strings.Join(listFiles(t, dir), "\n") + "\n"
	case "amlfix":
		r := amlfix(t, dir, words[1:]...)
		seen += r.out
		if r.err != "" {
			seen += "(stderr)\n" + r.err
		}
		if r.code != 0 {
			seen += fmt.Sprintf("(exit %d)\n", r.code)
		}
		return strings.NewReplacer(dir, "DIR", `"version":"`+version.Get()+`"`, `"version":"VERSION"`).Replace(seen)
	}
	t.Fatalf("unknown command %q", words[0])
	return ""
}

// listFiles returns the slash-separated paths of all files below dir.
func listFiles(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			list = append(list, filepath.ToSlash(rel))
		}
		return err
	})
	testkit.OK(t, err)
	return list
}
