package check

import (
	"sync"
	"testing"
	"time"

	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema/testkit"
)

func files(paths ...string) (list []fixers.FilePatch) {
	for _, p := range paths {
		list = append(list, fixers.FilePatch{Path: p})
	}
	return list
}

// TestClaim checks that repairs of different files are written at the same time, and those of one file in turn.
func TestClaim(t *testing.T) {
	c := new(Engine).Checker(Options{})
	c.claim(files("a", "b"))
	c.claim(files("c"))
	claimed := make(chan bool)
	go func() {
		c.claim(files("d", "b"))
		claimed <- true
	}()
	select {
	case <-claimed:
		t.Fatal("b is written twice at the same time")
	case <-time.After(50 * time.Millisecond):
	}
	c.release(files("c"), false)
	c.release(files("a", "b"), true)
	<-claimed
	for path, want := range map[string]bool{"a": true, "b": true, "c": false, "d": false} {
		testkit.Same(t, want, c.repaired(path), "%s", path)
	}
}

// TestClaimsEnd checks that many repairs of overlapping files never wait for each other forever.
func TestClaimsEnd(t *testing.T) {
	c := new(Engine).Checker(Options{})
	paths := []string{"a", "b", "c", "d"}
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			list := files(paths[i%4], paths[(i+1+i/4%3)%4])
			c.claim(list)
			c.release(list, true)
		})
	}
	all.Wait()
	if len(c.claimed) > 0 {
		t.Errorf("%v are still claimed", c.claimed)
	}
}
