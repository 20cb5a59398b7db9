// Package kubernetes writes jobs as Kubernetes Jobs, with the Dockerfiles of their environments and a claim for the
// project's files. Source of the fields: the batch/v1 and core/v1 types of k8s.io/api.
package kubernetes

import (
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/container"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/format"
)

// Emitter writes a Job for each run configuration, a claim for the volume with the project, and a Service for jobs
// whose processes have to find each other.
type Emitter struct{ container.Outside }

const claimFile = "volume.yaml"

// Format is "k8s".
func (Emitter) Format() string { return "k8s" }

// Title returns the name of the format for people.
func (Emitter) Title() string { return "Kubernetes" }

// Schema returns the format of a written file, by its name.
func (Emitter) Schema(f migrate.File) format.Kind {
	switch {
	case strings.HasSuffix(f.Path, ".yaml"):
		return format.Kubernetes
	case strings.HasSuffix(f.Path, ".yml"):
		return format.Conda
	}
	return ""
}

// Secret returns a phrase that says where the value of a secret comes from.
func (Emitter) Secret(m *migrate.Migration, j *migrate.Job, _ migrate.Variable) string {
	command := []string{"kubectl create secret generic", secretName(m, j)}
	for _, v := range j.Variables {
		if v.Secret {
			command = append(command, "--from-literal="+v.Name+"=…")
		}
	}
	return "Put it into the secret that the job refers to: `" + strings.Join(command, " ") + "`."
}

func secretName(m *migrate.Migration, j *migrate.Job) string { return nameOf(m, j.Called) + "-secrets" }

// Emit adds the files to the migration.
func (Emitter) Emit(m *migrate.Migration) error {
	shared := false
	list := container.All(m)
	for _, c := range list {
		if w := (&writer{m: m, c: c, j: c.Job}); c.Job.Step == nil {
			w.write()
		}
		shared = shared || c.Job.Nodes > 1
	}
	for _, p := range m.Pipelines {
		writePipeline(m, p, list)
	}
	for _, c := range list {
		container.Place(m, c, "kubectl")
	}
	m.Write(claimFile, claim(m, shared))
	return nil
}

// claim returns the claim for the volume that the project is copied to.
func claim(m *migrate.Migration, shared bool) []byte {
	mode := "ReadWriteOnce"
	if shared {
		mode = "ReadWriteMany" // the pods may run on several nodes
	}
	return yamlout.Bytes([]string{"The project's files, which every job can find at " + container.Workdir + "."}, yamlout.Map{
		{Key: "apiVersion", Value: "v1"}, {Key: "kind", Value: "PersistentVolumeClaim"}, {Key: "metadata", Value: yamlout.Map{{Key: "name", Value: m.Name()}}},
		{Key: "spec", Value: yamlout.Map{
			{Key: "accessModes", Value: yamlout.Flow{mode}},
			{Key: "resources", Value: yamlout.Map{{Key: "requests", Value: yamlout.Map{{Key: "storage", Value: "10Gi"}}}}},
		}},
	})
}

// Next returns the commands that build the images, fill the volume and run the jobs.
func (Emitter) Next(m *migrate.Migration) []string {
	pod := m.Name() + "-files"
	lines := append(container.Builds(m, registry(m), registry(m) != ""), "kubectl apply -f "+claimFile,
		"# a pod through which the project is copied into the volume",
		"kubectl run "+pod+" --image=busybox --restart=Never --overrides='"+holder(m.Name())+"'",
		"kubectl wait --for=condition=Ready --timeout=10m pod/"+pod,
		"kubectl cp "+escape.Word(m.Up(".")+"/.")+" "+pod+":"+container.Workdir,
		"kubectl delete --now pod/"+pod)
	return slices.Concat(lines, m.ForEach("service-", "kubectl apply -f %s"), m.ForEach("job-", "kubectl create -f %s"),
		[]string{"# what the jobs write stays in the volume: to copy it, start that pod again, and run kubectl cp " + pod + ":" + container.Workdir + "/outputs outputs"})
}

// holder returns what `kubectl run` needs to know about a pod that has the volume of a claim for an hour.
func holder(claim string) string {
	return `{"apiVersion": "v1", "spec": {"containers": [{"name": "files", "image": "busybox", "command": ["sleep", "3600"], "volumeMounts": [{"name": "project", "mountPath": "` +
		container.Workdir + `"}]}], "volumes": [{"name": "project", "persistentVolumeClaim": {"claimName": "` + claim + `"}}]}}`
}

// registry returns the prefix of the names of built images.
func registry(m *migrate.Migration) string {
	for _, d := range m.Decisions {
		if d.ID == registryDecision && d.Taken != "local" {
			return strings.TrimSuffix(d.Taken, "/") + "/"
		}
	}
	return ""
}

const registryDecision = "registry"

// size converts a Docker size such as 2g to Kubernetes' notation.
func size(text string) string {
	digits := strings.TrimRight(text, "bkmg")
	return digits + map[byte]string{'b': "", 'k': "Ki", 'm': "Mi", 'g': "Gi"}[text[len(text)-1]]
}

// joined returns the launcher's arguments that connect the processes of several pods: Kubernetes replaces the variable
// with the index of each pod.
func joined(nodes int, host string) []string {
	return []string{
		"--nnodes=" + strconv.Itoa(nodes), "--node_rank=$(JOB_COMPLETION_INDEX)",
		"--master_addr=" + host, "--master_port=" + strconv.Itoa(schema.MeetingPort),
	}
}
