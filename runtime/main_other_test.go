//go:build !linux

package runtime

import (
	"os"
	"testing"

	"github.com/amlfix/amlfix/runtime/local"
)

func TestMain(m *testing.M) {
	if local.Supervising() {
		return
	}
	os.Exit(m.Run())
}
