package watch

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestWatch changes files in each way that editors use, and checks that every change is noticed once, and nothing else
// is. It uses the fake clock of testing/synctest: pauses take no time, nor do writes.
func TestWatch(t *testing.T) { synctest.Test(t, changes) }

func changes(t *testing.T) {
	dir := t.TempDir()
	file, outside := filepath.Join(dir, "a.yml"), filepath.Join(t.TempDir(), "b.yml")
	write := func(name, text string) {
		t.Helper()
		testkit.OK(t, os.WriteFile(name, []byte(text), 0o600))
	}
	move := func(from, to string) {
		t.Helper()
		testkit.OK(t, os.Rename(from, to))
	}
	write(file, "1")
	calls := make(chan struct{}, 100)
	w := Watcher{
		Files: func() []string {
			list, _ := filepath.Glob(filepath.Join(dir, "*.yml"))
			return list
		},
		Changed: func() []string { calls <- struct{}{}; return []string{outside} },
		Pause:   2 * time.Millisecond, Quiet: 20 * time.Millisecond,
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); w.Run(ctx) }()
	called := func(after string) {
		t.Helper()
		select {
		case <-calls:
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: no call", after)
		}
		select {
		case <-calls:
			t.Fatalf("%s: a second call", after)
		case <-time.After(100 * time.Millisecond):
		}
	}
	called("the beginning")
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"written in place", func() { write(file, "12") }},
		{"in two steps", func() { write(file, ""); write(file, "123") }},
		{"another renamed over it", func() { write(file+"~", "1234"); move(file+"~", file) }},
		{"moved away, and written", func() { move(file, file+".bak"); write(file, "12345") }},
		{"a new file", func() { write(filepath.Join(dir, "c.yml"), "") }},
		{"a file that was met and is elsewhere", func() { write(outside, "x") }},
		{"removed", func() { move(file, filepath.Join(dir, "gone")) }},
	} {
		step.do()
		called(step.name)
	}
	write(filepath.Join(dir, ".a.yml.swp"), "of an editor")
	select {
	case <-calls:
		t.Error("a call for a file that does not matter")
	case <-time.After(100 * time.Millisecond):
	}
	stop()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Error("it goes on after the end")
	}
}

// TestSlowLooksAreRare checks that watching takes at most a twentieth of the time.
func TestSlowLooksAreRare(t *testing.T) { synctest.Test(t, slowLooks) }

func slowLooks(t *testing.T) {
	looks := 0
	ctx, stop := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer stop()
	w := Watcher{
		Files:   func() []string { looks++; time.Sleep(10 * time.Millisecond); return nil },
		Changed: func() []string { return nil },
		Pause:   time.Millisecond, Quiet: time.Millisecond,
	}
	w.Run(ctx)
	if looks != 4 { // at 0, 10, 210 and 410 ms
		t.Errorf("%d looks", looks)
	}
}

// TestChangeWhileChecking changes a file while it is being checked: it is not known which text was read, so it is
// checked again.
func TestChangeWhileChecking(t *testing.T) { synctest.Test(t, changeWhileChecking) }

func changeWhileChecking(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a")
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	calls := 0
	w := Watcher{Files: func() []string { return []string{file} }, Pause: time.Millisecond, Quiet: time.Millisecond}
	w.Changed = func() []string {
		if calls++; calls == 2 {
			stop()
		} else if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
			t.Error(err)
		}
		return []string{file}
	}
	w.Run(ctx)
	if calls != 2 {
		t.Errorf("%d calls", calls)
	}
}
