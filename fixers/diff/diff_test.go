package diff_test

import (
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/fixers/diff"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestUnified(t *testing.T) {
	for _, c := range []struct{ name, a, b, want string }{
		{"equal", "a\n", "a\n", ""},
		{"one line", "a\n", "b\n", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"},
		{"context", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
			"--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n"},
		{"two hunks", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "x\n2\n3\n4\n5\n6\n7\n8\n",
			"--- a/f\n+++ b/f\n@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -6,4 +6,3 @@\n 6\n 7\n 8\n-9\n"},
		{"no newline at the end", "a\nb", "a\nc\nb", "--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n a\n+c\n b\n\\ No newline at end of file\n"},
		{"a newline more", "a", "a\n", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"carriage returns", "a\r\nb\r\n", "a\r\nc\r\n", "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"},
		{"inserted", "a\nb\n", "a\nx\nb\n", "--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n a\n+x\n b\n"},
		{"all gone", "a\n", "", "--- a/f\n+++ b/f\n@@ -1 +0,0 @@\n-a\n"},
	} {
		testkit.Same(t, c.want, string(diff.Unified("f", []byte(c.a), []byte(c.b))), c.name)
	}
	testkit.Same(t, "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n", string(diff.Unified("f", nil, []byte("a\n"))), "new file")
}

// TestGit lets the real git compare and apply: its hunks are as long as ours, and applying ours gives the new text to
// the byte.
func TestGit(t *testing.T) {
	testkit.Program(t, "git")
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	random := rand.New(rand.NewSource(1))
	for style, eol := range map[string]string{"LF": "\n", "CRLF": "\r\n", "CRCRLF": "\r\r\n", "CR": "\r", "mixed": ""} {
		for round := range 12 {
			name := fmt.Sprintf("%s %d ä.yml", style, round)
			if round%6 == 5 {
				name = fmt.Sprintf("%s \"%d\\.yml", style, round)
			}
			a, b := texts(random, eol)
			ours := diff.Unified(name, a, b)
			old, new := filepath.Join(dir, name), filepath.Join(t.TempDir(), "new")
			write(t, old, a)
			write(t, new, b)
			theirs := git(t, dir, "diff", "--no-index", "--no-color", "--diff-algorithm=minimal", "--no-indent-heuristic", old, new)
			if changed(theirs) < changed(string(ours)) {
				t.Errorf("%s: git changes %d lines, we %d:\n%s\n%s", name, changed(theirs), changed(string(ours)), theirs, ours)
			}
			if len(ours) == 0 {
				continue
			}
			write(t, filepath.Join(dir, "p.diff"), ours)
			git(t, dir, "apply", "--whitespace=nowarn", "p.diff")
			got := []byte(testkit.Read(t, old))
			if d := cmp.Diff(string(b), string(got)); d != "" {
				t.Fatalf("%s: applied (-want +got):\n%s\n%s", name, d, ours)
			}
		}
	}
}

// texts returns a text and a change of it; eol "" stands for mixed line ends.
func texts(random *rand.Rand, eol string) (a, b []byte) {
	var old, new strings.Builder
	for range 5 + random.Intn(40) {
		end := eol
		if end == "" {
			end = []string{"\n", "\r\n", "\r\r\n"}[random.Intn(3)]
		}
		line := fmt.Sprintf("key%d: value%s", random.Intn(9), end)
		switch random.Intn(8) {
		case 0:
			old.WriteString(line)
		case 1:
			new.WriteString(line)
		default:
			old.WriteString(line)
			new.WriteString(line)
		}
	}
	a, b = []byte(old.String()), []byte(new.String())
	if random.Intn(3) == 0 {
		a, b = []byte(strings.TrimRight(string(a), "\r\n")), []byte(strings.TrimRight(string(b), "\r\n"))
	}
	return a, b
}

// changed counts the lines that a diff takes away or brings.
func changed(d string) (n int) {
	for line := range strings.SplitSeq(d, "\n") {
		if (strings.HasPrefix(line, "-") || strings.HasPrefix(line, "+")) && !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "+++") {
			n++
		}
	}
	return n
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil && args[0] != "diff" { // diff exits 1 when there are differences
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func write(t *testing.T, name string, text []byte) {
	t.Helper()
	testkit.OK(t, os.WriteFile(name, text, 0o600))
}

// TestMasked compares whole diffs but for the lines that name the file.
func TestMasked(t *testing.T) {
	note := func(n int) string {
		return fmt.Sprintf("# f: secrets are shown as *** in %d of the lines below; --raw gives the exact bytes\n", n)
	}
	for _, c := range []struct {
		name, a, b string
		masked     int
		want       string
	}{
		{"a misspelt key", "user: me\npasswrod: hunter2\n", "user: me\npassword: hunter2\n", 2,
			"@@ -1,2 +1,2 @@\n user: me\n-passwrod: ***\n+password: ***\n"},
		{"none", "a: 1\n", "a: 2\n", 0, "@@ -1 +1 @@\n-a: 1\n+a: 2\n"},
		{"outside the context", "1: 1\n2: 2\n3: 3\n4: 4\npassword: hunter2\n", "1: x\n2: 2\n3: 3\n4: 4\npassword: hunter2\n", 0,
			"@@ -1,4 +1,4 @@\n-1: 1\n+1: x\n 2: 2\n 3: 3\n 4: 4\n"},
		{"a list in the context", "a: 1\npassword: [hunter2, other]\n", "a: 2\npassword: [hunter2, other]\n", 1,
			"@@ -1,2 +1,2 @@\n-a: 1\n+a: 2\n password: ***\n"},
		{"a block scalar in the context", "a: 1\nSTORAGE_ACCOUNT_KEY: |\r\n  x\r\n\r\n  yz==\r\nb: c\n", "a: 2\nSTORAGE_ACCOUNT_KEY: |\r\n  x\r\n\r\n  yz==\r\nb: c\n", 2,
			"@@ -1,4 +1,4 @@\n-a: 1\n+a: 2\n STORAGE_ACCOUNT_KEY: ***\r\n   ***\r\n \r\n"},
		{"a block scalar that begins before the context", "password: |\n  1x\n  2x\n  3x\n  4x\na: 1\n", "password: |\n  1x\n  2x\n  3x\n  4x\na: 2\n", 3,
			"@@ -3,4 +3,4 @@\n   ***\n   ***\n   ***\n-a: 1\n+a: 2\n"},
		{"quoted again", "password: \"hun\\\"ter\"\nnote: 1\n", "password: 'hun\"ter'\nnote: 1 # hun\"ter\n", 3,
			"@@ -1,2 +1,2 @@\n-password: ***\n-note: 1\n+password: ***\n+note: 1 # ***\n"},
		{"a list made items", "passwrod: [hunter2, other]\n", "password:\n- hunter2\n- other\n", 3,
			"@@ -1 +1,3 @@\n-passwrod: [***, ***]\n+password:\n+***\n+***\n"},
		{"short ones in their places alone", "passwrod: abc\n", "password: abc\n", 1, "@@ -1 +1 @@\n-passwrod: abc\n+password: ***\n"},
		{"a context line of a value in the new text alone", "passwrod: |\n  abc\n", "password: |\n  abc\n", 2,
			"@@ -1,2 +1,2 @@\n-passwrod: |\n+password: ***\n   ***\n"},
		{"no newline at the end", "password: hunter2", "password: hunter2\n", 2,
			"@@ -1 +1 @@\n-password: ***\n\\ No newline at end of file\n+password: ***\n"},
		{"a placeholder", "password: <password>\n", "password: AzureMlSecret=vm#me#00000000000000000000000000000000\n", 0,
			"@@ -1 +1 @@\n-password: <password>\n+password: AzureMlSecret=vm#me#00000000000000000000000000000000\n"},
	} {
		want := "--- a/f\n+++ b/f\n" + c.want
		if c.masked > 0 {
			want = note(c.masked) + want
		}
		testkit.Same(t, want, string(diff.Masked("f", []byte(c.a), []byte(c.b))), c.name)
	}
	if got := diff.Masked("f", []byte("password: hunter2"), []byte("password: hunter2")); got != nil {
		t.Errorf("equal: %q", got)
	}
}

// TestMaskedControls checks that a diff for people controls neither the terminal nor a CI service that shows it.
func TestMaskedControls(t *testing.T) {
	a := "\ufeffa: 1\t#\u00a0\u200d\r\n::error::x # ##vso[y]\n# \u202e\u2028\x1b[2J\xff\rb\u0085 ::d ##e\n"
	shown := "@@ -1,3 +1,4 @@\n \ufeffa: 1\t#\u00a0\u200d\r\n " + `\x3a:error::x # #\x23vso[y]` + "\n " + `# \u202e\u2028\x1b[2J\xff\x0db\u0085 ::d ##e` + "\n+z: 1\n"
	want := "# f: control characters and CI commands are shown as escape sequences in 2 of the lines below; --raw gives the exact bytes\n" +
		"--- a/f\n+++ b/f\n" + shown
	testkit.Same(t, want, string(diff.Masked("f", []byte(a), []byte(a+"z: 1\n"))))
}

// TestMaskedMany has more secrets than are looked for one by one.
func TestMaskedMany(t *testing.T) {
	var a, b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&a, "passwrod%d: hunter%d\n", i, i)
		fmt.Fprintf(&b, "password%d: hunter%d\n", i, i)
	}
	if got := string(diff.Masked("f", []byte(a.String()), []byte(b.String()))); strings.Contains(got, "hunter") {
		t.Error(got[:200])
	}
}

// FuzzMasked checks that a secret is shown in no line, whichever text says that it is one.
func FuzzMasked(f *testing.F) {
	f.Add("a: b\n", "c: d\n", "hunter2", true)
	f.Add("[\r\n", "{", "x", false)
	f.Fuzz(func(t *testing.T, a, b, letters string, first bool) {
		if len(a)+len(b)+len(letters) > 2000 {
			return
		}
		word := "s3cr3t" + strings.Map(func(r rune) rune {
			if 'a' <= r && r <= 'z' {
				return r
			}
			return -1
		}, letters)
		old, new := a+"\npasswrod: "+word+"\nend: 1\n", b+"\npassword: "+word+"\nend: 2\n"
		if first {
			old, new = new, old
		}
		shown := string(diff.Masked("f", []byte(old), []byte(new)))
		if strings.Contains(shown, word) && !strings.Contains(a+b, word) {
			t.Errorf("%q is shown:\n%s", word, shown)
		}
		if plain := string(diff.Unified("f", []byte(old), []byte(new))); strings.Count(plain, "\n") != strings.Count(shown[strings.Index(shown, "--- a/f"):], "\n") {
			t.Errorf("lines are missing:\n%s\n%s", plain, shown)
		}
	})
}

// FuzzUnified checks that the lines of a diff give back both texts.
func FuzzUnified(f *testing.F) {
	f.Add("a\nb\nc", "a\r\nc\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a)+len(b) > 2000 || a == "" || b == "" || strings.ContainsAny(a+b, "\x00\x01") {
			return
		}
		var old, new strings.Builder
		shown := string(diff.Unified("f", []byte(a), []byte(b)))
		if a == b && shown != "" || a != b && shown == "" {
			t.Fatalf("%q and %q: %q", a, b, shown)
		}
		diff.Masked("f", []byte(a), []byte(b))
		_, hunks, _ := strings.Cut(shown, "+++ b/f\n")
		hunks = strings.ReplaceAll(hunks, "\n\\ No newline at end of file\n", "\x00")
		for _, line := range strings.FieldsFunc(strings.NewReplacer("\n", "\n\x01", "\x00", "\x01").Replace(hunks), func(r rune) bool { return r == 1 }) {
			if line[0] != '+' && line[0] != '@' && !strings.Contains(a, line[1:]) {
				t.Errorf("%q is not in the old text %q", line, a)
			}
			if line[0] == '-' || line[0] == ' ' {
				old.WriteString(line[1:])
			}
			if line[0] == '+' || line[0] == ' ' {
				new.WriteString(line[1:])
			}
			if line[0] != '-' && line[0] != '@' && !strings.Contains(b, line[1:]) {
				t.Errorf("%q is not in the new text %q", line, b)
			}
		}
		if len(b)-len(a) != new.Len()-old.Len() {
			t.Errorf("the diff adds %d bytes, the texts differ by %d", new.Len()-old.Len(), len(b)-len(a))
		}
	})
}
