// Package loaded reads projects for tests of the layers above schema.
package loaded

import (
	"testing"

	"github.com/amlfix/amlfix/schema"
)

// Project reads the only project in a folder.
func Project(t testing.TB, dir string) *schema.Project {
	t.Helper()
	roots, err := schema.Discover([]string{dir})
	if err != nil || len(roots) != 1 {
		t.Fatalf("projects %v, %v; want one", roots, err)
	}
	return schema.Load(roots[0], schema.Options{})
}

// Job reads the only job of the only project in a folder.
func Job(t testing.TB, dir string) *schema.Job {
	t.Helper()
	jobs := Project(t, dir).Jobs
	if len(jobs) != 1 {
		t.Fatalf("%d jobs; want one", len(jobs))
	}
	return jobs[0]
}
