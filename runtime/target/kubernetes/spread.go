package kubernetes

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// Spread describes how a job is spread over several pods.
type Spread struct {
	Kind schema.Distribution
	// PerPod is the number of processes in each pod.
	PerPod int
	// Workers is the number of pods that are TensorFlow workers, which come first; the others are parameter servers.
	Workers int
}

// Limits on what a file may request: kubectl runs twice for each pod.
const (
	mostPods      = 100
	mostProcesses = 1024
)

// spread plans how many pods the job has, and how its processes find each other.
func (part *Part) spread(d *plan.Draft) error {
	nodes := d.Job.Nodes
	if !nodes.Explicit {
		nodes = d.Compute.NodeCount()
	}
	n, err := count(d, nodes, "the number of machines", 1, mostPods)
	if err != nil || n == 1 {
		return err
	}
	part.Spec.Nodes = plan.From(n, d.At(nodes))
	part.Spread = Spread{Kind: d.Job.Distribution(), PerPod: 1}
	switch part.Spread.Kind {
	case schema.PyTorch, schema.MPI:
		err = part.processes(d, n)
	case schema.TensorFlow:
		err = part.tasks(d, n)
	case schema.UnknownDistribution:
		err = &plan.Error{Origin: d.At(d.Job.Communicator), Text: "target k8s does not support distribution " + plan.Quote(d.Job.Communicator.Text) + ": use pytorch, tensorflow or mpi, or in run configurations Nccl, Gloo, ParameterServer or OpenMpi"}
	case schema.NoDistribution:
		d.Note(fmt.Sprintf("the job names no distribution: each of the %d pods runs the whole job", n), nodes)
	}
	if err == nil && part.Spread.Kind == schema.MPI {
		err = mpi(d)
	}
	if w := d.Plan.Work; w != nil && part.Spread.PerPod == 1 {
		w.Processes.Value = 0
	}
	return err
}

// count reads a number from least to most; 1 if the setting is not given.
func count(d *plan.Draft, f schema.Field, what string, least, most int) (int, error) {
	if !f.Explicit || f.Text == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(f.Text))
	if err != nil || n < least || n > most {
		return 0, &plan.Error{Origin: d.At(f), Text: fmt.Sprintf("%s is %s: write a number from %d to %d", what, plan.Quote(f.Text), least, most)}
	}
	return n, nil
}

// processes plans the processes of each pod. SDK v1 counts PyTorch's processes over all pods.
func (part *Part) processes(d *plan.Draft, pods int) (err error) {
	sp := &part.Spread
	if d.Job.Dialect != schema.SDKv1 || sp.Kind == schema.MPI {
		sp.PerPod, err = count(d, d.Job.Processes, "the number of processes of a pod", 1, mostProcesses)
		return err
	}
	all := d.Job.SDK.ProcessCount
	n, err := count(d, all, "processCount", 1, mostProcesses*pods)
	if err != nil || n == 1 { // the template's
		return err
	}
	if n%pods != 0 {
		return &plan.Error{Origin: d.At(all), Text: fmt.Sprintf("processCount is %d, which %d pods cannot share evenly: write a multiple of %d", n, pods, pods)}
	}
	sp.PerPod = n / pods
	return nil
}

// tasks plans TensorFlow's tasks, one per pod.
func (part *Part) tasks(d *plan.Draft, pods int) error {
	workers, servers := d.Job.TaskCounts()
	ps := 0
	if servers.Explicit || d.Job.Dialect == schema.SDKv1 {
		var err error
		if ps, err = count(d, servers, "the number of parameter servers", 0, mostPods); err != nil {
			return err
		}
	}
	w := pods - ps
	if workers.Explicit && workers.Text != "" {
		var err error
		if w, err = count(d, workers, "the number of workers", 1, mostPods); err != nil {
			return err
		}
	}
	if w < 1 || w+ps != pods {
		return &plan.Error{Origin: part.Spec.Nodes.Origin, Text: fmt.Sprintf("the job has %d workers and %d parameter servers, but %d pods, each of which runs one task: ask for as many machines as tasks", max(w, 0), ps, pods)}
	}
	part.Spread.Workers = w
	return nil
}

// The programs and modules that need mpirun, and the scripts that may import them.
var (
	mpiProgram = plain.Regexp{Text: `\b(mpirun|mpiexec|horovodrun)\b`}
	mpiImport  = plain.Regexp{Text: `(?m)^[ \t]*(?:import|from)[ \t]+(mpi4py|horovod)\b`}
	python     = plain.Regexp{Text: `[^\s'"=;&|]+\.py\b`}
)

// mpi refuses a job that is known to call MPI: its processes get Open MPI's variables, but are not started by mpirun,
// which would require SSH in the pods.
func mpi(d *plan.Draft) error {
	p := d.Plan
	dir, text := p.Project, strings.Join(p.Command(), " ")
	if p.Work != nil {
		dir, text = p.Work.Code.Value, p.Work.Command.Value
	}
	found := mpiProgram.Get().FindString(text)
	for _, script := range python.Get().FindAllString(text, 20) {
		if code, err := source.ReadWithin(dir, filepath.Join(dir, filepath.FromSlash(script))); err == nil && found == "" {
			if m := mpiImport.Get().FindSubmatch(code); m != nil {
				found = script + ", which imports " + string(m[1])
			}
		}
	}
	at := d.Job.Communicator
	if !at.Explicit {
		at = d.Job.Framework
	}
	if found != "" {
		return &plan.Error{Origin: d.At(at), Text: "the job runs " + plan.Quote(found) + ", which needs an mpirun that reaches all pods over SSH, and target k8s has none: use torch.distributed with distribution pytorch, or the MPIJob of Kubeflow's MPI operator"}
	}
	d.Note("the processes get the variables of Open MPI, but no mpirun starts them: for a library that calls MPI itself, each process is alone", at)
	return nil
}
