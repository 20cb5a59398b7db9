package store

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/schema/testkit"
)

// open opens a test's own store.
func open(t *testing.T) (*Store, string) {
	t.Helper()
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache) // macOS
	t.Setenv("LocalAppData", cache)
	s, err := Open()
	testkit.OK(t, err)
	t.Cleanup(s.Close)
	return s, s.dir.Path()
}

// given gives a tree to the store as if this had happened some time ago.
func given(t *testing.T, s *Store, dir string, tree Tree, ago time.Duration) {
	t.Helper()
	testkit.OK(t, s.Give(tree))
	tree.Saved = time.Now().Add(-ago)
	text, err := tree.encode()
	testkit.OK(t, err)
	testkit.OK(t, os.WriteFile(filepath.Join(dir, tree.Name+suffix), text, 0o600))
}

func TestTreesAreKept(t *testing.T) {
	s, _ := open(t)
	want := Tree{Name: "a1", Owner: "o", Project: "/p", Place: "here", Open: true, Begun: time.Unix(1, 2).UTC(), Bytes: 3, Count: 2, Files: []project.Piece{
		{Path: "new\nline \xff", Size: 1, Time: -5, Mode: 0o755, Sum: [32]byte{0, 10, 255}, Same: "1.2"}, {Path: "b", Sum: [32]byte{1}}}}
	testkit.OK(t, s.Give(want))
	for _, other := range []Tree{{Place: "there", Owner: "o", Open: true}, {Place: "here", Owner: "p", Open: true}, {Place: "here", Owner: "o"}} {
		if got, ok := s.Take(other.Place, other.Owner, other.Open); ok {
			t.Errorf("%+v", got)
		}
	}
	got, ok := s.Take("here", "o", true)
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(project.Piece{}), cmpopts.IgnoreFields(Tree{}, "Saved")); !ok || d != "" {
		t.Error(d)
	}
	if got, ok := s.Take("here", "o", true); ok {
		t.Errorf("it is taken again: %+v", got)
	}
}

// TestOneRunHasATree has many runs take a few trees at the same time.
func TestOneRunHasATree(t *testing.T) {
	s, _ := open(t)
	for _, name := range []string{"a", "b", "c"} {
		testkit.OK(t, s.Give(Tree{Name: name, Place: "here", Owner: "o"}))
	}
	var taken sync.Map
	var count atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if tree, ok := s.Take("here", "o", false); ok {
				if _, twice := taken.LoadOrStore(tree.Name, true); twice {
					t.Errorf("%s is taken twice", tree.Name)
				}
				count.Add(1)
			}
		})
	}
	all.Wait()
	testkit.Same(t, int32(3), count.Load())
}

func TestExcess(t *testing.T) {
	const gb = 1_000_000_000
	day := 24 * time.Hour
	for _, tt := range []struct {
		name  string
		limit string
		trees map[string]Tree
		ago   map[string]time.Duration
		want  []string
	}{
		{"nothing", "", map[string]Tree{"a": {Owner: "o", Bytes: gb}}, nil, nil},
		{"old", "", map[string]Tree{"a": {Owner: "o"}, "b": {Owner: "p"}}, map[string]time.Duration{"a": 29 * day, "b": 31 * day}, []string{"b"}},
		{"a wrong clock", "", map[string]Tree{"a": {Owner: "o"}}, map[string]time.Duration{"a": -31 * day}, []string{"a"}},
		{"too many of one project", "", map[string]Tree{"a": {Owner: "o"}, "b": {Owner: "o"}, "c": {Owner: "o"}, "d": {Owner: "p"}},
			map[string]time.Duration{"a": 3 * day, "b": 2 * day, "c": day, "d": 4 * day}, []string{"a"}},
		{"too large together", "2.5", map[string]Tree{"a": {Owner: "o", Bytes: gb}, "b": {Owner: "p", Bytes: gb}, "c": {Owner: "q", Bytes: gb}},
			map[string]time.Duration{"a": 3 * day, "b": day, "c": 2 * day}, []string{"a"}},
		{"elsewhere", "1", map[string]Tree{"a": {Owner: "o", Bytes: 2 * gb, Place: "there"}}, nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, dir := open(t)
			t.Setenv(GBVariable, tt.limit)
			for name, tree := range tt.trees {
				if tree.Name = name; tree.Place == "" {
					tree.Place = "here"
				}
				given(t, s, dir, tree, tt.ago[name])
			}
			var got []string
			for _, tree := range s.Excess("here") {
				got = append(got, tree.Name)
			}
			testkit.Same(t, tt.want, got)
			testkit.Same(t, len(tt.trees)-len(tt.want), len(s.List()))
		})
	}
}

// TestDamagedStore checks that files that the store has not written count as nothing.
func TestDamagedStore(t *testing.T) {
	s, dir := open(t)
	tree := Tree{Name: "a", Place: "here", Owner: "o", Files: []project.Piece{{Path: "x", Sum: [32]byte{1}}}}
	text, err := tree.encode()
	testkit.OK(t, err)
	for i := range text {
		testkit.OK(t, os.WriteFile(filepath.Join(dir, "a.tree"), text[:i], 0o600))
		if got, ok := s.Take("here", "o", false); ok {
			t.Fatalf("%d bytes are taken for %+v", i, got)
		}
	}
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "b.tree"), text, 0o600)) // with another name
	if got, ok := s.Take("here", "o", false); ok {
		t.Errorf("%+v", got)
	}
}

// TestAnswers checks that a machine's answer to something else is not trusted.
func TestAnswers(t *testing.T) {
	wanted := []project.Piece{{Path: "a"}, {Path: "b"}}
	for said, want := range map[string]map[string]bool{
		"\x00amlfix\x00end\x00":                   {},
		"Welcome!\n\x00amlfix\x001\x00end\x00":    {"b": true},
		"\x00amlfix\x000\x001\x00end\x00":         {"a": true, "b": true},
		"\x00amlfix\x000\x00":                     nil,
		"\x00amlfix\x002\x00end\x00":              nil,
		"\x00amlfix\x00-1\x00end\x00":             nil,
		"\x00amlfix\x00x\x00end\x00":              nil,
		"end\x00":                                 nil,
		"":                                        nil,
		"\x00amlfix\x001\x00end\x00and something": nil,
	} {
		got, err := missing([]byte(said), wanted)
		if (err != nil) != (want == nil) {
			t.Errorf("%q: %v", said, err)
		}
		testkit.Same(t, want, got, said)
	}
}

// TestSummary counts what is sent.
func TestSummary(t *testing.T) {
	u := &Use{wanted: []project.Piece{{Path: "a", Size: 5}, {Path: "b", Size: 7}}, toSend: map[string]bool{"a": true}}
	testkit.Same(t, "1 of 2 files is sent (5 B): the others are already there", u.Summary())
	u.toSend = map[string]bool{}
	testkit.Same(t, "no files are sent: all 2 are already there", u.Summary())
}
