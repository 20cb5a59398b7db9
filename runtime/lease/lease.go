// Package lease keeps runs apart that need exclusive GPUs of the same machine. Nothing is stored: a lease is the label
// of a container, or a variable of the job's processes, and ends with them, however amlfix ends.
package lease

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// Variable is the environment variable that holds the numbers of the GPUs reserved for a job. It tells the job its
// GPUs, and other runs on the machine that they are in use.
const Variable = "AMLFIX_GPUS"

// Error reports that fewer GPUs are free than requested.
type Error struct {
	Wanted, Total int
	Taken         []string // "GPU 0 by run ID"
}

func (e *Error) Error() string {
	if e.Wanted > e.Total {
		text := fmt.Sprintf("%s requested, but the machine has %d", plain.CountIs(e.Wanted, "GPU"), e.Total)
		if e.Total > 0 {
			text += ": --gpus all gives the job all of them"
		}
		return text
	}
	return fmt.Sprintf("%d of the machine's %s %s requested, but too few are free (%s): wait until a run has ended, or share them with --gpus all",
		e.Wanted, plain.Count(e.Total, "GPU"), plain.Is(e.Wanted), strings.Join(e.Taken, ", "))
}

// Choose returns n of total GPUs that are free; taken maps the numbers of the others to their users. The error is an
// *Error.
func Choose(n, total int, taken map[int]string) (gpus []int, err error) {
	none := &Error{Wanted: n, Total: total}
	for i := range total {
		if by, ok := taken[i]; ok {
			none.Taken = append(none.Taken, fmt.Sprintf("GPU %d by run %s", i, by))
		} else if len(gpus) < n {
			gpus = append(gpus, i)
		}
	}
	if len(gpus) < n {
		return nil, none
	}
	return gpus, nil
}

// Parse parses the output of Numbers and skips anything else.
func Parse(text string) (gpus []int) {
	for field := range strings.SplitSeq(text, ",") {
		if n, err := strconv.Atoi(field); err == nil {
			gpus = append(gpus, n)
		}
	}
	return gpus
}

// Numbers formats GPUs as "0,2".
func Numbers(gpus []int) string {
	texts := make([]string, len(gpus))
	for i, n := range gpus {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ",")
}
