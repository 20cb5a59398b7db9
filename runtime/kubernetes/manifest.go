package kubernetes

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/runid"
)

// The names of amlfix's objects.
const (
	Container    = "job"                                 // the container of a pod
	Managed      = "app.kubernetes.io/managed-by=amlfix" // the label of all objects
	RunLabel     = "io.amlfix.run"                       // the label with the run's ID
	ProjectLabel = "io.amlfix.project"                   // the label with the project's mark
	QueueLabel   = "kueue.x-k8s.io/queue-name"           // Kueue's label
	GPU          = "nvidia.com/gpu"                      // the resource of NVIDIA's device plugin
	Root         = "/amlfix"                             // where the run's volume is mounted
	runsDir      = Root + "/.amlfix/runs"                // as in package remote, relative to the home folder
	volume       = "amlfix"                              // the run's volume
	grace        = 30                                    // seconds that a job gets when its pod is deleted
	leftFor      = 7 * 24 * 60 * 60                      // seconds after which the cluster removes a finished job that nobody removed
)

//go:embed hold.sh
var holdText string

func hold() string { return regexp.MustCompile("(?m)^ *#.*\n").ReplaceAllString(holdText, "") }

// JobName returns the name of a run's job.
func JobName(id runid.ID) string { return jobStart + id.String() }

const jobStart = "amlfix-"

// Spec is a job to create.
type Spec struct {
	RunID   runid.ID
	Project string          // the project's mark
	Nodes   plan.Field[int] // number of pods; 0: one
	Image   plan.Field[string]
	GPUs    plan.Field[int]
	Memory  plan.Field[int64]   // bytes; 0: no limit
	CPUs    plan.Field[float64] // processors; 0: no limit
	Shm     plan.Field[int64]   // bytes of /dev/shm; 0: the cluster's default
	// Claim is the claim of a volume that keeps projects; empty: the run gets its own volume, which is removed with the
	// pod.
	Claim plan.Field[string]
	// Storage says how to create Claim if it does not exist.
	Storage    Storage
	PullSecret plan.Field[string]
	Queue      plan.Field[string]
	Selector   []plan.Item // labels that the node must have
	Tolerated  []plan.Item // taints, in the notation of kubectl taint
	Secrets    []plan.Item // variables that the container gets from the run's secret
}

// Set is one field of a manifest: its position, its value, and where the value comes from.
type Set struct {
	Path   []string // keys; a number is a list index
	Value  any
	Origin plan.Origin
	shown  string // the value as shown to people; empty: Value itself
}

// String returns the field in its usual notation: "spec.template.spec.containers[0].image: x".
func (s Set) String() string {
	var b strings.Builder
	for i, key := range s.Path {
		switch _, err := strconv.Atoi(key); {
		case err == nil:
			b.WriteString("[" + key + "]")
		case strings.ContainsAny(key, "./"):
			b.WriteString("[" + plan.Quote(key) + "]")
		case i > 0:
			b.WriteString("." + key)
		default:
			b.WriteString(key)
		}
	}
	if s.shown != "" {
		return b.String() + ": " + plan.Quote(s.shown)
	}
	switch value := s.Value.(type) {
	case string:
		if n := strings.Count(value, "\n"); n > 1 {
			fmt.Fprintf(&b, ": a script of %d lines that waits for the project, and in the end for amlfix", n)
			break
		}
		b.WriteString(": " + plan.Quote(value))
	default:
		text, _ := json.Marshal(value) // consists of numbers and strings
		b.WriteString(": " + string(text))
	}
	return b.String()
}

var (
	always = plan.Origin{Note: "the same for all jobs"}
	ofRun  = plan.Origin{Note: "from the run's id"}
)

// fields are those of an object, in the order in which they are shown.
type fields []Set

func (f *fields) add(value any, o plan.Origin, keys ...string) {
	*f = append(*f, Set{Path: keys, Value: value, Origin: o})
}

// label adds the labels of an object that is not a job.
func (f *fields) label(labels ...string) {
	for _, l := range labels {
		key, value, _ := strings.Cut(l, "=")
		f.add(value, always, "metadata", "labels", key)
	}
}

// Manifest returns the job, field by field.
func (s Spec) Manifest() []Set {
	var list fields
	const pod, container = "spec/template/spec", "spec/template/spec/containers/0"
	in := func(at string, value any, o plan.Origin, keys ...string) {
		list.add(value, o, append(strings.Split(at, "/"), keys...)...)
	}
	list.add("batch/v1", always, "apiVersion")
	list.add("Job", always, "kind")
	list.add(JobName(s.RunID), ofRun, "metadata", "name")
	for _, at := range []string{"metadata", "spec/template/metadata"} {
		key, value, _ := strings.Cut(Managed, "=")
		in(at, value, always, "labels", key)
		in(at, s.RunID.String(), ofRun, "labels", RunLabel)
		if s.Project != "" {
			in(at, s.Project, plan.Origin{Note: "from the project's folder"}, "labels", ProjectLabel)
		}
	}
	if s.Queue.Value != "" {
		in("metadata", s.Queue.Value, s.Queue.Origin, "labels", QueueLabel)
		list.add(true, plan.Origin{Note: "until the queue admits the job"}, "spec", "suspend")
	}
	s.indexed(&list)
	list.add(leftFor, always, "spec", "ttlSecondsAfterFinished")
	in(pod, "Never", always, "restartPolicy")
	in(pod, false, plan.Origin{Note: "the job gets no rights in the cluster"}, "automountServiceAccountToken")
	in(pod, grace, always, "terminationGracePeriodSeconds")
	if s.PullSecret.Value != "" {
		in(pod, s.PullSecret.Value, s.PullSecret.Origin, "imagePullSecrets", "0", "name")
	}
	for _, l := range s.Selector {
		key, value, _ := strings.Cut(l.Value, "=")
		in(pod, value, l.Origin, "nodeSelector", key)
	}
	for i, t := range s.Tolerated {
		in(pod, toleration(t.Value), t.Origin, "tolerations", strconv.Itoa(i))
		list[len(list)-1].shown = t.Value
	}
	in(container, Container, always, "name")
	in(container, s.Image.Value, s.Image.Origin, "image")
	command := []string{"sh", "-c", hold(), "sh", path.Join(runsDir, s.RunID.String()), local.Marker + "=" + s.RunID.String()}
	if s.Pods() > 1 {
		command = append(command, strconv.Itoa(alone))
	}
	for i, word := range command {
		in(container, word, always, "command", strconv.Itoa(i))
	}
	inside := func(value any, o plan.Origin, keys ...string) { in(container, value, o, keys...) }
	s.resources(inside)
	s.secrets(inside)
	s.volumes(func(at string, value any, o plan.Origin, keys ...string) {
		in(map[string]string{"pod": pod, "container": container}[at], value, o, keys...)
	})
	return list
}

func (s Spec) resources(in func(any, plan.Origin, ...string)) {
	if s.GPUs.Value > 0 {
		in(s.GPUs.Value, s.GPUs.Origin, "resources", "limits", GPU)
	}
	if s.Memory.Value > 0 {
		in(strconv.FormatInt(s.Memory.Value, 10), s.Memory.Origin, "resources", "limits", "memory")
	}
	if s.CPUs.Value > 0 {
		in(strconv.FormatFloat(s.CPUs.Value, 'f', -1, 64), s.CPUs.Origin, "resources", "limits", "cpu")
	}
}

func (s Spec) volumes(in func(at string, value any, o plan.Origin, keys ...string)) {
	in("container", volume, always, "volumeMounts", "0", "name")
	in("container", Root, always, "volumeMounts", "0", "mountPath")
	if s.Pods() > 1 && s.Claim.Value != "" {
		in("container", "pods/$("+indexVariable+")", plan.Origin{Note: "each pod has its own folder"}, "volumeMounts", "0", "subPathExpr")
	}
	in("pod", volume, always, "volumes", "0", "name")
	if s.Claim.Value != "" {
		in("pod", s.Claim.Value, s.Claim.Origin, "volumes", "0", "persistentVolumeClaim", "claimName")
	} else {
		in("pod", map[string]any{}, plan.Origin{Note: "default: removed with the pod; kubernetes.claim names one that is kept"}, "volumes", "0", "emptyDir")
	}
	next := "1"
	if s.Pods() > 1 && s.Claim.Value != "" {
		all := plan.Origin{Note: "all pods share their environments"}
		in("container", volume, all, "volumeMounts", next, "name")
		in("container", environments, all, "volumeMounts", next, "mountPath")
		in("container", strings.TrimPrefix(environments, Root+"/"), all, "volumeMounts", next, "subPath")
		next = "2"
	}
	if s.Shm.Value == 0 {
		return
	}
	in("container", "shm", always, "volumeMounts", next, "name")
	in("container", "/dev/shm", always, "volumeMounts", next, "mountPath")
	in("pod", "shm", always, "volumes", "1", "name")
	in("pod", "Memory", s.Shm.Origin, "volumes", "1", "emptyDir", "medium")
	in("pod", strconv.FormatInt(s.Shm.Value, 10), s.Shm.Origin, "volumes", "1", "emptyDir", "sizeLimit")
}

// toleration reads a taint in kubectl's notation: KEY, KEY:EFFECT, KEY=VALUE or KEY=VALUE:EFFECT; without a value,
// every value is tolerated.
func toleration(text string) map[string]string {
	rest, effect, _ := strings.Cut(text, ":")
	key, value, equal := strings.Cut(rest, "=")
	fields := map[string]string{"key": key, "operator": "Exists"}
	if equal {
		fields["operator"], fields["value"] = "Equal", value
	}
	if effect != "" {
		fields["effect"] = effect
	}
	return fields
}

// toJSON returns the manifest for the cluster.
func toJSON(fields []Set) []byte {
	var root any = map[string]any{}
	for _, f := range fields {
		root = put(root, f.Path, f.Value)
	}
	text, _ := json.Marshal(root) // consists of numbers, strings, lists and maps
	return text
}

// put puts a value into a tree of maps and lists.
func put(tree any, keys []string, value any) any {
	if len(keys) == 0 {
		return value
	}
	if i, err := strconv.Atoi(keys[0]); err == nil {
		list, _ := tree.([]any)
		for len(list) <= i {
			list = append(list, nil)
		}
		list[i] = put(list[i], keys[1:], value)
		return list
	}
	m, ok := tree.(map[string]any)
	if !ok {
		m = map[string]any{}
	}
	m[keys[0]] = put(m[keys[0]], keys[1:], value)
	return m
}
