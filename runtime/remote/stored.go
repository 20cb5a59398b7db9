package remote

import (
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

// storeDir is where projects are kept between runs, relative to the user's home: a folder for each owner, and in it one
// for each tree.
const storeDir = ".amlfix/store"

// Stored keeps a run's project on the machine, where the next run finds it. Its functions are called in this order.
type Stored struct {
	Owner, Tree string // two names of letters and digits: where to keep the project
	Bytes       int64  // the project's size
	// Request is what Script compares the tree with; nil: there is no such tree yet. Script is a Python 3 program that
	// gets the tree's folder as its argument and Request on standard input.
	Request []byte
	Script  string
	// Found receives Script's output. After an error the tree is not used.
	Found func(said []byte) error
	// Renew returns the name of another, new tree.
	Renew func() (tree string)
	// Begun is set when the job has ended: when it began, by the clock there.
	Begun time.Time
	// Kept is called when the tree has been put in its place. It returns all known trees of the machine, and those to
	// remove. An unknown tree of the owner is removed when it is an hour old.
	Kept func(*Stored) (known, excess []string)
}

// fetchStored moves the tree to the run's folder and prepares it for what Upload sends.
func (j *Job) fetchStored(ctx context.Context, s *Stored, say progress.Sink) error {
	if s == nil || s.Request == nil {
		return nil
	}
	err := j.compare(ctx, s)
	if err == nil || context.Cause(ctx) != nil {
		return context.Cause(ctx)
	}
	if _, ok := errors.AsType[*StartError](err); !ok && !errors.Is(err, errUnusable) {
		return err // a connection error
	}
	say.Notice("the whole project is sent, because the copy stored on %s cannot be used: %v", j.line.Name(), err)
	s.Tree = s.Renew()
	_, err = j.line.Script(ctx, j.script("enter\nchmod -R u+rwX -- "+escape.Word(j.project)+" 2>/dev/null\nrm -rf -- "+escape.Word(j.project)))
	return err
}

// errUnusable is why a tree is not used.
var errUnusable = errors.New("it cannot be compared")

// compare moves the tree to the run's folder and compares it.
func (j *Job) compare(ctx context.Context, s *Stored) error {
	python, err := Find(ctx, j.line, "python3")
	if err != nil {
		return err
	}
	there := path.Join("..", "..", "..", storeDir, s.Owner, s.Tree)
	if _, err := j.line.Script(ctx, j.script("enter\nmv -- "+call(there, "./"+j.project))); err != nil {
		return failed(j.line, err, "it is gone")
	}
	const most = 80 << 20 // ten bytes for each of eight million files
	said, complaint := process.First{Limit: most}, process.First{Limit: 10_000}
	// The script is also sent on standard input: a command is one line, whatever shell the user has.
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

// keepStored puts the project back in the place of the tree after its outputs were fetched. A failure here only costs
// the next run time.
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
