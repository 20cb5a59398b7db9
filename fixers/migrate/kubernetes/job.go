package kubernetes

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/container"
	"github.com/amlfix/amlfix/fixers/migrate/shell"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
)

// writer writes one job.
type writer struct {
	m *migrate.Migration
	c *container.Container
	j *migrate.Job
	// pipeline is the name of the pipeline whose Job is written, or "" for a single job.
	pipeline string
}

// name returns the job's name in the cluster.
func (w *writer) name() string { return nameOf(w.m, cmp.Or(w.pipeline, w.c.Name)) }

// nameOf returns the name of something of the project in the cluster, which other projects share: as much of the
// project's name as fits, and its own.
func nameOf(m *migrate.Migration, own string) string {
	const longest = 50 // characters; Kubernetes allows 63 in labels, and its controllers add a suffix
	project := m.Name()
	project = project[:max(0, min(len(project), longest-1-len(own)))]
	return account.Slug(project + "-" + own)
}

func (w *writer) write() {
	j := w.j
	spec := yamlout.Map{{Key: "backoffLimit", Value: 0}}
	if j.Timeout > 0 {
		spec = spec.Set("activeDeadlineSeconds", j.Timeout)
		w.m.Ledger.Map(j.Name, "`activeDeadlineSeconds`", "", j.Source.SDK.MaxDuration)
	}
	pod := yamlout.Map{{Key: "restartPolicy", Value: "Never"}}
	if j.Nodes > 1 {
		spec = spec.Set("completions", j.Nodes).Set("parallelism", j.Nodes).Set("completionMode", "Indexed")
		w.m.MapNodes(j, "an Indexed Job with as many pods")
		pod = pod.Set("subdomain", w.name())
		w.service()
	}
	pod = pod.Set("containers", yamlout.List{w.container("main")}).Set("volumes", w.volumes(w.c.Shm))
	spec = spec.Set("template", yamlout.Map{{Key: "spec", Value: pod}})
	w.manifest(w.c.Name, w.c.About, spec)
}

// manifest writes a Job.
func (w *writer) manifest(file string, about []string, spec yamlout.Map) {
	w.m.Write("job-"+file+".yaml", yamlout.Bytes(about, yamlout.Map{
		{Key: "apiVersion", Value: "batch/v1"}, {Key: "kind", Value: "Job"},
		{Key: "metadata", Value: yamlout.Map{{Key: "name", Value: w.name()}}}, {Key: "spec", Value: spec},
	}))
}

// service writes a Service, so that the pods find each other by name.
func (w *writer) service() {
	w.m.Write("service-"+w.c.Name+".yaml", yamlout.Bytes([]string{"Gives DNS names to the pods of the job: " + schema.PodName(w.name(), "0") + " and so on."}, yamlout.Map{
		{Key: "apiVersion", Value: "v1"}, {Key: "kind", Value: "Service"}, {Key: "metadata", Value: yamlout.Map{{Key: "name", Value: w.name()}}},
		{Key: "spec", Value: yamlout.Map{
			{Key: "clusterIP", Value: "None"}, {Key: "publishNotReadyAddresses", Value: true},
			{Key: "selector", Value: yamlout.Map{{Key: "job-name", Value: w.name()}}},
		}},
	}))
}

func (w *writer) container(name string) yamlout.Map {
	j := w.j
	m := yamlout.Map{{Key: "name", Value: name}, w.image(), {Key: "workingDir", Value: w.c.Folder()}, {Key: "command", Value: w.command()}}
	m = m.Fill("env", w.environment())
	if j.GPU {
		m = m.Set("resources", yamlout.Map{{Key: "limits", Value: yamlout.Map{{Key: "nvidia.com/gpu", Value: j.RequestedGPUs()}}}})
		w.m.MapGPU(j, "`limits: nvidia.com/gpu`", "")
	}
	return m.Set("volumeMounts", w.mounts())
}

// image returns the entry for the image, which has to be in the cluster's registry if it is built.
func (w *writer) image() yamlout.Entry {
	name := w.c.Image
	if w.c.Build != nil {
		answer, _ := w.m.Decide(&account.Question{ID: registryDecision, Scope: w.j.Name, Ask: "To which registry do you push the images?", Default: "local", Example: "registry.example.com/team",
			Why: "`local` uses no registry, which works only for a cluster on the machine that builds the images; other clusters need a registry from which they can pull"})
		if answer != "local" {
			name = strings.TrimSuffix(answer, "/") + "/" + name
		}
	}
	return yamlout.Entry{Key: "image", Value: name}
}

// command returns the argument vector. Kubernetes replaces $(NAME) in it, and reads $$ as $.
func (w *writer) command() yamlout.Flow {
	var argv yamlout.Flow
	for _, arg := range w.c.Launcher {
		argv = append(argv, shell.Doubled(arg))
	}
	if w.j.Nodes > 1 && w.c.Joined() {
		argv = append(argv, joined(w.j.Nodes, schema.PodName(w.name(), "0"))...)
	}
	for _, arg := range w.c.Argv {
		argv = append(argv, shell.Doubled(arg))
	}
	return argv
}

func (w *writer) environment() (list yamlout.List) {
	if w.c.Ranks && w.j.Nodes > 1 {
		list = append(list, yamlout.Map{{Key: "name", Value: "MASTER_ADDR"}, {Key: "value", Value: schema.PodName(w.name(), "0")}},
			yamlout.Map{{Key: "name", Value: "WORLD_SIZE"}, {Key: "value", Value: strconv.Itoa(w.j.Nodes)}})
	}
	for _, v := range w.c.Variables {
		if !isName(v.Name) {
			w.askName(v)
			continue
		}
		entry := yamlout.Map{{Key: "name", Value: v.Name}}
		if v.Secret {
			entry = entry.Set("valueFrom", yamlout.Map{{Key: "secretKeyRef", Value: yamlout.Map{{Key: "name", Value: secretName(w.m, w.j)}, {Key: "key", Value: v.Name}}}})
		} else {
			entry = entry.Set("value", shell.Doubled(v.Value))
		}
		list = append(list, entry)
	}
	return list
}

// isName reports whether every version of Kubernetes accepts the name of a variable.
func isName(name string) bool {
	for i, r := range name {
		letter := r == '_' || r == '-' || r == '.' || r < 0x80 && (r|0x20 >= 'a' && r|0x20 <= 'z')
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != "" && name != "." && name != ".."
}

// askName asks about a variable whose name Kubernetes rejects.
func (w *writer) askName(v migrate.Variable) {
	why := "Kubernetes accepts only ASCII letters, digits, `_`, `-` and `.` in names: rename it in the script and the old file, or answer `drop`"
	if w.m.AskName(w.j, v, why) {
		w.c.About = append(w.c.About, account.Marker+": a variable is left out because of its name; see "+account.Report)
	}
}

const (
	projectVolume = "project"
	shmVolume     = "shm"
)

// mounts returns the mounts of the project at the job's working directory, and of its folders at the paths of the data.
func (w *writer) mounts() yamlout.List {
	list := yamlout.List{yamlout.Map{{Key: "name", Value: projectVolume}, {Key: "mountPath", Value: container.Workdir}}}
	for _, mount := range w.c.Mounts {
		entry := yamlout.Map{{Key: "name", Value: projectVolume}, {Key: "mountPath", Value: mount.Path}, {Key: "subPath", Value: cmp.Or(mount.Host, mount.Name)}}
		list = append(list, entry.Fill("readOnly", mount.ReadOnly))
	}
	if w.c.Shm != "" {
		list = append(list, yamlout.Map{{Key: "name", Value: shmVolume}, {Key: "mountPath", Value: "/dev/shm"}})
	}
	return list
}

func (w *writer) volumes(shm string) yamlout.List {
	list := yamlout.List{yamlout.Map{{Key: "name", Value: projectVolume}, {Key: "persistentVolumeClaim", Value: yamlout.Map{{Key: "claimName", Value: w.m.Name()}}}}}
	if shm != "" {
		list = append(list, yamlout.Map{{Key: "name", Value: shmVolume}, {Key: "emptyDir", Value: yamlout.Map{{Key: "medium", Value: "Memory"}, {Key: "sizeLimit", Value: size(shm)}}}})
	}
	return list
}
