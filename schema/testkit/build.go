package testkit

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Build makes amlfix, as its users get it, at path. The go command keeps what it links for "go run", so that the tests
// of all packages link once.
func Build(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	cmd := exec.Command("go", "run", "-trimpath", "-exec", "cp", "github.com/amlfix/amlfix/cmd/amlfix", path)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("amlfix could not be built: %w\n%s", err, out)
	}
	return nil
}
