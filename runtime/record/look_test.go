package record

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestLooks checks that looks are read back as they were added, and that invalid lines among them do no harm.
func TestLooks(t *testing.T) {
	run, err := Create(Record{ID: runid.New(time.Now()), Project: t.TempDir()})
	testkit.OK(t, err)
	defer run.Close()
	read := func() (list []Look) {
		testkit.OK(t, ReadLooks(run.Dir(), func(l Look) { list = append(list, l) }))
		return list
	}
	if got := read(); got != nil {
		t.Errorf("%v", got)
	}
	want := []Look{{time.Unix(1, 0).UTC(), []Card{{"T4", 50, 1 << 30, -1}}}, {time.Unix(2, 0).UTC(), []Card{{"T4", 60, 2 << 30, 16 << 30}}}}
	testkit.OK(t, run.AddLook(want[0]))
	f, err := os.OpenFile(filepath.Join(run.Dir(), looksName), os.O_APPEND|os.O_WRONLY, 0)
	testkit.OK(t, err)
	_, err = f.WriteString("{}\n[]\nnothing\n")
	testkit.OK(t, err)
	testkit.OK(t, run.AddLook(want[1]))
	testkit.Same(t, want, read())
	_, err = f.WriteString(strings.Repeat("x", 2*lookLimit) + "\n")
	testkit.OK(t, err)
	testkit.OK(t, f.Close())
	testkit.OK(t, run.AddLook(want[0]))
	testkit.Same(t, want, read())
}
