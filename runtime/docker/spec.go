package docker

import (
	"context"
	"io"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
)

// SignalAll is a variable that makes the engine's init pass signals on to all processes of a job, as terminals do: a
// shell that waits for a program does not.
const SignalAll = "TINI_KILL_PROCESS_GROUP=1"

// Spec is a job to run in a container.
type Spec struct {
	RunID string // unique
	Image string
	Argv  []string // if the image has no python, python3 is started instead
	Env   []string // "NAME=value"
	// PythonPath is a folder of the container to append to PYTHONPATH, whether that comes from Env or the image; empty:
	// none.
	PythonPath string
	GPUs       bool   // all GPUs of the engine's machine; without them the job is not started
	GPUWay     GPUWay // how to request them, if a check has found out; empty: try each way
	// GPUCount of the machine's GPUTotal GPUs are reserved for this run among those of amlfix; 0: all, shared.
	GPUCount, GPUTotal int
	// Leases returns the GPUs that are in use other than by containers, with the user of each number; nil: nobody.
	Leases  func() map[int]string
	CPUs    float64 // processors, possibly fractional; 0: no limit
	Memory  int64   // bytes; 0: no limit
	Shm     int64   // bytes; 0: the engine's default
	IPC     string  // as in docker run --ipc; empty: the engine's default
	User    string  // empty: the image's user
	Mounts  []Mount
	Dir     string // the working directory; empty: WorkDir
	Name    string // the container's name; empty: ContainerName of RunID
	Project string // the ProjectMark of the container's project; empty: none
	// Upload writes the project as a tar stream with its files below TarPrefix. open means that the image's user is not
	// root, so the files must be writable by everyone. nil if the project is mounted.
	Upload func(ctx context.Context, w io.Writer, open bool) error
	// Stored keeps the project in a volume between runs; Upload then sends only what the volume lacks. nil: it is not
	// kept.
	Stored *Stored
	// Collect reads the outputs folder as a tar stream. It is called after the job has ended, however it ended, unless
	// the job left no such folder. nil if the project is mounted.
	Collect func(ctx context.Context, tar io.Reader) error
	// Fresh is the time that Upload, and nothing else, gives the empty outputs folder. If the folder still has that
	// time when the job has ended, it is not read, and Collect gets an empty stream. Zero: none.
	Fresh time.Time
	// HasProgram means that the image is known to have Argv's program, and Plain that WorkDir is known not to exist in
	// it. Neither is then checked.
	HasProgram, Plain bool
	// Finish is called with the container's ID when the job has succeeded, before the container is removed; may be nil.
	Finish func(ctx context.Context, id string) error

	// These report, if not nil, what becomes known during a run: the engine and the image, before the container is
	// made; when the job began; and how it ended, while its outputs are collected.
	Found  func(Info, Image)
	Began  func(time.Time)
	Exited func(process.Exit)
	// Look is called with Exited, and returns what else to read of the working directory; nil: nothing, or it is better
	// read separately. May be nil.
	Look func() *Rest
	// Last is called at the same time, for anything else to be read from the container, which is removed when all are
	// done. May be nil.
	Last func()
}

// TarPrefix is the folder in the tar stream that becomes WorkDir.
const TarPrefix = "azureml-run"

// Result is how a job in a container ended.
type Result struct {
	process.Exit
	GPU        GPUWay // how GPUs were requested
	CollectErr error  // the job ran, but its outputs could not be copied back completely
	FinishErr  error  // what Finish returned
}
