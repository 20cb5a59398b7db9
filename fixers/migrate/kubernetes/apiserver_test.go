//go:build linux

package kubernetes_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/kubernetes"
	"github.com/amlfix/amlfix/fixers/migrate/migratetest"
	"github.com/amlfix/amlfix/schema/judge/apiserver"
)

// TestAPIServerAcceptsTheCorpus creates the output for every real project in a real API server, each in its own
// namespace.
func TestAPIServerAcceptsTheCorpus(t *testing.T) {
	if os.Getenv("AMLFIX_TEST_FULL") == "" {
		t.Skip("part of the set test/full: set AMLFIX_TEST_FULL=1 to run it")
	}
	cluster := apiserver.Start(t)
	if n, err := cluster.Create(t.Context(), "default", []byte("apiVersion: batch/v1\nkind: Job\nmetadata: {name: x}\nspec: {templat: {}}\n")); n > 0 || err == nil || !strings.Contains(err.Error(), "templat") {
		t.Fatalf("an unknown field was created: %d, %v", n, err)
	}
	created, projects := 0, 0
	create := func(m *migrate.Migration) {
		projects++
		namespace := fmt.Sprintf("p%d", projects)
		cluster.Namespace(t, namespace)
		for _, f := range m.Files {
			if !strings.HasSuffix(f.Path, ".yaml") {
				continue
			}
			n, err := cluster.Create(t.Context(), namespace, f.Text)
			if err != nil {
				t.Errorf("%s: %s: %v\n%s", m.Project.Root, f.Path, err, f.Text)
			}
			created += n
		}
	}
	migratetest.Corpus(t, kubernetes.Emitter{}, nil, create)
	migratetest.V2(t, kubernetes.Emitter{}, create)
	if t.Logf("%d objects of %d projects", created, projects); created < 800 {
		t.Error("is the corpus complete?")
	}
}
