package lsp

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestKeystrokes measures the time from a change to its findings, in a project of four files and in a repository of
// 1,000 such projects.
func TestKeystrokes(t *testing.T) {
	if os.Getenv("AMLFIX_TEST_FULL") == "" {
		t.Skip("SKIPPED: it measures time; AMLFIX_TEST_FULL=1 runs it")
	}
	for n, most := range map[int]time.Duration{1: 20 * time.Millisecond, 1000: 150 * time.Millisecond} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			files := map[string]string{}
			for i := range n {
				for name, text := range article() {
					files[fmt.Sprintf("p%d/%s", i, name)] = text
				}
			}
			e := edit(t, testkit.Lay(t, files), sees)
			name := "p0/aml_config/vm.compute"
			e.open(name, gpuTarget)
			var took []time.Duration
			for i := range 200 {
				text := gpuTarget
				if i%2 == 0 {
					text = strings.Replace(gpuTarget, "true", "false", 1)
				}
				begun, version := time.Now(), int32(i+2)
				e.change(name, i+2, text)
				for shown := int32(0); shown != version; {
					time.Sleep(100 * time.Microsecond)
					e.mu.Lock()
					shown = e.shown[name].version
					e.mu.Unlock()
				}
				took = append(took, time.Since(begun))
			}
			slices.Sort(took)
			t.Logf("%d projects: median %v, 95 of 100 in %v", n, took[100], took[190])
			if took[190] > most {
				t.Errorf("more than %v", most)
			}
		})
	}
}

// TestManyDocuments opens 2,000 documents at once, as a search and replace in a repository does.
func TestManyDocuments(t *testing.T) {
	if os.Getenv("AMLFIX_TEST_FULL") == "" {
		t.Skip("SKIPPED: it measures time; AMLFIX_TEST_FULL=1 runs it")
	}
	files := map[string]string{}
	for i := range 2000 {
		files[fmt.Sprintf("p%d/job.yml", i)] = "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncomand: x\n"
	}
	e := edit(t, testkit.Lay(t, files), sees)
	begun := time.Now()
	e.openAll()
	e.await("all findings", func(shown map[string]published) bool { return len(shown) == len(files) })
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("%v, more than 10 s", took)
	}
}
