package container

import (
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/secret"
)

func (w *writer) distributionFields() []schema.Field {
	s := w.j.Source
	return []schema.Field{s.Communicator, s.Processes, s.SDK.ProcessCount, s.SDK.WorkerCount, s.SDK.ParameterServerCount}
}

// Place accounts for what said where a job ran: a container runs where it is
// started. It is called last, and skips what has been reported.
func Place(m *migrate.Migration, c *Container, where string) {
	j, s := c.Job, c.Job.Source
	left := func(why string, fields ...schema.Field) {
		for _, f := range fields {
			if m.Ledger.Unknown(f) {
				m.Ledger.Drop(j.Name, why, f)
			}
		}
	}
	if j.Step != nil {
		m.Ledger.Drop(j.Name, "the steps run where they are started: "+where, s.TargetName)
	} else {
		m.Ledger.Map(j.Name, "the name `"+c.Name+"`", "it runs where it is started: "+where, s.TargetName)
	}
	left("the job always runs in a container", s.Docker.Enabled)
	left("the framework is whatever the script imports", s.Framework)
	left("no processes are joined", s.Communicator, s.Processes, s.SDK.ProcessCount, s.SDK.WorkerCount, s.SDK.ParameterServerCount)
	left("no machine is rented: the job runs where it is started", s.SDK.VMPriority, s.SDK.ClusterName, s.SDK.MaxNodes, s.SDK.Retain, s.SDK.InstanceType, s.SDK.Priority)
	left("the machine it is started on decides", s.Nodes)
	left("outside Azure there is no workspace, and no identity in one", s.SDK.Passthrough)
	left("the project's folder holds what the job writes", s.SDK.OutputCollection)
	left("the project's folder holds what the job writes", s.SDK.Watched...)
	left("the name of the run configuration is used", s.SDK.JobName)
	left("the new format has no description", s.Description)
	left("nothing tracks runs outside Azure; a script can log to MLflow", s.TrackedRun)
	left("the image is built ahead", s.PrepareEnvironment)
	left("build an image that holds R and its packages", s.SDK.R)
	login := "log in to the registry with docker login"
	if m.Emitter.Format() == "k8s" {
		login = "the cluster needs a secret for the registry, which the Job names in `imagePullSecrets`"
	}
	left(login, s.SDK.Registry, s.SDK.RegistryUser)
	for _, e := range s.SDK.Endpoints {
		left("start it in the container, and publish its port", e.Entry)
	}
	left("Spark is not used", sparkFields(s)...)
	if t := s.Target; t != nil {
		left("no file describes the machine: the job runs where it is started", t.Type, t.Address, t.Username, t.Password, t.VMSize, t.NodeCount, t.SparkSubmit, t.YarnDeployMode)
		left("no script read here uses AZUREML_NATIVE_SHARE_DIRECTORY", t.SharedDirectory)
		left("the project is always a volume", t.SharedVolumes)
		left("no GPU is asked for", t.GPUSwitch)
		left("the container's own Python is used", t.PythonLocation)
	}
}

// dockerArguments asks about arguments of docker run: Compose and Kubernetes have keys
// for what they do, and none for the arguments as they are.
func (w *writer) dockerArguments() {
	args := w.j.Source.Docker.Arguments
	if len(args) == 0 || w.j.Spark {
		return
	}
	_, open := w.m.Decide(account.Question{ID: "docker-arguments", Scope: w.j.Name, Ask: "What becomes of the arguments of docker run?", Choices: []string{"drop"},
		Why: account.Place(args[0]) + " gives `" + secret.HideValue(strings.Join(w.j.DockerArgs, " ")) + "`: write what they do as keys of the new file, or answer `drop` when the job does without"})
	if open {
		w.c.about(account.Marker + ": arguments of docker run are left out; see " + account.Report)
	}
	w.m.Ledger.Decide(w.j.Name, "left out", "docker-arguments", args...)
}

func sparkFields(s *schema.Job) (fields []schema.Field) {
	for _, v := range s.SparkSettings.Configuration {
		fields = append(fields, v.Value)
	}
	for _, p := range s.SparkSettings.Packages {
		fields = append(fields, p.Entry)
	}
	return append(fields, s.SparkSettings.Repositories...)
}
