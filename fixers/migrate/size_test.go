package migrate

import (
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestShmSize(t *testing.T) {
	for text, want := range map[string]string{
		"2g": "2g", "512m": "512m", "2048M": "2g", "2gb": "2g", "1.5g": "1536m", "1000": "1000b", "4t": "4096g", "much": "", "": "", "0": "", "-1g": "",
	} {
		testkit.Same(t, want, shmSize(text), "%q", text)
	}
}
