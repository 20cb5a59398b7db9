package schema

import "strings"

// Distribution is how the processes of a job find each other.
type Distribution string

// The distributions. NoDistribution is for a job that names none, UnknownDistribution for one that names another.
const (
	NoDistribution      Distribution = ""
	PyTorch             Distribution = "pytorch"
	TensorFlow          Distribution = "tensorflow"
	MPI                 Distribution = "mpi"
	UnknownDistribution Distribution = "unknown"
)

// Distribution returns how the job's processes find each other, by its communicator, the type of its distribution in
// v2, or a framework that implies one.
func (j *Job) Distribution() Distribution {
	switch strings.ToLower(strings.TrimSpace(j.Framework.Text)) {
	case "tensorflowparameterserver":
		return TensorFlow
	case "pythonmpi", "pythonintelmpi":
		return MPI
	}
	switch name := strings.ToLower(strings.TrimSpace(j.Communicator.Text)); {
	case name == "" || name == "none":
		return NoDistribution
	case j.Dialect == V2 && (name == string(PyTorch) || name == string(TensorFlow)):
		return Distribution(name)
	case name == "nccl" || name == "gloo":
		return PyTorch
	case name == "parameterserver":
		return TensorFlow
	case name == "openmpi" || name == "intelmpi" || name == "mpi":
		return MPI
	}
	return UnknownDistribution
}

// TaskCounts returns how many workers and parameter servers of TensorFlow the job asks for.
func (j *Job) TaskCounts() (workers, servers Field) {
	if j.Dialect != V2 {
		return j.SDK.WorkerCount, j.SDK.ParameterServerCount
	}
	for own := j; own != nil; own = own.Runs {
		at := own.Node.Get("distribution")
		workers = workers.or(FieldAt(own.File, at, "worker_count"))
		servers = servers.or(FieldAt(own.File, at, "parameter_server_count"))
	}
	return workers, servers
}

// MeetingPort is the port at which the processes of PyTorch meet; it is torchrun's default.
const MeetingPort = 29500

// PodName returns the name by which the other pods of an Indexed Job reach one of them; the Job and its headless
// Service have the same name.
func PodName(job, index string) string { return job + "-" + index + "." + job }
