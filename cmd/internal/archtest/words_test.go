package archtest

import (
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// uncheckedWords are files that contain the words for a reason.
var uncheckedWords = []string{
	"cmd/internal/archtest/words", // the list and its tests
	"docs/rules/",                 // generated from the rules
}

// TestWords keeps words that read as translated out of messages, comments, documentation and names.
//
//testkit:norace
func TestWords(t *testing.T) {
	list, err := exec.Command("git", "-C", "../../..", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Skipf("SKIPPED: git lists no files here: %v", err)
	}
	kinds := []string{".go", ".md", ".sh", ".yml", ".yaml", ".txtar", ".txt", ".py", ".csv", ".json", ""}
	begins := func(name string, with []string) bool {
		return slices.ContainsFunc(with, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
	}
	for name := range strings.SplitSeq(strings.Trim(string(list), "\x00"), "\x00") {
		if !slices.Contains(kinds, path.Ext(name)) || begins(name, uncheckedWords) {
			continue
		}
		text, err := os.ReadFile("../../../" + name)
		if err != nil {
			continue // deleted but not committed yet
		}
		for _, f := range OddWords(name, string(text)) {
			t.Error(f)
		}
	}
}

// TestOddWords proves that the check can fail, and on what.
func TestOddWords(t *testing.T) {
	text := "a blank is missing\nwhat stands for it, the blank identifier\nfunc lookWhether() {}\nTakes the last --apply back, and is told anew.\nfilesBelow mendable recommended amended\nconst way_back = mend_it\n"
	want := []string{
		`x.go:1: "blank"; write: space, empty`,
		`x.go:3: "look Whether"; write: check whether`,
		`x.go:4: "told"; write: reported, said`,
		`x.go:4: "Takes the last --apply back"; write: undo, restore`,
		`x.go:4: "anew"; write: again`,
		`x.go:6: "mend"; write: fix, repair`,
	}
	odd, _ := words()
	for _, w := range odd {
		if len(w.stem) < 4 || !strings.Contains(wordList, w.stem) {
			t.Errorf("the pattern %s has the stem %q: too little to look for", w.pattern, w.stem)
		}
	}
	got := OddWords("x.go", text)
	slices.Sort(got)
	slices.Sort(want)
	testkit.Same(t, want, got)
}
