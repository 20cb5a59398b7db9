package docker

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

// arguments takes over those arguments of `docker run`, as given in SDK v1 run configurations, that have a place in a
// plan, and reports the others as not passed on. It takes over only what stays within the container: a file of the
// repository must not give the job access to this machine.
func (d *draft) arguments() error {
	var dropped []plan.Item
	args := d.Job.Docker.Arguments
	for i := 0; i < len(args); i++ {
		name, value, assigned := strings.Cut(args[i].Text, "=")
		at := args[i]
		take, known := arguments()[name]
		if known && !assigned {
			if i+1 == len(args) {
				return &plan.Error{Origin: d.At(at), Text: fmt.Sprintf("docker argument %s has no value: write the value as the next entry", name)}
			}
			i++
			value = args[i].Text
		}
		if !known || !take(d, value, at) {
			dropped = append(dropped, plan.Item{Value: args[i].Text, Origin: d.At(at)})
			if known && assigned {
				dropped[len(dropped)-1].Value = at.Text
			}
		}
	}
	plan.MarkSecrets(dropped)
	for _, i := range dropped {
		d.Plan.Notes = append(d.Plan.Notes, plan.From("docker argument "+i.Shown()+" is not passed on: only "+allowed+" are", i.Origin))
	}
	return nil
}

// allowed lists what arguments accepts. --ipc host, which is used where /dev/shm is too small, would share the host's;
// --shm-size provides a larger one instead.
const allowed = "-e, --env, --shm-size, -m, --memory, --cpus, --gpus all or a number, --runtime nvidia and --ipc private or shareable"

// arguments maps an argument to what to do with its value. The functions return false if it cannot be taken over.
func arguments() map[string]func(*draft, string, schema.Field) bool {
	return map[string]func(*draft, string, schema.Field) bool{
		"-e": (*draft).takeVariable, "--env": (*draft).takeVariable,
		"--shm-size": (*draft).takeShm, "-m": (*draft).takeMemory, "--memory": (*draft).takeMemory,
		"--cpus": (*draft).takeCPUs, "--ipc": (*draft).takeIPC, "--gpus": (*draft).takeGPUs, "--runtime": (*draft).takeRuntime,
	}
}

func (d *draft) takeVariable(value string, f schema.Field) bool {
	name, text, ok := strings.Cut(value, "=")
	if ok = ok && plan.Unsettable(name, text, false) == ""; ok {
		d.Plan.Env = append(d.Plan.Env, plan.Item{Name: name, Value: text, Origin: d.At(f), Secret: secret.Variable(name, text)})
	}
	return ok
}

func (d *draft) takeShm(value string, f schema.Field) bool {
	n, ok := plain.Bytes(value)
	if ok && d.part.Shm.Value == 0 {
		d.part.Shm = plan.From(n, d.At(f))
	}
	return ok
}

func (d *draft) takeMemory(value string, f schema.Field) bool {
	n, ok := plain.Bytes(value)
	if ok && d.part.Memory.Value == 0 {
		d.part.Memory = plan.From(n, d.At(f))
	}
	return ok
}

func (d *draft) takeIPC(value string, f schema.Field) bool {
	if value != "private" && value != "shareable" {
		return false
	}
	d.part.IPC = plan.From(value, d.At(f))
	return true
}

func (d *draft) takeCPUs(value string, f schema.Field) bool {
	n, ok := plan.ParseCPUs(value)
	if ok && d.part.CPUs.Value == 0 {
		d.part.CPUs = plan.From(n, d.At(f))
	}
	return ok
}

func (d *draft) takeGPUs(value string, f schema.Field) bool {
	g, ok := plan.ParseGPUs(value)
	if ok = ok && g.Wanted(); ok && d.Options.GPUs == "" {
		d.Plan.GPUs = plan.From(g, d.At(f))
	}
	return ok
}

func (d *draft) takeRuntime(value string, f schema.Field) bool {
	return value == "nvidia" && d.takeGPUs("all", f)
}
