// Package docker runs a job in a container of a Docker engine. It pulls the image if it is missing, sends the project
// as a tar stream or mounts its folder, shows output live, and always removes the container.
package docker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
)

// Label marks every container that amlfix makes; its value is the run's ID.
const Label = "io.amlfix.run"

// ProjectLabel marks a run's container with the project it belongs to, as returned by ProjectMark.
const ProjectLabel = "io.amlfix.project"

// ProjectMark returns a mark that distinguishes this machine's project in dir from all others. The mark does not reveal
// the path, because a container may be on another machine.
func ProjectMark(dir string) string {
	host, _ := os.Hostname() // two machines without a name count as one
	sum := sha256.Sum256([]byte(host + "\x00" + dir))
	return hex.EncodeToString(sum[:8])
}

// WorkDir is the folder in the container that holds the project and is the job's working directory.
const WorkDir = "/" + TarPrefix

// ShareDir is the folder in the container at which nativeSharedDirectory is mounted.
const ShareDir = "/azureml-share/"

// ContainerName returns the name of a run's container.
func ContainerName(runID string) string { return "amlfix-" + runID }

// EnvironmentName returns the name of the container in which an environment is made. Its Label names the run.
func EnvironmentName(key string) string { return environmentStart + key }

const environmentStart = "amlfix-env-"

// Engine is the part of a Docker engine that amlfix uses. Connect returns the real one. Errors are *Error or the cause
// of ctx.
type Engine interface {
	// Info returns what the engine is and can do.
	Info(ctx context.Context) (Info, error)
	// Image describes an image that the engine has. It returns an Error with Problem ImageNotFound if the engine does
	// not have it.
	Image(ctx context.Context, ref string) (Image, error)
	// Images lists the names of the images that carry all these labels ("name" or "name=value"), newest first.
	Images(ctx context.Context, labels ...string) ([]string, error)
	// RemoveImage removes a name of an image, and the image along with its last name. It fails while a container uses
	// the image.
	RemoveImage(ctx context.Context, ref string) error
	// Pull fetches an image. login may be nil; each is called for every progress message, from a single goroutine.
	Pull(ctx context.Context, ref string, login *Login, each func(Layer)) error
	// Push pushes an image under another name, "HOST/REPOSITORY:TAG", and returns its digest in that registry. login
	// may be nil.
	Push(ctx context.Context, name, as string, login *Login) (digest string, err error)
	// Build builds an image from a context, a tar stream that contains the Dockerfile, and writes the build's output to
	// out. It returns a *BuildError if the Dockerfile fails.
	Build(ctx context.Context, b Build, files io.Reader, out io.Writer) error
	// Registry queries the image's registry and fetches nothing. login may be nil.
	Registry(ctx context.Context, ref string, login *Login) (Published, error)
	// Create makes a container without starting it.
	Create(ctx context.Context, c Container) (id string, err error)
	// CopyIn unpacks a tar stream at the root of a container's file system.
	CopyIn(ctx context.Context, id string, tar io.Reader) error
	// CopyOut returns a tar stream of a file or folder of the container, or an error with Problem PathNotFound if it
	// does not exist.
	CopyOut(ctx context.Context, id, path string) (io.ReadCloser, error)
	// Stat describes a file or folder of the container, running or not, or returns an error with Problem PathNotFound
	// if it does not exist.
	Stat(ctx context.Context, id, path string) (Stat, error)
	// Exec runs a program in a running container as user (empty: the container's user), waits for it to end, and
	// returns its standard output, up to one megabyte, and its exit code: 126 or 127 if the program cannot be run or
	// found.
	Exec(ctx context.Context, id, user string, argv ...string) (out []byte, code int, err error)
	// Processes lists the container's processes by their PIDs on the engine's machine.
	Processes(ctx context.Context, id string) ([]int, error)
	// Changes lists the absolute paths that were added or changed in a container's file system since its creation.
	Changes(ctx context.Context, id string) ([]string, error)
	// Containers lists all containers that carry Label, running or not.
	Containers(ctx context.Context) ([]Labelled, error)
	// Attach connects to the output of a container that is about to start.
	Attach(ctx context.Context, id string) (Output, error)
	// Logs reads the output of a container from its first byte and follows it until the container ends.
	Logs(ctx context.Context, id string) (Output, error)
	// Printed reads the whole output of a container that has ended and was made with ExactLog. It takes an engine a
	// quarter less time than Logs, but if the engine dies meanwhile, the output just seems to end.
	Printed(ctx context.Context, id string) (Output, error)
	// Start starts a container.
	Start(ctx context.Context, id string) error
	// Wait returns a channel that receives one value when the container has ended, or when its end can no longer be
	// observed. If next is true, Wait waits for a future end, so it must be called before Start.
	Wait(ctx context.Context, id string, next bool) <-chan Waited
	// State returns a container's state.
	State(ctx context.Context, id string) (State, error)
	// Commit makes an image named ref from a container that has ended: from its files and the settings of img. Its
	// labels are added to the container's. It returns the image's ID.
	Commit(ctx context.Context, id, ref string, img Image) (string, error)
	// Stop sends SIGTERM and, after grace, SIGKILL. It returns once the container has ended.
	Stop(ctx context.Context, id string, grace time.Duration) error
	// Interrupt sends SIGINT, as a terminal does on Ctrl-C.
	Interrupt(ctx context.Context, id string) error
	// Kill sends SIGKILL.
	Kill(ctx context.Context, id string) error
	// Remove kills and removes a container. It succeeds if the container does not exist.
	Remove(ctx context.Context, idOrName string) error
	// Volumes lists the volumes that keep projects (see StoreLabel), with the time each was made.
	Volumes(ctx context.Context) ([]Volume, error)
	// RemoveVolume removes a volume. It succeeds if the volume does not exist, and returns an Error with Problem
	// VolumeInUse while a container, running or not, uses it.
	RemoveVolume(ctx context.Context, name string) error
	// Close closes the connection.
	Close() error
}

// Output is the output of a container: two streams over one connection.
type Output interface {
	// CopyTo copies the bytes until the container or the connection ends.
	CopyTo(streams process.Streams) error
	// Close makes CopyTo return.
	Close()
}

// Info is what an engine reports about itself.
type Info struct {
	Host           string // as in DOCKER_HOST
	Local          bool   // it runs on this machine, so it can read this machine's folders
	API            string // the version of the API in use, like "1.41"
	OS             string // of the containers: "linux" or "windows"
	Arch           string // of the processor, in the kernel's terms: "x86_64", "aarch64"
	Root           string // the folder on the engine's machine that holds images and containers
	Runtimes       []string
	DefaultRuntime string
	CDIDevices     []string // device names that the engine has found, like "nvidia.com/gpu=all"
	LogDrivers     []string
	Now            time.Time // by the engine's clock, or this machine's if the engine does not say
}

// Labelled is a container that carries Label.
type Labelled struct {
	Name, RunID string
	Project     string // its ProjectMark; empty: not known
	GPUs        string // see GPULabel; empty: no GPUs of its own
	Made        time.Time
	Running     bool
	Ended       bool // it has run and is no longer running
}

// Helps reports whether the container is not that of the run's job: an environment is made in it, or something tried.
func (l Labelled) Helps() bool {
	return strings.HasPrefix(l.Name, environmentStart) || strings.HasPrefix(l.Name, ContainerName(l.RunID)+"-")
}

// Image is what an image reports about itself and its containers.
type Image struct {
	ID         string   // changes with every byte of the image
	Digests    []string // "repository@sha256:…", one for each registry that has the image; none for images made here
	Size       int64    // bytes on the engine's disk
	User       string   // empty: root
	Env        []string // "NAME=value"
	Dir        string   // the working folder; empty: "/"
	Labels     map[string]string
	Entrypoint []string
	Cmd        []string
}

// Published is what a registry reports about an image.
type Published struct {
	Digest    string   // of the manifest or the manifest list
	Platforms []string // "linux/amd64"; empty when the registry does not say
}

// Layer is a progress message of a pull, about one layer.
type Layer struct {
	ID     string // empty for messages about the whole image
	Status string
	Done   int64 // bytes, in the step that Status names
	Total  int64
}

// Container describes a container to create.
type Container struct {
	Name   string
	RunID  string
	Image  string
	Argv   []string // the whole command: the image's entry point is not used
	Env    []string
	User   string // empty: the image's user
	Memory int64  // bytes, swap included; 0: no limit
	Shm    int64  // size of /dev/shm in bytes; 0: the engine's default
	IPC    string // as in docker run --ipc; empty: the engine's default
	Mounts []Mount
	GPU    GPUWay
	// Devices lists the numbers of the GPUs that the container gets; nil: all.
	Devices []int
	CPUs    float64 // processors, possibly fractional; 0: no limit
	Dir     string  // the working directory; empty: WorkDir
	Label   string  // the name of the label that holds RunID; empty: Label
	// Project is the ProjectMark of the run's project, or empty.
	Project string
	Probe   bool // the container only shows whether it can start: no network
	// ExactLog selects the engine's "local" log driver, which keeps every byte; the default driver replaces bytes that
	// are not UTF-8.
	ExactLog bool
}

// Mount is a folder of the engine's machine, or a volume of the engine, that the container can access.
type Mount struct {
	Source, Target string
	Volume         bool   // Source is the name of a volume, which is created if missing and is kept
	Owner          string // of a volume that keeps a project: it is created with StoreLabel and does not copy the image's files; empty: it keeps none
}

// Stat is what an engine reports about a file or folder of a container. If path ends with a link, the link is not
// followed.
type Stat struct {
	Size    int64 // bytes
	Mode    fs.FileMode
	ModTime time.Time
}

// Waited is how a container ended, or why its end was not observed.
type Waited struct {
	Code int
	Err  error
}

// State is the state of a container.
type State struct {
	Running   bool
	Started   time.Time // by the engine's clock; zero: never
	Ended     time.Time // likewise
	Code      int
	OOMKilled bool
	Error     string // why the engine could not start it
	Memory    int64  // the limit in bytes; 0: none
	LogDriver string // the driver that keeps its output
	RunID     string // the value of its Label; empty: it has none
}
