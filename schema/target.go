package schema

import (
	"github.com/amlfix/amlfix/schema/finding"
)

// Target is a compute target: where a job runs. In Workbench it is a .compute file; in SDK v1 the run configuration
// itself says how the job runs there. In v2 it combines what the files say about a job's machine and image, and Name is
// "" if they name no compute.
//
// For each job with a Target t, the job is in t.Jobs, and for each of t.Jobs its Target is t. A Workbench target may
// have no jobs. An SDK v1 target has exactly the job it was made from, since only the workspace knows what SDK jobs
// with the same target name share. A v2 target has all jobs with the same compute, size and environment. Dialect and
// File are always set (in v2 File is that of one of the jobs), and in the other dialects Name too; fields are as in
// Job. Methods that say so treat a nil *Target as one about which nothing is known.
//
// GPU, Requested and Declined are determined when the project is loaded, by its files and the options. There is no
// guarantee that the machine exists, has a GPU, or can be reached.
type Target struct {
	Name    string
	Dialect Dialect
	// BySettings says that VMSize comes from the settings.
	BySettings          bool
	requested, declined bool
	ofCompute           bool // made from a .compute file, whatever another file takes it for
	// File is the .compute file, or the SDK v1 run configuration.
	File *File
	// Type is the target's type in Workbench spelling: "local", "localdocker", "docker", "remotedocker",
	// "virtualmachine", "remote", "cluster"; "" if the file does not say and it is unknown. For SDK v1 it is "local" or
	// "localdocker" on this computer, and "managed" where the service is in charge: only the workspace knows what kind
	// of machine that is. v2 has these too, and "cluster" for Spark.
	Type Field
	// Docker is the switch that puts an SDK v1 job into a container, here or on the target: docker.enabled, later
	// docker.useDocker. In Workbench the type decides.
	Docker Field
	// Image is the base Docker image.
	Image Field
	// GPUSwitch is nvidiaDocker in Workbench, docker.gpuSupport in SDK v1.
	GPUSwitch Field
	// PythonLocation, SharedVolumes, SharedDirectory and UserManaged are the Workbench keys of (nearly) these names;
	// methods return those that few ask for.
	PythonLocation                 Field
	SharedVolumes, SharedDirectory Field
	UserManaged                    Field
	// VMSize is amlcompute.vmSize of SDK v1; in v2 the size of the compute if the project defines it, or instance_type
	// of the job or its resources. For what only the workspace knows, it comes from the settings and BySettings is
	// true: the field is then where the compute is named. Machine and GPUs interpret it.
	VMSize Field
	// Sizes are all sizes if instance_type is a list. VMSize is the first of them, unless some have a GPU and others do
	// not.
	Sizes []Field
	// Evidence are the places that make this a GPU target; a CPU target has none.
	Evidence []finding.Location
	// Jobs are the jobs that run here.
	Jobs []*Job

	curated *Field // names a curated environment with CUDA, or nil; see v2Evidence

	recipe *recipe // that the image is built by
}

// Base returns the image that jobs run in: Image, or the base image of the Dockerfile that it is built from. It is not
// Explicit if neither is known. Nothing can be written into a Dockerfile.
func (t *Target) Base() Field {
	if t.recipe != nil {
		return t.recipe.from
	}
	return t.Image
}

// Open reports whether a Dockerfile may install more than can be read: the image may have what Base lacks.
func (t *Target) Open() bool { return t.recipe != nil && t.recipe.open }

// GPU reports whether there is evidence that the target is meant to use a GPU.
func (t *Target) GPU() bool { return t != nil && len(t.Evidence) > 0 }

// Called reports whether the target has a name: its own, or that of a link to its file.
func (t *Target) Called(name string) bool {
	return t.Name == name || t.File.Kind == Compute && t.File.Called(name)
}

// Requested reports whether the target counts as a GPU target on the user's word (--gpu), whatever its files say.
func (t *Target) Requested() bool { return t.requested }

// Declined reports whether the target counts as a CPU target on the user's word (--cpu), whatever its files say.
func (t *Target) Declined() bool { return t.declined }

// Container reports whether jobs run in a Docker container on the target.
func (t *Target) Container() bool {
	switch {
	case t == nil:
		return false
	case t.Dialect == SDKv1:
		return t.Docker.Bool
	case t.Dialect == V2:
		return t.Type.Text != "cluster"
	}
	switch t.Type.Text {
	case "localdocker", "docker", "remotedocker", "virtualmachine", "k8s": // the last one is in no file
		return true
	}
	return false
}

// Contained reports whether jobs run in a container on the target, whether its file says so or not: compute of the
// service always runs one, and files since SDK 1.26 have no switch for it. If there is a switch, the target may be one
// of the user's machines, for which it counts.
func (t *Target) Contained() bool {
	return t.Container() || t != nil && t.Dialect == SDKv1 && t.Type.Text == "managed" && t.Name != "local" && !t.Docker.Explicit && !t.Docker.File.Broken()
}

// Provisions reports whether the service builds the job's environment from the conda file there: not on "local" and
// "remote", and not if the user manages the environment.
func (t *Target) Provisions() bool {
	if t == nil || t.UserManaged.Bool {
		return false
	}
	return t.Container() || t.Type.Text == "cluster" || t.Type.Text == "managed"
}

// workbenchTarget reads a .compute file.
func workbenchTarget(f *File) *Target {
	root := f.Root()
	t := &Target{Name: f.Name(), Dialect: Workbench, File: f, ofCompute: true}
	t.Type = FieldAt(f, root, "type")
	if !t.Type.Explicit {
		// Before 2017-05 there was no type: two switches distinguished the kinds.
		switch {
		case truth(root.Get("cluster")):
			t.Type.Text = "cluster"
		case root.Has("cluster") && truth(root.Get("native")):
			t.Type.Text = "remote"
		case root.Has("cluster"):
			t.Type.Text = "virtualmachine"
		}
	}
	t.Image = fieldAfter(f, root, "baseDockerImage"+after+"type")
	t.GPUSwitch = fieldAfter(f, root, "nvidiaDocker"+after+"baseDockerImage"+after+"type").asSwitch()
	t.PythonLocation = FieldAt(f, root, "pythonLocation").orDefault("python")
	t.SharedVolumes = FieldAt(f, root, "sharedVolumes").asSwitch()
	t.SharedDirectory = FieldAt(f, root, "nativeSharedDirectory")
	t.UserManaged = FieldAt(f, root, "userManagedEnvironment").asSwitch()
	t.VMSize, t.Docker = Field{File: f}, Field{File: f}
	return t
}
