// Package docker runs a job in a container of a Docker engine: the image is pulled when it is missing, the project goes
// in as a tar stream or a mounted folder, output comes out live, and the container is removed whatever happens.
package docker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
)

// Label marks every container that this program makes; its value is the id of the run.
const Label = "io.amlfix.run"

// ProjectLabel marks the containers of runs with the project that they belong to, as ProjectMark writes it.
const ProjectLabel = "io.amlfix.project"

// ProjectMark tells a project of this machine apart from all others. It says nothing about its path: a container may be
// on another machine.
func ProjectMark(dir string) string {
	host, _ := os.Hostname() // two machines without a name are as one
	sum := sha256.Sum256([]byte(host + "\x00" + dir))
	return hex.EncodeToString(sum[:8])
}

// WorkDir is the folder in the container that holds the project and is the job's working folder.
const WorkDir = "/azureml-run"

// ShareDir is the folder in the container at which nativeSharedDirectory is mounted.
const ShareDir = "/azureml-share/"

// ContainerName is the name of the container of a run.
func ContainerName(runID string) string { return "amlfix-" + runID }

// Engine is what is asked of a Docker engine. Connect returns the real one. Errors are *Error or the cause of ctx.
type Engine interface {
	// Info asks what the engine is and can do.
	Info(ctx context.Context) (Info, error)
	// Image describes an image that the engine has; an Error with Problem ImageNotFound when it does not.
	Image(ctx context.Context, ref string) (Image, error)
	// Images lists the names of the images that carry all these labels ("name" or "name=value"), the newest first.
	Images(ctx context.Context, labels ...string) ([]string, error)
	// RemoveImage removes a name of an image, and the image with its last one. It is an error while a container uses it.
	RemoveImage(ctx context.Context, ref string) error
	// Pull fetches an image. login may be nil; each is called for every progress message, from one goroutine.
	Pull(ctx context.Context, ref string, login *Login, each func(Layer)) error
	// Push pushes an image under another name, "HOST/REPOSITORY:TAG", and returns its digest there. login may be nil.
	Push(ctx context.Context, name, as string, login *Login) (digest string, err error)
	// Build builds an image from a context, a tar stream with its Dockerfile, and writes to out what the build says. A
	// Dockerfile that fails gives a *BuildError.
	Build(ctx context.Context, b Build, files io.Reader, out io.Writer) error
	// Registry asks the registry of an image for it and fetches nothing. login may be nil.
	Registry(ctx context.Context, ref string, login *Login) (Published, error)
	// Create makes a container without starting it.
	Create(ctx context.Context, c Container) (id string, err error)
	// CopyIn unpacks a tar stream at the root of a container's file system.
	CopyIn(ctx context.Context, id string, tar io.Reader) error
	// CopyOut returns a tar stream of a file or folder of the container; Problem PathNotFound when there is none.
	CopyOut(ctx context.Context, id, path string) (io.ReadCloser, error)
	// Stat describes a file or folder of the container, running or not; Problem PathNotFound when there is none.
	Stat(ctx context.Context, id, path string) (Stat, error)
	// Exec runs a program in a running container as user (empty: the container's), waits for its end and returns what it
	// wrote to standard output, at most a megabyte of it, and its exit code; 126 and 127 when there is no such program.
	Exec(ctx context.Context, id, user string, argv ...string) (out []byte, code int, err error)
	// Processes lists the container's processes by their numbers on the engine's machine.
	Processes(ctx context.Context, id string) ([]int, error)
	// Changes lists what was made or changed in a container's file system since it was made, absolute.
	Changes(ctx context.Context, id string) ([]string, error)
	// Containers lists all containers, running or not, that carry Label.
	Containers(ctx context.Context) ([]Labelled, error)
	// Attach connects to the output of a container that is about to start.
	Attach(ctx context.Context, id string) (Output, error)
	// Logs reads the output of a container from its first byte on and follows it until the container ends.
	Logs(ctx context.Context, id string) (Output, error)
	// Printed reads the whole output of a container that has ended and keeps it with ExactLog. It takes an engine a quarter
	// less time than Logs, but an engine that dies meanwhile looks like the end of the output.
	Printed(ctx context.Context, id string) (Output, error)
	// Start starts a container.
	Start(ctx context.Context, id string) error
	// Wait returns a channel that gets one value when the container has ended, or when that can no longer be seen. With
	// next it waits for an end that is still to come, so it must be called before Start.
	Wait(ctx context.Context, id string, next bool) <-chan Waited
	// State tells how a container is.
	State(ctx context.Context, id string) (State, error)
	// Commit makes an image called ref of a container that has ended: its files, and the settings of img. Its labels are
	// added to the container's. It returns the image's id.
	Commit(ctx context.Context, id, ref string, img Image) (string, error)
	// Stop sends SIGTERM and, after grace, SIGKILL. It returns when the container has ended.
	Stop(ctx context.Context, id string, grace time.Duration) error
	// Interrupt sends SIGINT, as a terminal does at Ctrl-C.
	Interrupt(ctx context.Context, id string) error
	// Kill sends SIGKILL.
	Kill(ctx context.Context, id string) error
	// Remove kills and removes a container. It is not an error if there is none.
	Remove(ctx context.Context, idOrName string) error
	// Volumes lists the names of the volumes that keep projects, see StoreLabel, and when each was made.
	Volumes(ctx context.Context) ([]Volume, error)
	// RemoveVolume removes a volume. It is not an error if there is none, and an Error with Problem VolumeInUse while a
	// container, running or not, has it.
	RemoveVolume(ctx context.Context, name string) error
	// Close drops the connection.
	Close() error
}

// Output is the output of a container, two streams over one connection.
type Output interface {
	// CopyTo passes the bytes on until the container or the connection ends.
	CopyTo(streams process.Streams) error
	// Close ends CopyTo.
	Close()
}

// Info is what an engine says of itself.
type Info struct {
	Host           string // as in DOCKER_HOST
	Local          bool   // it runs on this machine, so it sees this machine's folders
	API            string // the version of the API in use, like "1.41"
	OS             string // of the containers: "linux" or "windows"
	Arch           string // of the processor, as the kernel calls it: "x86_64", "aarch64"
	Root           string // the folder on the engine's machine that holds images and containers
	Runtimes       []string
	DefaultRuntime string
	CDIDevices     []string // device names that the engine has found, like "nvidia.com/gpu=all"
	LogDrivers     []string
	Now            time.Time // by the engine's clock; this machine's when it does not say
}

// Labelled is a container that carries Label.
type Labelled struct {
	Name, RunID string
	Project     string // its ProjectMark; empty: it does not say
	GPUs        string // see GPULabel; empty: none for itself
	Running     bool
	Ended       bool // it has run, and does not run any more
}

// Image is what an image says of itself and its containers.
type Image struct {
	ID         string   // changes with every byte of the image
	Digests    []string // "repository@sha256:…", one for each registry that has it; none for images made here
	Arch       string   // of the processor, as Go calls it: "amd64"
	Size       int64    // bytes on the engine's disk
	User       string   // empty: root
	Env        []string // "NAME=value"
	Dir        string   // the working folder; empty: "/"
	Labels     map[string]string
	Entrypoint []string
	Cmd        []string
}

// Published is what a registry says of an image.
type Published struct {
	Digest    string   // of the manifest, or of the list of manifests
	Platforms []string // "linux/amd64"; empty when the registry does not say
}

// Layer is a progress message of a pull: what happens to one layer.
type Layer struct {
	ID     string // empty for messages about the whole image
	Status string
	Done   int64 // bytes, of the step that Status names
	Total  int64
}

// Container says what container to make.
type Container struct {
	Name   string
	RunID  string
	Image  string
	Argv   []string // the whole command: the image's entry point is not used
	Env    []string
	User   string // empty: as the image says
	Memory int64  // bytes, swap included; 0: no limit
	Shm    int64  // size of /dev/shm in bytes; 0: the engine's default
	IPC    string // as in docker run --ipc; empty: the engine's default
	Mounts []Mount
	GPU    GPUWay
	// Devices are the numbers of the GPUs that it gets, by GPU; nil: all.
	Devices []int
	CPUs    float64 // processors, or parts of them; 0: no limit
	Dir     string  // the working folder; empty: WorkDir
	Label   string  // the name of the label that holds RunID; empty: Label
	// Project is the ProjectMark of the run's project; empty: none.
	Project string
	Probe   bool // the container only shows whether it can be started: no network
	// ExactLog asks for the engine's log driver "local", which keeps every byte as it is; the usual one replaces bytes
	// that are not UTF-8.
	ExactLog bool
}

// Mount is a folder of the engine's machine, or a volume of the engine, that the container sees.
type Mount struct {
	Source, Target string
	Volume         bool   // Source is the name of a volume; it is made when there is none, and stays
	Owner          string // of a volume that keeps a project: it is made with StoreLabel, and without what the image has there; empty: it keeps none
}

// Stat is what an engine says of a file or folder of a container. A link is not followed when path ends with it.
type Stat struct {
	Size    int64 // bytes
	Mode    fs.FileMode
	ModTime time.Time
}

// Waited is the end of a container, or why it was not seen.
type Waited struct {
	Code int
	Err  error
}

// State is how a container is.
type State struct {
	Running   bool
	Started   time.Time // by the engine's clock; zero: never
	Ended     time.Time // likewise
	Code      int
	OOMKilled bool
	Error     string // why the engine could not start it
	Memory    int64  // the limit in bytes, 0: none
	LogDriver string // what keeps its output
	RunID     string // what its Label says; "": it has none
}
