package costtest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Cost is what one process took.
type Cost struct {
	CPU    time.Duration // user and system
	Memory int64         // the most at once, in bytes; 0 where the system does not tell
	Exit   int
}

// Commands are what is measured: their arguments after the program's name. The
// project is the working folder.
var Commands = map[string][]string{
	"check":   {"check", "."},
	"diff":    {"--diff", "--unsafe", "."},
	"apply":   {"--apply", "--unsafe", "."},
	"migrate": {"migrate", "--to", "v2", "--out", "new"},
}

// Run runs program once in a new folder with files, and tells what that took. It
// is an error when the process fails otherwise than by its exit status, or
// panics. home is where it keeps its caches.
func Run(program, dir, home string, args []string) (Cost, error) {
	cmd := exec.Command(program, args...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &stderr
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+home, "GOGC=", "GOMEMLIMIT=")
	err := cmd.Run()
	state := cmd.ProcessState
	if state == nil {
		return Cost{}, err
	}
	cost := Cost{CPU: state.UserTime() + state.SystemTime(), Memory: memory(state), Exit: state.ExitCode()}
	if cost.Exit < 0 || cost.Exit > 3 || bytes.Contains(stderr.Bytes(), []byte("goroutine ")) {
		return cost, fmt.Errorf("%v: exit %d: %.2000s", args, cost.Exit, stderr.Bytes())
	}
	return cost, nil
}
