package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/escape"
)

// storeDir is where projects stay between runs, from the user's home: a folder for each owner, and in it one for each tree.
const storeDir = ".amlfix/store"

// Stored has the project of a run stay on the machine, where the next run finds it. Its functions are called in this order.
type Stored struct {
	Owner, Tree string // two names of letters and digits: where the project is put
	Bytes       int64  // of the project
	// Request is what the tree is compared with by Script, a program for Python 3 that gets the tree's folder as its argument
	// and this on standard input; nil: there is no such tree yet.
	Request []byte
	Script  string
	// Found takes what Script has said. After an error the tree is not used.
	Found func(said []byte) error
	// Renew names another tree, which is new.
	Renew func() (tree string)
	// Begun is set when the job has ended: when it began, by the clock there.
	Begun time.Time
	// Kept is called when the tree has been put in its place. It returns all trees of the machine that are known, and those
	// that are to be removed. A tree of the owner of which nothing is known is removed when it is an hour old.
	Kept func(*Stored) (known, excess []string)
}

// fetchStored moves the tree to the run's folder and has it made ready for what Upload sends.
func (j *Job) fetchStored(ctx context.Context, s *Stored, say progress.Sink) error {
	if s == nil || s.Request == nil {
		return nil
	}
	err := j.compare(ctx, s)
	if err == nil || context.Cause(ctx) != nil {
		return context.Cause(ctx)
	}
	var exit *StartError
	if !errors.As(err, &exit) && !errors.Is(err, errUnusable) {
		return err // the line
	}
	say.Notice("the whole project is sent, because the copy stored on %s cannot be used: %v", j.line.Name(), err)
	s.Tree = s.Renew()
	_, err = j.line.Script(ctx, j.script("enter\nchmod -R u+rwX -- "+escape.Word(j.project)+" 2>/dev/null\nrm -rf -- "+escape.Word(j.project)))
	return err
}

// errUnusable is why a tree is not used.
var errUnusable = errors.New("it cannot be compared")

// compare moves the tree here and compares it.
func (j *Job) compare(ctx context.Context, s *Stored) error {
	python, err := Find(ctx, j.line, "python3")
	if err != nil {
		return err
	}
	there := path.Join("..", "..", "..", storeDir, s.Owner, s.Tree)
	if _, err := j.line.Script(ctx, j.script("enter\nmv -- "+call(there, "./"+j.project))); err != nil {
		return failed(j.line, err, "it is gone")
	}
	var said, complaint bytes.Buffer
	// The script comes on standard input, too: a command is one line, for whichever shell the user has.
	read := fmt.Sprintf("import sys;exec(sys.stdin.buffer.read(%d))", len(s.Script))
	command := PathWord(python) + " -ESc " + escape.Word(read) + " " + escape.Word(path.Join(j.dir, j.project))
	err = j.line.Exec(ctx, command, strings.NewReader(s.Script+string(s.Request)), process.Streams{Stdout: &said, Stderr: &complaint})
	if err != nil {
		lines := strings.Split(strings.TrimSpace(complaint.String()), "\n")
		return failed(j.line, err, "python3 says: "+escape.Said(lines[len(lines)-1], 300))
	}
	if err := s.Found(said.Bytes()); err != nil {
		return errors.Join(errUnusable, err)
	}
	return nil
}

// keepStored puts the project, from which the outputs have been fetched, in the place of the tree. What fails here costs the
// next run time, and nothing else.
func (j *Job) keepStored(ctx context.Context, s *Stored, begun time.Time) {
	if s == nil || begun.IsZero() {
		return
	}
	s.Begun = begun
	room := strconv.FormatInt(s.Bytes/1024, 10)
	if _, err := j.line.Script(ctx, j.script("enter\n"+call("keep_tree", j.project, path.Join("../../../", storeDir, s.Owner), s.Tree, room))); err != nil {
		return
	}
	known, excess := s.Kept(s)
	_, _ = j.line.Script(ctx, j.script(call("sweep_trees", storeDir, s.Owner, " "+strings.Join(known, " ")+" ", " "+strings.Join(excess, " ")+" ")))
}
