package plan

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/runtime/mlflow"
	"github.com/amlfix/amlfix/runtime/project"
)

// Work is what a command job of v2 has in place of a script. Its working folder is
// the code folder's copy, with the inputs below InputsDir and the outputs below
// project.OutputsDir.
type Work struct {
	// Command is the command for the shell, with values in place of ${{…}}. It
	// finds the working folder in FolderVariable.
	Command Field[string]
	// Shown is the command without the values of inputs that are secret.
	Shown string
	// Code is the folder that the job runs in, absolute; empty: an empty one.
	Code    Field[string]
	Inputs  []Input
	Outputs []Output
	// Processes is how many processes of the command run side by side; 0: one, without
	// the variables of torchrun.
	Processes Field[int]
	// GPUs is how many GPUs the file says the job has, by its machine or its processes;
	// empty: it says nothing.
	GPUs Field[GPURequest]
	// Build is what the image is built from, where the environment names a Dockerfile.
	Build Build
	// Target is where the choice of the target comes from, Image that of an image
	// that no file names.
	Target, Image Origin
	// Notes are things that the file asks for and the run will not do.
	Notes []Field[string]
	// Limit is limits.timeout in seconds; 0: none.
	Limit Field[int]
}

// Build is a Dockerfile in a folder, both of this machine.
type Build struct {
	Context    Field[string] // absolute; empty: there is none
	Dockerfile string        // slash-separated, from Context
}

// Input is one input of a job of v2.
type Input struct {
	Name string
	Item // its Value is the literal, or the file or folder of this machine, absolute; "" is an empty folder
	// At is where the job sees the file or folder, from the working folder; empty:
	// it is a literal.
	At string
	// Later is that another job makes it first.
	Later bool
}

// Output is one output: a file or folder, slash-separated from the working folder
// and, when the job has ended, from the project's root.
type Output struct {
	Field[string]
	Name   string
	Folder bool
}

// FolderVariable is the environment variable with the working folder of a job of v2.
const FolderVariable = "AMLFIX_FOLDER"

// InputsDir is the folder with the inputs of a job of v2, from its working folder.
const InputsDir = ".amlfix/inputs"

// Shell is the program that starts the command of a job of v2.
const Shell = "sh"

// launch starts the command: $1 is the command, $2 how many processes, and the rest
// are folders to be made. Azure ML uses bash; an image may have none. What MLflow
// records is kept among the outputs unless the job names a server.
const launch = `AMLFIX_FOLDER=$PWD; export AMLFIX_FOLDER; c=$1 n=$2; shift 2
for d; do mkdir -p "$d"; done
: "${MLFLOW_TRACKING_URI:=$PWD/` + mlflow.StoreDir + `}"; export MLFLOW_TRACKING_URI MLFLOW_ALLOW_FILE_STORE=true
export AZUREML_RUN_ID="${AZUREML_RUN_ID:-$AMLFIX_RUN_ID}"
if command -v bash >/dev/null 2>&1; then b=bash; else b=sh; fi
if [ "$n" -eq 0 ]; then exec $b -c "$c"; fi
`

// sideBySide starts several processes with the variables of torchrun, and their
// lines marked with their ranks. The first that fails ends the others, and gives
// the exit code. A signal ends a wait early, so that each process is waited for
// until it is gone.
const sideBySide = `export MASTER_ADDR="${MASTER_ADDR:-127.0.0.1}" MASTER_PORT="${MASTER_PORT:-29500}" WORLD_SIZE="$n" LOCAL_WORLD_SIZE="$n" NODE_RANK=0 GROUP_RANK=0
d=$PWD/.amlfix/ranks; mkdir -p "$d"; mkfifo "$d/ended" || exit 125; exec 9<>"$d/ended"
stop() { for f in "$d"/pid*; do read -r k <"$f" && kill -"$1" "$k" 2>/dev/null; done; }
trap 'stop TERM' INT TERM
i=0 marks=
while [ "$i" -lt "$n" ]; do
  mkfifo "$d/out$i" "$d/err$i"
  (trap '' INT TERM; exec sed -u "s/^/[$i] /" <"$d/out$i" 9>&-) & marks="$marks $!"
  (trap '' INT TERM; exec sed -u "s/^/[$i] /" <"$d/err$i" >&2 9>&-) & marks="$marks $!"
  (trap : INT TERM
  RANK=$i LOCAL_RANK=$i "$b" -c "$c" >"$d/out$i" 2>"$d/err$i" 9>&- & k=$!
  echo "$k" >"$d/pid$i"
  wait "$k"; e=$?
  while [ "$e" -gt 128 ] && kill -0 "$k" 2>/dev/null; do wait "$k"; e=$?; done
  echo "$i $e" >&9) &
  i=$((i+1))
done
code=0 left=$n hard=
while [ "$left" -gt 0 ]; do
  read -r r e <&9 || continue
  left=$((left-1))
  if [ "$e" -ne 0 ] && [ "$code" -eq 0 ]; then
    code=$e
    if [ "$left" -gt 0 ]; then
      echo "process $r ended with exit code $e: the other processes are stopped" >&2
      stop TERM
      (sleep 5; stop KILL) >/dev/null 2>&1 9>&- & hard=$!
    fi
  fi
done
[ -z "$hard" ] || kill "$hard" 2>/dev/null
for k in $marks; do wait "$k"; done
exit "$code"
`

// Argv is what follows Shell.
func (w *Work) Argv() []string {
	script := launch
	if w.Processes.Value > 0 {
		script += sideBySide
	}
	argv := []string{"-c", script, "sh", w.Command.Value, strconv.Itoa(w.Processes.Value)}
	for _, o := range w.Outputs {
		dir := o.Value
		if !o.Folder {
			dir = path.Dir(dir)
		}
		argv = append(argv, dir)
	}
	return argv
}

// arguments are the arguments as a plan shows them.
func (p Plan) arguments() []Item {
	if p.Work != nil {
		return nil // the command is shown instead
	}
	return p.Argv
}

// lines are those of a plan that are about the command.
func (w *Work) lines() (lines []Line) {
	for i, line := range strings.Split(strings.TrimRight(w.Shown, "\n"), "\n") {
		o := w.Command.Origin
		if i > 0 {
			o = Origin{}
		}
		lines = append(lines, Line{"command", line, o})
	}
	if n := w.Processes.Value; n > 0 {
		lines = append(lines, Line{"processes", strconv.Itoa(n), w.Processes.Origin})
	}
	for _, in := range w.Inputs {
		lines = append(lines, Line{"input", in.Name + "=" + in.Shown(), in.Origin})
	}
	for _, out := range w.Outputs {
		lines = append(lines, Line{"output", out.Name + "=" + Quote(out.Value), out.Origin})
	}
	if w.Code.Value != "" {
		lines = append(lines, Line{"code", Quote(w.Code.Value), w.Code.Origin})
	}
	return lines
}

// Snapshot lists what goes with the job: the project, or the code folder and the
// inputs of a job of v2. The error names the path that cannot be read.
func (p Plan) Snapshot() (project.Snapshot, error) {
	if p.Work == nil {
		return project.Scan(p.Project)
	}
	w := p.Work
	snap := project.Snapshot{Root: p.Project}
	if w.Code.Value != "" {
		var err error
		if snap, err = project.ScanCode(w.Code.Value); err != nil {
			return snap, &PlacedError{Origin: w.Code.Origin, Err: err}
		}
	}
	for _, in := range w.Inputs {
		if in.At == "" {
			continue
		}
		if in.Later || in.Value == "" {
			snap.JoinEmpty(in.At)
			continue
		}
		if err := snap.Join(in.At, in.Value); err != nil {
			return snap, &PlacedError{Origin: in.Origin, Err: fmt.Errorf("input %s: %w", in.Name, err)}
		}
	}
	return snap, nil
}
