package costtest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema/testkit"
)

// The limits for a file of 1 MB, and for the growth with ten times the input.
const (
	mostCPU    = 2 * time.Second
	mostMemory = 200 << 20
	mostGrowth = 12.0
	// quadratic cost grows a hundredfold; a busy machine does not cause that for linear cost
	surelyMore = 30.0
)

// folder contains the program once it is built.
var folder string

// amlfix builds the program once, in the same way as other tests, so that they share the build cache.
var amlfix = sync.OnceValues(func() (string, error) {
	var err error
	if folder, err = os.MkdirTemp("", "amlfix-cost"); err != nil {
		return "", err
	}
	path := filepath.Join(folder, "amlfix.exe")
	return path, testkit.Build(path)
})

func TestMain(m *testing.M) {
	code := m.Run()
	if folder != "" {
		os.RemoveAll(folder)
	}
	os.Exit(code)
}

// binary returns the path of a freshly built amlfix.
func binary(t *testing.T) string {
	t.Helper()
	path, err := amlfix()
	if err != nil {
		t.Fatal(err, path)
	}
	return path
}

// measure runs one command on one shape.
func measure(t *testing.T, s Shape, size int, command string) Cost {
	t.Helper()
	dir := testkit.Lay(t, s.Files(size))
	cost, err := Run(binary(t), dir, t.TempDir(), Commands[command])
	testkit.OK(t, err)
	return cost
}

// TestShapes checks that the shapes are as large as they claim, and no larger.
func TestShapes(t *testing.T) {
	names := map[string]bool{}
	for _, s := range Shapes {
		sum := 0
		for name, text := range s.Files(100_000) {
			sum += len(text) + len(name)
		}
		if sum < 90_000 || sum > 101_000 || names[s.Name] {
			t.Errorf("%s: %d bytes, or a name twice", s.Name, sum)
		}
		names[s.Name] = true
	}
}

// suspects are shapes whose cost was once quadratic, each for another reason; TestBounds measures all shapes.
var suspects = []string{
	"equal items", "distinct keys", "near misses", "items on one line", "JSON on one line", "own tags", "a fault in the last line",
	"an open quote at the end", "CPU packages", "ignoring comments in a row", "ignoring comments behind values", "computes",
	"one ignoring comment of many names", "spaces between two words", "run configurations of one environment", "known keys without a space",
}

// TestGrowth checks that ten times the input costs far less than a hundred times the processor time. It fails only if
// none of five attempts was better.
func TestGrowth(t *testing.T) {
	for _, s := range Shapes {
		if !slices.Contains(suspects, s.Name) {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			var growth float64
			for range 5 {
				small, large := measure(t, s, 10_000, "diff"), measure(t, s, 100_000, "diff")
				if growth = float64(large.CPU) / float64(small.CPU); growth <= surelyMore {
					return
				}
			}
			t.Errorf("ten times the input costs %.0f times the processor time", growth)
		})
	}
}

// TestBounds is the complete set: every shape of 1 MB with every command.
func TestBounds(t *testing.T) {
	if os.Getenv("AMLFIX_TEST_FULL") == "" {
		t.Skip("SKIPPED: ten minutes; AMLFIX_TEST_FULL=1 runs it")
	}
	for _, s := range Shapes {
		for _, command := range []string{"check", "sarif", "diff", "apply", "migrate"} {
			t.Run(s.Name+"/"+command, func(t *testing.T) {
				var small, large Cost
				var growth float64
				for range 5 {
					small, large = measure(t, s, 100_000, command), measure(t, s, 1_000_000, command)
					growth = float64(large.CPU) / float64(small.CPU)
					if growth <= mostGrowth && large.CPU <= mostCPU && large.Memory <= mostMemory {
						t.Logf("%v, %d MB, %.1f times", large.CPU, large.Memory>>20, growth)
						return
					}
				}
				t.Errorf("1 MB costs %v and %d MB, %.1f times a tenth of it", large.CPU, large.Memory>>20, growth)
			})
		}
	}
}

// TestProjects checks that the cost of 50,000 projects is in proportion to that of 10,000: the garbage collector must
// not run constantly once much memory is live.
func TestProjects(t *testing.T) {
	if os.Getenv("AMLFIX_TEST_FULL") == "" {
		t.Skip("SKIPPED: 60,000 files; AMLFIX_TEST_FULL=1 runs it")
	}
	cost := func(n int) (least Cost) {
		all := map[string]string{}
		for i := range n {
			all[fmt.Sprintf("p%d/aml_config/x.compute", i)] = "type: remotedockr\n"
		}
		dir := testkit.Lay(t, all)
		for range 3 {
			c, err := Run(binary(t), dir, t.TempDir(), Commands["check"])
			testkit.OK(t, err)
			if least.CPU == 0 || c.CPU < least.CPU {
				least = c
			}
		}
		return least
	}
	few, many := cost(10_000), cost(50_000)
	if growth := float64(many.CPU) / float64(few.CPU) / 5; growth > 1.2 || many.Memory > mostMemory {
		t.Errorf("50,000 projects cost %v and %d MB, %.2f times five times the %v of 10,000", many.CPU, many.Memory>>20, growth, few.CPU)
	} else {
		t.Logf("10,000: %v; 50,000: %v, %d MB, %.2f", few.CPU, many.CPU, many.Memory>>20, growth)
	}
}

// TestManyRepairs repairs files with many identical problems, up to the documented limit, and declines larger ones in
// one sentence.
func TestManyRepairs(t *testing.T) {
	for items, repaired := range map[int]bool{1000: true, 1400: true, 4000: true, 5001: false, 30_000: false} {
		const head = "dependencies:\n"
		text := head + strings.Repeat("- a\n", items)
		dir := testkit.Lay(t, project(map[string]string{"aml_config/conda_dependencies.yml": text}))
		cmd := exec.Command(binary(t), "--apply", "--unsafe", ".")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir())
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, "aml_config", "conda_dependencies.yml"))
		want, sentences := text, 1
		if repaired {
			want, sentences = head+"- a\n", 0
		}
		if err != nil || string(got) != want {
			t.Errorf("%d items became %.60q…, %v", items, got, err)
		}
		if n := bytes.Count(out, []byte(": not repaired:")); n != sentences {
			t.Errorf("%d items: %d times not repaired: %.600s", items, n, out)
		}
	}
}
