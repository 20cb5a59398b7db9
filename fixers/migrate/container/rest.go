package container

import (
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/secret"
)

// DistributionFields returns the fields that say how a job's processes are started.
func DistributionFields(s *schema.Job) []schema.Field {
	return []schema.Field{s.Communicator, s.Processes, s.SDK.ProcessCount, s.SDK.WorkerCount, s.SDK.ParameterServerCount}
}

// Place accounts for the keys that said where a job ran: a container runs where it is started. Call it last; it skips
// keys that have notes.
func Place(m *migrate.Migration, c *Container, where string) {
	j, s := c.Job, c.Job.Source
	left := func(why string, fields ...schema.Field) { m.Ledger.DropRest(j.Name, why, fields...) }
	if j.Step != nil {
		m.Ledger.Drop(j.Name, "the steps run where you start them: "+where, s.TargetName)
	} else {
		m.Ledger.Map(j.Name, "the name `"+c.Name+"`", "it runs where you start it: "+where, s.TargetName)
	}
	left("the job always runs in a container", s.Docker.Enabled)
	Unneeded(m, j)
	left("no machine is rented: the job runs where you start it", s.SDK.VMPriority, s.SDK.ClusterName, s.SDK.MaxNodes, s.SDK.Retain, s.SDK.InstanceType, s.SDK.Priority)
	left("the machine on which you start it decides", s.Nodes)
	left("outside Azure there is no workspace and no workspace identity", s.SDK.Passthrough)
	left("the job writes to the project's folder", s.SDK.OutputCollection)
	left("the job writes to the project's folder", s.SDK.Watched...)
	left("runs are not tracked outside Azure; a script can log to MLflow", s.TrackedRun)
	left("the image is built ahead of time", s.PrepareEnvironment())
	login := "log in to the registry with `docker login`"
	if m.Emitter.Format() == "k8s" {
		login = "the cluster needs a secret for the registry, to which the Job refers in `imagePullSecrets`"
	}
	left(login, s.SDK.Registry, s.SDK.RegistryUser)
	for _, e := range s.SDK.Endpoints {
		left("start it in the container, and publish its port", e.Entry)
	}
	if t := s.Target; t != nil {
		left("no file describes the machine: the job runs where you start it", t.Type, t.Address(), t.Username(), t.Password(), t.VMSize, t.NodeCount(), t.SparkSubmit(), t.YarnDeployMode())
		left("the project is always a volume", t.SharedVolumes)
	}
}

// Unneeded accounts for the keys that no job in a container needs. Like Place, it skips keys that have notes.
func Unneeded(m *migrate.Migration, j *migrate.Job) {
	s := j.Source
	left := func(why string, fields ...schema.Field) { m.Ledger.DropRest(j.Name, why, fields...) }
	left("the framework is whatever the script imports", s.Framework)
	left("no processes are connected", DistributionFields(s)...)
	left("the name of the run configuration is used instead", s.SDK.JobName)
	left("the new format has no description", s.Description())
	left("Spark is not used", sparkFields(s)...)
	if t := s.Target; t != nil {
		left("none of the scripts that were read uses "+migrate.ShareVariable, t.SharedDirectory)
		left("no GPU is requested", t.GPUSwitch)
		left("the container's own Python is used", t.PythonLocation)
	}
}

// dockerArguments asks about arguments of docker run: Compose and Kubernetes have keys for their effects, but do not
// accept the arguments themselves.
func (w *writer) dockerArguments() {
	args := w.j.Source.Docker.Arguments
	if len(args) == 0 || w.j.Spark {
		return
	}
	option, value, _ := strings.Cut(strings.Join(w.j.DockerArgs, "="), "=")
	if size := migrate.ShmSize(value); option == "--shm-size" && len(args) <= 2 && size != "" {
		w.j.ShmSize = size // this argument came after that of shmSize
		w.m.Ledger.Map(w.j.Name, "the size of /dev/shm", "", args...)
		return
	}
	_, open := w.m.Decide(&account.Question{ID: "docker-arguments", Scope: w.j.Name, Ask: "What should happen to the arguments of docker run?", Choices: []string{"drop"},
		Why: account.Place(args[0]) + " gives `" + secret.HideValue(strings.Join(w.j.DockerArgs, " ")) + "`: write their effect as keys of the new file, or answer `drop` if the job works without them"})
	if open {
		w.c.about(account.Marker + ": arguments of docker run are left out; see " + account.Report)
	}
	w.m.Ledger.Decide(w.j.Name, "left out", "docker-arguments", args...)
}

// sparkFields returns the fields with Spark settings.
func sparkFields(s *schema.Job) (fields []schema.Field) {
	for _, v := range s.SparkSettings.Configuration {
		fields = append(fields, v.Value)
	}
	for _, p := range s.SparkSettings.Packages {
		fields = append(fields, p.Entry)
	}
	return append(fields, s.SparkSettings.Repositories...)
}
