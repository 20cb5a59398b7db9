package skypilot

import (
	"github.com/amlfix/amlfix/fixers/migrate/container"
	"github.com/amlfix/amlfix/schema"
)

// place accounts for the fields that said where a job ran, and for those that a task does not need. Call it last; it
// skips fields that have notes.
func (t *task) place() {
	j, s := t.j, t.j.Source
	left := func(why string, fields ...schema.Field) { t.m.Ledger.DropRest(j.Name, why, fields...) }
	if j.Step != nil {
		t.m.Ledger.Drop(j.Name, "SkyPilot finds a machine for each step", s.TargetName)
	} else {
		t.m.Ledger.Map(j.Name, "the task `"+t.name+"`", "SkyPilot finds a machine", s.TargetName)
	}
	left("the task always runs in a container", s.Docker.Enabled)
	container.Unneeded(t.m, j)
	left("SkyPilot rents machines for the task, and `sky down` releases them", s.SDK.ClusterName, s.SDK.MaxNodes, s.SDK.Retain, s.SDK.VMPriority)
	left("SkyPilot chooses the machine by `resources`", s.SDK.InstanceType)
	left("a managed job has `priority` below `resources`", s.SDK.Priority)
	left("one machine is the default", s.Nodes)
	left("outside Azure ML there is no workspace and no workspace identity", s.SDK.Passthrough)
	left("the machine keeps what the job writes, until `sky down`", s.SDK.OutputCollection)
	left("the machine keeps what the job writes, until `sky down`", s.SDK.Watched...)
	left("runs are not tracked outside Azure ML; a script can log to MLflow", s.TrackedRun)
	if len(t.setup) > 0 {
		left("`setup` makes the environment on the machine", s.PrepareEnvironment())
	}
	left("the image contains the environment", s.PrepareEnvironment())
	left("give SkyPilot the login with `--secret`: SKYPILOT_DOCKER_USERNAME, SKYPILOT_DOCKER_PASSWORD and SKYPILOT_DOCKER_SERVER", s.SDK.Registry, s.SDK.RegistryUser)
	for _, e := range s.SDK.Endpoints {
		left("start it in `run`, and open its port with `ports` below `resources`", e.Entry)
	}
	if target := s.Target; target != nil {
		left("SkyPilot rents a machine in place of this one", target.Type, target.Address(), target.Username(), target.Password(), target.NodeCount(), target.SparkSubmit(), target.YarnDeployMode(), target.Priority())
		left("the project is copied to the machine", target.SharedVolumes)
	}
}
