package tooltest

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTools(t *testing.T) {
	bin, modules := Python(t), Node(t)
	for _, path := range []string{
		filepath.Join(bin, "pre-commit"), filepath.Join(bin, "check-jsonschema"), filepath.Join(bin, "..", "..", "xsd", "junit.xsd"),
		filepath.Join(modules, ".bin", "sarif-multitool"), filepath.Join(modules, ".bin", "yaml-language-server"),
	} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	if again := Python(t); again != bin {
		t.Errorf("made again: %s", again)
	}
}
