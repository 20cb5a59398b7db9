package migrate_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate"
	v2 "github.com/amlfix/amlfix/fixers/migrate/v2"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestTooLarge checks that what command lines and pipelines describe counts towards the limit for a project, and that
// the error names the file with most of it.
func TestTooLarge(t *testing.T) {
	lines, steps := &strings.Builder{}, &strings.Builder{}
	steps.WriteString("pipeline:\n  name: p\n  steps:\n")
	for i := range 6000 {
		fmt.Fprintf(lines, "az ml run submit-script --target c a%d.py\n", i)
		fmt.Fprintf(steps, "    s%d: {type: PythonScriptStep, script_name: a.py}\n", i)
	}
	for name, text := range map[string]string{"README.md": lines.String(), "pipe.yml": steps.String()} {
		dir := testkit.Lay(t, map[string]string{name: text, "a.py": "", ".azureml/r.runconfig": "framework: Python\nscript: a.py\ntarget: c\n"})
		p := schema.Load(schema.Root{Dir: dir, Boundary: dir}, schema.Options{})
		_, err := migrate.New(p, v2.Emitter{}, migrate.Options{})
		if err == nil || !strings.HasPrefix(err.Error(), filepath.Join(p.Root, name)+": the project's files contain ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
