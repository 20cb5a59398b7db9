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

// Cost is the cost of one process.
type Cost struct {
	CPU    time.Duration // user and system
	Memory int64         // peak memory in bytes; 0 if the system does not report it
	Exit   int
}

// Commands are the commands to measure: their arguments after the program's name. The project is the working directory.
var Commands = map[string][]string{
	"check":   {"check", "."},
	"sarif":   {"check", "--format", "sarif", "."}, // edits as in json, and fingerprints as in a baseline
	"diff":    {"--diff", "--unsafe", "."},
	"apply":   {"--apply", "--unsafe", "."},
	"migrate": {"migrate", "--to", "v2", "--out", "new"},
}

// Run runs program once in a new folder with files, and returns the cost. It fails if the process panics or fails other
// than by its exit status. home is the location of its caches.
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
