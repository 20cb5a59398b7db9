package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/flags"
	"github.com/amlfix/amlfix/cmd/internal/start"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/testkit"
)

// asAmlfix returns a process of this test binary under amlfix's name: a check without flags then begins early.
func asAmlfix(t *testing.T, bin, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(bin, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), asMain+"=1")
	return cmd
}

// linked returns a link to this test binary with amlfix's name.
func linked(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	self, err := os.Executable()
	testkit.OK(t, err)
	bin := filepath.Join(t.TempDir(), "amlfix")
	testkit.OK(t, os.Symlink(self, bin))
	return bin
}

// listFlags are the plain flags that may be given several times.
var listFlags = []string{"format", "select", "ignore"}

// TestEarlyWords checks that package start knows all commands, which it must not take for paths, and what the flags
// that it reads are.
func TestEarlyWords(t *testing.T) {
	want := []string{"help"}
	var flags []cli.Flag
	for _, c := range (Command{}).program().Commands {
		if c.Name != "check" {
			want = append(want, c.Name)
		} else {
			flags = c.Make().Flags
		}
	}
	got := slices.Clone(start.Commands[:])
	slices.Sort(want)
	slices.Sort(got)
	testkit.Same(t, want, got)
	kinds := map[string]string{}
	for _, f := range flags {
		kind := fmt.Sprintf("%T", f)
		if text, ok := f.(*cli.StringFlag); ok && text.Value != "" {
			kind += " " + text.Value
		}
		for _, name := range f.Names() {
			kinds[name] = kind
		}
		if len(f.Names()) > 1 {
			kinds[f.Names()[0]] += ", also " + f.Names()[1]
		}
	}
	for _, name := range start.Switches {
		testkit.Same(t, "*cli.BoolFlag", kinds[name], name)
	}
	for _, name := range start.Valued {
		switch {
		case slices.Contains(listFlags, name):
			testkit.Same(t, "*cli.StringSliceFlag", kinds[name], name)
		case name == "color":
			testkit.Same(t, "*cli.StringFlag auto", kinds[name], name)
		default:
			testkit.Same(t, "*cli.StringFlag", kinds[name], name)
		}
	}
}

// TestEarlyFlags checks, for random command lines, that package start reads those that it takes as the library for
// flags does.
func TestEarlyFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"jobs", "run"} {
		testkit.OK(t, os.Mkdir(dir, 0o755))
	}
	words := []string{"check", "jobs", "jobs", "run", ".", "missing", "-", "--", "", "-i", "--max-warnings", "3", "text", "json=a.json", "a,b", " a", "always", "--watch", "-diff", "--diff=false"}
	for _, name := range slices.Concat(start.Switches[:], start.Valued[:]) {
		words = append(words, "--"+name)
	}
	for _, name := range start.Valued {
		words = append(words, "--"+name+"=x", "--"+name+"=")
	}
	random := rand.New(rand.NewPCG(1, 2))
	taken := 0
	for range 20_000 {
		args := []string{}
		for range random.IntN(6) {
			args = append(args, words[random.IntN(len(words))])
		}
		f, paths, ok := start.Plain(append([]string{"amlfix"}, args...), func(string) string { return "" })
		if !ok {
			continue
		}
		taken++
		want, code := calledWith(t, args)
		if got := written(f, paths); code != 0 || got != want {
			t.Fatalf("%q: exit status %d (-library +start)\n- %s\n+ %s", args, code, want, got)
		}
	}
	if taken < 2_000 {
		t.Errorf("only %d command lines are plain", taken)
	}
}

// calledWith returns the flags and operands with which the library calls check for a command line.
func calledWith(t *testing.T, args []string) (said string, code int) {
	t.Helper()
	p := Command{Stdout: io.Discard, Stderr: io.Discard, Env: func(string) string { return "" }}.program()
	p.Before = nil
	for i, c := range p.Commands {
		p.Commands[i].Make = func() *cli.Command {
			command := c.Make()
			command.Action = func(ctx *cli.Context) error {
				said = written(ctx, ctx.Args().Slice())
				return nil
			}
			return command
		}
	}
	code = p.Run(t.Context(), args)
	return said, code
}

// written returns flags and operands as text.
func written(f flags.Set, paths []string) string {
	var b strings.Builder
	for _, name := range slices.Concat(start.Switches[:], start.Valued[:]) {
		if slices.Contains(start.Switches[:], name) {
			fmt.Fprintf(&b, "%s=%v,%v ", name, f.Bool(name), f.IsSet(name))
		} else if slices.Contains(listFlags, name) {
			fmt.Fprintf(&b, "%s=%q,%v ", name, f.StringSlice(name), f.IsSet(name))
		} else {
			fmt.Fprintf(&b, "%s=%q,%v ", name, f.String(name), f.IsSet(name))
		}
	}
	fmt.Fprintf(&b, "%d %v %q", f.Int("max-warnings"), f.NumFlags() > 0, paths)
	return b.String()
}

// TestEarlyCheck checks that a check that begins before other packages have started writes the same as any other, for
// all examples and test projects and several flags: a check with an unusual flag validates with the library.
//
//testkit:norace
func TestEarlyCheck(t *testing.T) {
	t.Parallel()
	bin := linked(t)
	cases := map[string][]txtar.File{}
	for _, r := range rules.All() {
		cases[r.ID] = txtar.Parse([]byte(r.Bad)).Files
	}
	for _, pattern := range []string{"testdata/*.txtar", "../../rules/testdata/*.txtar"} {
		for _, name := range testkit.Glob(t, pattern) {
			cases[name] = testkit.Archive(t, name).Files
		}
	}
	var fit, faulty atomic.Int64
	t.Run("cases", func(t *testing.T) {
		several := []string{"--format json", "--format sarif", "--diff", "--format concise --verbose --fail-on warning", "--select gpu", "--statistics"}
		for i, name := range slices.Sorted(maps.Keys(cases)) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				dir := testkit.Unpack(t, cases[name])
				var said, packages string
				for _, flags := range []string{several[i%len(several)], ""} {
					words := strings.Fields(flags)
					want, _ := outcome(t, asAmlfix(t, bin, dir, append(words, "--raw=false")...))
					said, packages = outcome(t, asAmlfix(t, bin, dir, words...))
					testkit.Same(t, want, said, flags)
				}
				if strings.Contains(packages, "santhosh-tekuri/jsonschema") {
					t.Error("the library has started")
				}
				if strings.Contains(said, "schema/") {
					faulty.Add(1)
				} else {
					fit.Add(1)
				}
			})
		}
	})
	if fit.Load() < 100 || faulty.Load() < 20 {
		t.Errorf("the files of %d checks fit, those of %d do not", fit.Load(), faulty.Load())
	}
}

// outcome runs a process and returns its output and exit status, and the packages that started.
func outcome(t *testing.T, cmd *exec.Cmd) (said, packages string) {
	t.Helper()
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Env = &out, &stderr, append(cmd.Env, "GODEBUG=inittrace=1")
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	var rest strings.Builder
	for line := range strings.Lines(stderr.String()) {
		if strings.HasPrefix(line, "init ") {
			packages += line
		} else {
			rest.WriteString(line)
		}
	}
	return fmt.Sprintf("%s%s(exit %d)\n", out.String(), rest.String(), cmd.ProcessState.ExitCode()), packages
}

// TestEarlyEnd checks that a check of files that fit starts neither the library for schemas, nor SSH, HTTP and the
// Docker client.
func TestEarlyEnd(t *testing.T) {
	t.Parallel()
	dir := testkit.Folder(t, rules.All()[0].Good)
	_, packages := outcome(t, asAmlfix(t, linked(t), dir, "."))
	if !strings.Contains(packages, "init regexp ") {
		t.Fatalf("no packages are listed: %s", packages)
	}
	for _, not := range []string{"github.com/santhosh-tekuri/jsonschema/v5 ", "golang.org/x/crypto/ssh ", "net/http ", "github.com/docker/docker/client ", "github.com/urfave/cli/v2 "} {
		if strings.Contains(packages, "init "+not) {
			t.Errorf("%s has started:\n%s", not, packages)
		}
	}
}
