package plan

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/runtime/mlflow"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/schema/escape"
)

// Work is what a v2 command job runs instead of a script. Its working directory is the code folder's copy, with the
// inputs below InputsDir and the outputs below project.OutputsDir.
type Work struct {
	// Command is the command for the shell, with values in place of ${{…}}. FolderVariable tells it the working
	// directory.
	Command Field[string]
	// Shown is the command without secrets.
	Shown string
	// Code is the absolute path of the folder that the job runs in, or of the only file in it; if empty, it is empty.
	Code    Field[string]
	Inputs  []Input
	Outputs []Output
	// Processes is how many processes of the command run in parallel; 0 means one process, without torchrun's
	// variables.
	Processes Field[int]
	// GPUs is the number of GPUs that the job needs according to its file, from its machine or its processes; empty if
	// the file does not say.
	GPUs Field[GPURequest]
	// Build is what to build the image from, if the environment names a Dockerfile.
	Build Build
	// Target is the origin of the choice of target, and Image the origin of an image that no file names.
	Target, Image Origin
	// Notes are things that the file requests and that the run will not do.
	Notes []Field[string]
	// Limit is limits.timeout in seconds, or 0.
	Limit Field[int]
}

// Build is a Dockerfile and its folder, both on this machine.
type Build struct {
	Context    Field[string] // absolute; empty: there is none
	Dockerfile string        // slash-separated, relative to Context
}

// Input is one input of a v2 job.
type Input struct {
	Name string
	Item // its Value is the literal, or the absolute path of the file or folder on this machine; "" is an empty folder
	// At is the job's path to the file or folder, relative to the working directory; empty for a literal.
	At string
	// Later means that another job makes it first.
	Later bool
}

// Output is one output: a file or folder, slash-separated, relative to the working directory and, when the job has
// ended, to the project's root.
type Output struct {
	Field[string]
	Name   string
	Folder bool
}

// FolderVariable is the environment variable that holds the working directory of a v2 job.
const FolderVariable = "AMLFIX_FOLDER"

// InputsDir is the folder that holds a v2 job's inputs, relative to its working directory.
const InputsDir = ".amlfix/inputs"

// Shell is the program that starts the command of a v2 job.
const Shell = "sh"

// launch starts the command: $1 is the command, $2 the number of processes, and the rest are folders to create. Azure
// ML uses bash, which an image may lack. What MLflow records is kept among the outputs unless the job names a server. A
// signal reaches all processes: with a trap, the shell waits until its program has ended, and starts no other. Without
// it, SIGTERM would end the shell at once, and with the shell the container. Bash becomes the program if it is the only
// one, and needs no trap, after which it would say "Terminated".
const launch = `AMLFIX_FOLDER=$PWD; export AMLFIX_FOLDER; c=$1 n=$2; shift 2
for d; do mkdir -p "$d"; done
: "${MLFLOW_TRACKING_URI:=$PWD/` + mlflow.StoreDir + `}"; export MLFLOW_TRACKING_URI MLFLOW_ALLOW_FILE_STORE=true
export AZUREML_RUN_ID="${AZUREML_RUN_ID:-$AMLFIX_RUN_ID}"
if command -v bash >/dev/null 2>&1; then b=bash; else b=sh; fi
if [ "$n" -eq 0 ]; then
  case $b:$c in sh:*|*[\;\&\|]*|*"
"*) c="trap 'exit 130' INT; trap 'exit 143' TERM; $c";; esac
  exec $b -c "$c"
fi
`

// NodeVariable holds the index of a job's machine, from 0, and NodesVariable the number of machines. With MPIVariable,
// each process also gets the variables of Open MPI.
const (
	NodeVariable  = "AMLFIX_NODE"
	NodesVariable = "AMLFIX_NODES"
	MPIVariable   = "AMLFIX_MPI"
)

// sideBySide starts several processes with torchrun's variables, and prefixes their lines with their ranks (BusyBox's
// sed delays them). The first process that fails ends the others and determines the exit code. A signal ends a wait
// early, so each process is waited for until it is gone. A shell that has just started can miss a signal, so a file
// says the same.
const sideBySide = `r=${AMLFIX_NODE:-0} m=${AMLFIX_NODES:-1}
export MASTER_ADDR="${MASTER_ADDR:-127.0.0.1}" MASTER_PORT="${MASTER_PORT:-29500}" WORLD_SIZE=$((n*m)) LOCAL_WORLD_SIZE="$n" NODE_RANK="$r" GROUP_RANK="$r"
[ -z "$AMLFIX_MPI" ] || export OMPI_COMM_WORLD_SIZE="$WORLD_SIZE" OMPI_COMM_WORLD_LOCAL_SIZE="$n"
d=$PWD/.amlfix/ranks; mkdir -p "$d"; mkfifo "$d/ended" || exit 125; exec 9<>"$d/ended"
if echo | sed -u "" >/dev/null 2>&1; then mark() { exec sed -u "s/^/[$1] /"; }; else mark() { exec awk -v m="[$1] " '{ print m $0; fflush() }'; }; fi
stop() { : >"$d/stop"; for f in "$d"/pid*; do read -r k <"$f" && kill -"$1" "$k"; done 2>/dev/null; }
one='echo $$ >"$0"; [ ! -e "$1" ] || exit 143; exec "$2" -c "$3"' # until it has its own signals, no signal reaches it
trap 'stop TERM' INT TERM
i=0 parts=
while [ "$i" -lt "$n" ]; do
  g=$((r*n+i)); mkfifo "$d/out$i" "$d/err$i"
  (trap '' INT TERM; mark "$g" <"$d/out$i" 9>&-) & parts="$parts $!"
  (trap '' INT TERM; mark "$g" <"$d/err$i" >&2 9>&-) & parts="$parts $!"
  (trap : INT TERM
  [ -z "$AMLFIX_MPI" ] || export OMPI_COMM_WORLD_RANK=$g OMPI_COMM_WORLD_LOCAL_RANK=$i
  RANK=$g LOCAL_RANK=$i "$b" -c "$one" "$d/pid$i" "$d/stop" "$b" "$c" >"$d/out$i" 2>"$d/err$i" 9>&- & k=$!
  exec 2>/dev/null # where a shell says "Terminated"
  wait "$k"; e=$?
  while [ "$e" -gt 128 ] && kill -0 "$k" 2>/dev/null; do wait "$k"; e=$?; done
  echo "$g $e" >&9) & parts="$parts $!"
  i=$((i+1))
done
code=0 left=$n hard=
while [ "$left" -gt 0 ]; do
  read -r r e <&9 || continue
  left=$((left-1))
  if [ "$e" -ne 0 ] && [ "$code" -eq 0 ]; then
    code=$e
    if [ "$left" -gt 0 ] && [ ! -e "$d/stop" ]; then
      echo "process $r ended with exit code $e: the other processes are stopped" >&2
      stop TERM
      (s=; trap 'kill -KILL $s' TERM; sleep 5 & s=$!; [ ! -e "$d/over" ] || kill -KILL $s; wait $s && stop KILL || wait $s) >/dev/null 2>&1 9>&- & hard=$!
    fi
  fi
done
[ -z "$hard" ] || { : >"$d/over"; kill "$hard"; wait "$hard"; } 2>/dev/null
for k in $parts; do wait "$k"; done
exit "$code"
`

// Argv returns the arguments of Shell.
func (w *Work) Argv() []string {
	argv := launched(w.Command.Value, w.Processes.Value)
	for _, o := range w.Outputs {
		dir := o.Value
		if !o.Folder {
			dir = path.Dir(dir)
		}
		argv = append(argv, dir)
	}
	return argv
}

// launched returns the arguments of Shell for a command that runs as n parallel processes; 0 means one.
func launched(command string, n int) []string {
	script := launch
	if n > 0 {
		script += sideBySide
	}
	return []string{"-c", script, "sh", command, strconv.Itoa(n)}
}

// SideBySide returns a command line that runs as several processes, with torchrun's variables.
func SideBySide(argv []string, n int) []string {
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = escape.Word(word)
	}
	return append([]string{Shell}, launched("exec "+strings.Join(words, " "), n)...)
}

// InFolder returns a command as people know it: with paths in the job's folder in place of the variable that names it.
func InFolder(command string) string {
	return strings.NewReplacer(`"${`+FolderVariable+`}"/`, "", `${`+FolderVariable+`}/`, "").Replace(command)
}

// Program returns what is started, in a few words: the interpreter, or the beginning of a v2 job's command.
func (p Plan) Program() string {
	if p.Work == nil {
		return p.Interpreter.Value
	}
	const most = 80
	command := InFolder(strings.TrimSpace(p.Work.Shown))
	line, _, cut := strings.Cut(command, "\n")
	if r := []rune(strings.TrimSpace(line)); cut || len(r) > most {
		return string(r[:min(len(r), most)]) + " …"
	}
	return line
}

// arguments returns the arguments as a plan shows them.
func (p Plan) arguments() []Item {
	if p.Work != nil {
		return nil // the command is shown instead
	}
	return p.Argv
}

// lines returns a plan's lines about the command.
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

// Snapshot lists what is sent with the job: the project, or the code folder and the inputs of a v2 job. The error names
// the path that cannot be read.
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
			if in.Origin.Path != "" { // a flag says the input's name
				err = fmt.Errorf("input %s: %w", in.Name, err)
			}
			return snap, &PlacedError{Origin: in.Origin, Err: err}
		}
	}
	return snap, nil
}
