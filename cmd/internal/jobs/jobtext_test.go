package jobs

import (
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestJobText checks that the command of a v2 job is shown as it is written, without an outer pair of quotes and on one
// line.
func TestJobText(t *testing.T) {
	for want, arguments := range map[string][]string{
		`python -c "print(1)"`:             {`"python -c \"print(1)\""`},
		`cat outputs/a ls`:                 {`"cat \"${AMLFIX_FOLDER}\"/outputs/a\nls\n"`},
		`train.py --name "two words" "\n"`: {"train.py", "--name", `"two words"`, `"\n"`},
		"job.yml":                          nil,
	} {
		var r foundRun
		r.Name, r.Arguments = "job.yml", arguments
		testkit.Same(t, want, r.job())
	}
}
