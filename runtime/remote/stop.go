package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema/escape"
)

// Signal sends a signal, by its name without SIG, to all processes of the run except the shell that waits for the job.
// It succeeds if there are none.
func (j *Job) Signal(ctx context.Context, name string) error {
	send := "send " + name
	if name == "KILL" {
		send = "kill_all"
	}
	_, err := j.line.Script(ctx, j.script("enter; read -r p _ <pid; "+send+` "$p"; true`))
	return j.explain(err)
}

// Do runs a shell script in the run's folder.
func (j *Job) Do(ctx context.Context, script string) error {
	_, err := j.line.Script(ctx, j.script("enter\n"+script))
	return j.explain(err)
}

// Read returns at most limit bytes of a file in the run's folder, from offset from. It returns nothing if the file does
// not exist or is shorter.
func (j *Job) Read(ctx context.Context, name string, from int64, limit int) ([]byte, error) {
	word := escape.Word("./" + name)
	out, err := j.line.Script(ctx, j.script("enter\n"+fmt.Sprintf("[ ! -f %[1]s ] || tail -c +%[2]d %[1]s | head -c %[3]d", word, from+1, limit)))
	return []byte(out), j.explain(err)
}

// Collect passes the job's outputs folder on as a tar stream. It does not call read if the folder does not exist.
func (j *Job) Collect(ctx context.Context, read func(io.Reader) error) error {
	err := j.line.Get(ctx, path.Join(j.dir, j.project), project.OutputsDir, read)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if _, ok := errors.AsType[*ssh.ExitError](err); ok {
		return fmt.Errorf("%s: outputs cannot be read there (it said: %w)", j.Folder(), err)
	}
	return err
}

// endStragglers ends the processes that a job left running when it ended, and returns how many there were. They get two
// seconds to end by themselves.
func (j *Job) endStragglers(ctx context.Context) (int, error) {
	out, err := j.line.Script(ctx, j.script("marked | wc -l; end_stragglers"))
	if err != nil {
		return 0, err
	}
	n, _ := strconv.Atoi(strings.TrimSpace(out))
	return n, nil
}

// writtenLimit is how many bytes of the names of files are read: those of a thousand files, or more.
const writtenLimit = 100_000

// Written lists the files in the working folder that have changed since the job began, slash-separated, up to
// writtenLimit; none if the machine does not say.
func (j *Job) Written(ctx context.Context) (files []string) {
	out, err := j.line.Script(ctx, j.script("enter\ncd -- "+escape.Word("./"+j.project)+" && find . -newer ../pid -type f ! -path './"+project.OutputsDir+"/*' ! -path '*/.amlfix/*' -print0 2>/dev/null | head -c "+strconv.Itoa(writtenLimit)+"; true"))
	if err != nil {
		return nil
	}
	names := strings.Split(out, "\x00")
	for _, file := range names[:len(names)-1] {
		files = append(files, path.Clean(file))
	}
	return files
}

// Processes lists the PIDs of the run's processes; none if the machine does not say.
func (j *Job) Processes(ctx context.Context) (pids []int) {
	out, err := j.line.Script(ctx, j.script("marked; true")) // grep fails for other users' processes
	if err != nil {
		return nil
	}
	for file := range strings.Lines(out) { // "/proc/123/environ"
		if pid, err := strconv.Atoi(path.Base(path.Dir(strings.TrimSpace(file)))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// Remove ends what is left of the run there and removes its folder. It succeeds if there is nothing.
func (j *Job) Remove(ctx context.Context) error {
	_, err := j.line.Script(ctx, j.script("cd\nkill_all\nchmod -R u+rwX -- "+escape.Word(j.dir)+" 2>/dev/null\nrm -rf -- "+escape.Word(j.dir)))
	if _, ok := errors.AsType[*ssh.ExitError](err); ok {
		return fmt.Errorf("%s: the run's folder cannot be removed: %w", j.Folder(), err)
	}
	return err
}
