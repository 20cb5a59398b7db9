//go:build linux

package docker

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/schema/testkit"
)

// counted is the real engine with a list of the requests made. If hold is set, answers wait until it is closed.
type counted struct {
	Engine
	hold chan struct{}

	mu    sync.Mutex
	asked map[string]int
}

func (c *counted) ask(what string) {
	c.mu.Lock()
	c.asked[what]++
	c.mu.Unlock()
	if c.hold != nil {
		<-c.hold
	}
}

func (c *counted) Info(ctx context.Context) (Info, error) { c.ask("info"); return c.Engine.Info(ctx) }

func (c *counted) Image(ctx context.Context, ref string) (Image, error) {
	c.ask(ref)
	return c.Engine.Image(ctx, ref)
}

// anyOrder compares lists that an engine returns in any order.
var anyOrder = cmpopts.SortSlices(strings.Compare)

func TestRememberAsksOnce(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	image := e.Job(t)
	real := connect(t, e)
	c := &counted{Engine: real, asked: map[string]int{}}
	began := time.Now()
	eng := Remember(t.Context(), c)
	for range 3 {
		info, err := eng.Info(t.Context())
		want, _ := real.Info(t.Context())
		if late := want.Now.Sub(info.Now); late.Abs() > time.Second+time.Since(began) {
			t.Errorf("the engine's clock shows %v, not %v", want.Now, info.Now)
		}
		want.Now = info.Now
		if d := cmp.Diff(want, info, anyOrder); err != nil || d != "" {
			t.Errorf("%v %s", err, d)
		}
		img, err := eng.Image(t.Context(), image)
		if want, _ := real.Image(t.Context(), image); err != nil || cmp.Diff(want, img) != "" {
			t.Errorf("%+v, %v", img, err)
		}
	}
	testkit.Same(t, map[string]int{"info": 1, image: 1}, c.asked)
}

// TestRememberForgets checks that a missing image can appear later, and that a rebuilt image is read again.
func TestRememberForgets(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	real := connect(t, e)
	eng := Remember(t.Context(), real)
	const name = "amlfix-test/remembered:1"
	id, err := eng.Create(t.Context(), Container{Name: "remembered", RunID: runID(t), Image: e.Job(t), Argv: []string{"/testjob"}})
	testkit.OK(t, err)
	defer func() { _ = eng.Remove(context.WithoutCancel(t.Context()), id) }()
	if _, err := eng.Image(t.Context(), name); !Is(err, ImageNotFound) {
		t.Errorf("%v", err)
	}
	for _, user := range []string{"1", "2"} {
		made, err := eng.Commit(t.Context(), id, name, Image{User: user})
		testkit.OK(t, err)
		img, err := eng.Image(t.Context(), name)
		if err != nil || img.ID != made || img.User != user {
			t.Errorf("%+v, %v", img, err)
		}
	}
}

// TestRememberWaits checks that an answer on its way is awaited, but no longer than the caller's context allows.
func TestRememberWaits(t *testing.T) {
	t.Parallel()
	c := &counted{Engine: connect(t, enginetest.Start(t)), hold: make(chan struct{}), asked: map[string]int{}}
	eng := Remember(t.Context(), c)
	for c.count("info") == 0 {
		time.Sleep(time.Millisecond)
	}
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if _, err := eng.Info(ctx); !errors.Is(err, why) {
		t.Errorf("%v", err)
	}
	got := make(chan Info)
	go func() {
		i, _ := eng.Info(t.Context())
		got <- i
	}()
	close(c.hold)
	if i := <-got; i.OS != "linux" || c.count("info") != 1 {
		t.Errorf("%+v, asked %d times", i, c.count("info"))
	}
}

func (c *counted) count(what string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked[what]
}
