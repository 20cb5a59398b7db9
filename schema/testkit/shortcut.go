package testkit

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Shortcut puts the folder of the real python3 first on PATH where the one that is found only starts it: the shims of
// pyenv are shell scripts, and start ten programs for each Python. A TestMain calls it where tests start many.
func Shortcut() {
	shim, err := exec.LookPath("python3")
	if err != nil {
		return
	}
	out, err := exec.Command(shim, "-I", "-S", "-c", "import sys; print(sys.executable)").Output()
	real := filepath.Dir(strings.TrimSpace(string(out)))
	if err != nil || real == filepath.Dir(shim) || !filepath.IsAbs(real) || standard[real] {
		return
	}
	_ = os.Setenv("PATH", real+string(os.PathListSeparator)+os.Getenv("PATH")) // or the shim goes on
}

// standard are folders with programs of all kinds, which stay in their place on PATH.
var standard = map[string]bool{"/bin": true, "/usr/bin": true, "/usr/local/bin": true}
