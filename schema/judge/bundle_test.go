//go:build linux

package judge_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/amlfix/amlfix/schema/judge"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestSchemasAreFresh generates the v2 schemas from the client's classes again and compares them with the committed
// ones.
func TestSchemasAreFresh(t *testing.T) {
	t.Parallel()
	python := exec.Command(judge.Python(t), "../format/v2/generate.py", "--check")
	python.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	testkit.Output(t, python)
}
