package v2_test

import (
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/migratetest"
	v2 "github.com/amlfix/amlfix/fixers/migrate/v2"
)

// TestCorpusMigrates checks, for every real project, what is true of every format.
//
//testkit:norace
func TestCorpusMigrates(t *testing.T) {
	jobs, keys := 0, 0
	migratetest.Corpus(t, v2.Emitter{}, nil, func(m *migrate.Migration) {
		jobs += len(m.Jobs)
		keys += len(m.Ledger.Rows)
	})
	t.Logf("%d jobs, %d keys", jobs, keys)
	if jobs < 300 || keys < 5000 {
		t.Errorf("only %d jobs with %d keys: is the corpus complete?", jobs, keys)
	}
}
