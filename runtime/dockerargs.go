package runtime

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

// dockerArguments takes over those arguments of `docker run` that SDK v1 run configurations may give and that have a
// place in a plan; of the others it says that they are not passed on. Only what stays in the container is taken over: a file
// of the repository must not open this machine to the job.
func (b *planner) dockerArguments(p *Plan) error {
	var dropped []Item
	args := b.job.Docker.Arguments
	for i := 0; i < len(args); i++ {
		name, value, assigned := strings.Cut(args[i].Text, "=")
		at := args[i]
		take, known := dockerArgument[name]
		if known && !assigned {
			if i+1 == len(args) {
				return &PlanError{Origin: b.at(at), Text: fmt.Sprintf("docker argument %s has no value: write it after it, as the next entry", name)}
			}
			i++
			value = args[i].Text
		}
		if !known || !take(b, p, value, at) {
			dropped = append(dropped, Item{Value: args[i].Text, Origin: b.at(at)})
			if known && assigned {
				dropped[len(dropped)-1].Value = at.Text
			}
		}
	}
	markSecrets(dropped)
	for _, i := range dropped {
		p.Notes = append(p.Notes, Field[string]{"docker argument " + i.shown() + " is not passed on: only " + dockerAllowed + " are", i.Origin})
	}
	return nil
}

// dockerAllowed names the arguments of dockerArgument. --ipc host, which is asked for where /dev/shm is too small, would share
// the host's; a larger one is had by --shm-size.
const dockerAllowed = "-e, --env, --shm-size, -m, --memory, --gpus all, --runtime nvidia and --ipc private or shareable"

// dockerArgument says what to do with an argument and its value; false: it cannot be taken over.
var dockerArgument = map[string]func(*planner, *Plan, string, schema.Field) bool{
	"-e": (*planner).dockerVariable, "--env": (*planner).dockerVariable,
	"--shm-size": (*planner).dockerShm, "-m": (*planner).dockerMemory, "--memory": (*planner).dockerMemory,
	"--ipc": (*planner).dockerIPC, "--gpus": (*planner).dockerGPUs, "--runtime": (*planner).dockerRuntime,
}

func (b *planner) dockerVariable(p *Plan, value string, f schema.Field) bool {
	name, text, ok := strings.Cut(value, "=")
	if ok = ok && unsettable(name, text, Docker) == ""; ok {
		p.Env = append(p.Env, Item{Name: name, Value: text, Origin: b.at(f), Secret: secret.Variable(name, text)})
	}
	return ok
}

func (b *planner) dockerShm(p *Plan, value string, f schema.Field) bool {
	n, ok := plain.Bytes(value)
	if ok && p.Shm.Value == 0 {
		p.Shm = Field[int64]{n, b.at(f)}
	}
	return ok
}

func (b *planner) dockerMemory(p *Plan, value string, f schema.Field) bool {
	n, ok := plain.Bytes(value)
	if ok && p.Memory.Value == 0 {
		p.Memory = Field[int64]{n, b.at(f)}
	}
	return ok
}

func (b *planner) dockerIPC(p *Plan, value string, f schema.Field) bool {
	if value != "private" && value != "shareable" {
		return false
	}
	p.IPC = Field[string]{value, b.at(f)}
	return true
}

func (b *planner) dockerGPUs(p *Plan, value string, f schema.Field) bool {
	if value != "all" {
		return false
	}
	p.GPUs = Field[GPURequest]{AllGPUs, b.at(f)}
	return true
}

func (b *planner) dockerRuntime(p *Plan, value string, f schema.Field) bool {
	return value == "nvidia" && b.dockerGPUs(p, "all", f)
}
