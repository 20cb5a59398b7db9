package plain_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestCause(t *testing.T) {
	own := errors.New("own words")
	for _, tt := range []struct {
		err  error
		want string
		is   error
	}{
		{&fs.PathError{Op: "open", Path: "/a", Err: syscall.ENOSPC}, syscall.ENOSPC.Error(), syscall.ENOSPC},
		{fmt.Errorf("/a: %w", &fs.PathError{Op: "open", Path: "/a", Err: fs.ErrNotExist}), fs.ErrNotExist.Error(), fs.ErrNotExist},
		{&os.LinkError{Op: "rename", Old: "/a", New: "/b", Err: syscall.EXDEV}, syscall.EXDEV.Error(), syscall.EXDEV},
		{&fs.PathError{Op: "open", Path: "/a", Err: syscall.EACCES}, "no permission there", fs.ErrPermission},
		{own, "own words", own},
	} {
		got := plain.Cause(tt.err)
		if d := cmp.Diff(tt.want, got.Error()); d != "" || !errors.Is(got, tt.is) {
			t.Errorf("%v: is %v: %v; %s", tt.err, tt.is, errors.Is(got, tt.is), d)
		}
		testkit.Same(t, got.Error(), plain.Cause(got).Error(), "%v: not the same a second time", tt.err)
	}
	if err := plain.Cause(nil); err != nil {
		t.Error(err)
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"target", "target", 0}, {"tagret", "target", 1}, {"traget", "target", 1},
		{"taget", "target", 1}, {"tarrget", "target", 1}, {"Target", "target", 1}, {"ca", "abc", 3}, {"é", "e", 1}, {"漢字", "字漢", 1},
	} {
		for _, pair := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
			testkit.Same(t, tt.want, plain.Distance(pair[0], pair[1]), "%q", pair)
		}
	}
}

// FuzzDistance compares the quick comparison with the definition, which is slow.
func FuzzDistance(f *testing.F) {
	for _, pair := range [][2]string{{"target", "tagret"}, {"train.py", "trian.py"}, {"ca", "abc"}, {"é", "è"}, {"aé", "aè"}, {"éa", "ña"}, {"漢字", "字漢"}, {"aab", "aba"}, {"\xff", "é"}, {"abcdef", "badcfe"}} {
		f.Add(pair[0], pair[1], 3)
	}
	f.Fuzz(func(t *testing.T, a, b string, limit int) {
		if len(a)+len(b) > 40 || !utf8.ValidString(a) || !utf8.ValidString(b) {
			return
		}
		want := defined([]rune(a), []rune(b))
		testkit.Same(t, want, plain.Distance(a, b), "%q, %q", a, b)
		limit = max(limit%8, -(limit % 8))
		if got := plain.DistanceWithin(a, b, limit); got != want && (got <= limit || want <= limit) {
			t.Errorf("%q, %q within %d: %d, want %d", a, b, limit, got, want)
		}
	})
}

// defined computes the optimal string alignment distance from its definition.
func defined(a, b []rune) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		for j := range rows[i] {
			switch {
			case i == 0 || j == 0:
				rows[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				rows[i][j] = rows[i-1][j-1]
			default:
				rows[i][j] = rows[i-1][j-1] + 1
			}
			rows[i][j] = min(rows[i][j], rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{"TensorFlow_GPU": "tensorflow-gpu", "azureml.assets": "azureml-assets", "a-_.b": "a-b", "-a-": "-a-", "": "", "É_b": "É-b"} {
		testkit.Same(t, want, plain.PackageName(name), "%q", name)
	}
	for key, want := range map[string]string{"node_count": "nodeCount", "NodeCount": "nodeCount", "nodeCount": "nodeCount", "a__b_": "aB", "_a": "A", "": ""} {
		testkit.Same(t, want, plain.CamelCase(key), "%q", key)
	}
	for name, want := range map[string]string{"AUC_weighted": "auc_weighted", "WoETargetEncoder": "wo_e_target_encoder", "R2Score": "r2_score", "openAI": "open_ai", "aucweighted": "aucweighted", "": ""} {
		testkit.Same(t, want, plain.SnakeCase(name), "%q", name)
	}
}

func TestBytes(t *testing.T) {
	for text, want := range map[string]int64{"2g": 2 << 30, "512M": 512 << 20, "64kb": 64 << 10, "1GiB": 1 << 30, "1024": 1024, "1.5g": 3 << 29, "\t1 g ": 1 << 30,
		"": 0, "g": 0, "-1g": 0, "0": 0, "1e30g": 0, "NaN": 0, "inf": 0, "1gg": 0, "much": 0} {
		got, ok := plain.Bytes(text)
		if !ok {
			got = 0
		}
		testkit.Same(t, want, got, "%q", text)
	}
}

func TestRel(t *testing.T) {
	here, err := filepath.Abs("x")
	testkit.OK(t, err)
	for _, tt := range [][3]string{{"/a", "/a/b/c", "b/c"}, {"/a/b", "/a", ".."}, {"a", "a/b", "b"}, {filepath.Dir(here), "x/y", "x/y"}, {".", here, "x"}} {
		testkit.Same(t, tt[2], plain.Rel(filepath.FromSlash(tt[0]), filepath.FromSlash(tt[1])), "from %s to %s", tt[0], tt[1])
	}
}

// TestIsClean compares IsClean with path.Clean, for all paths of up to seven of these characters.
func TestIsClean(t *testing.T) {
	paths := []string{""}
	for len(paths[0]) < 7 {
		var longer []string
		for _, p := range paths {
			for _, c := range []string{"a", "/", "."} {
				longer = append(longer, p+c)
			}
		}
		paths = longer
		for _, p := range paths {
			if p[0] == '.' {
				continue
			}
			want := path.Clean(p) == p && p != "/" && !strings.Contains(p, "/.")
			if got := plain.IsClean(p, '/'); got != want {
				t.Errorf("%q: %v", p, got)
			}
		}
	}
}

// TestSortFunc checks that SortFunc sorts as slices.SortStableFunc does.
func TestSortFunc(t *testing.T) {
	type item struct{ key, place int }
	byKey := func(a, b item) int { return a.key - b.key }
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same lists each time
	for n := range 100 {
		got := make([]item, n)
		for i := range got {
			got[i] = item{random.IntN(1 + n/2), i}
		}
		want := slices.Clone(got)
		slices.SortStableFunc(want, byKey)
		for range 2 { // a sorted list does not change
			plain.SortFunc(got, byKey)
			if d := cmp.Diff(want, got, cmp.AllowUnexported(item{})); d != "" {
				t.Fatal(d)
			}
		}
	}
}
