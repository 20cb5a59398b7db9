// Package compose writes jobs as Docker Compose services, with the Dockerfiles of their environments, to run them
// without Azure on any machine with Docker. Source of the keys: the Compose specification.
package compose

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/container"
	"github.com/amlfix/amlfix/fixers/migrate/shell"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema/format"
)

// Emitter writes one compose.yaml with a service for each run configuration, and the Dockerfiles and conda files of
// their images.
type Emitter struct{ container.Outside }

const file = "compose.yaml"

// Format is "compose".
func (Emitter) Format() string { return "compose" }

// Title returns the name of the format for people.
func (Emitter) Title() string { return "Docker Compose" }

// Schema returns the format of a written file, by its name.
func (Emitter) Schema(f migrate.File) format.Kind {
	switch {
	case f.Path == file:
		return format.Compose
	case strings.HasSuffix(f.Path, ".yml"):
		return format.Conda
	}
	return ""
}

// Secret returns a phrase that says where the value of a secret comes from.
func (Emitter) Secret(_ *migrate.Migration, _ *migrate.Job, v migrate.Variable) string {
	return "Set " + v.Name + " in the shell that starts the service, or in a file named `.env` next to compose.yaml that is never committed."
}

// Next returns the commands that run the services.
func (Emitter) Next(m *migrate.Migration) (lines []string) {
	run, up := "docker compose run --rm ", "docker compose up "
	if len(container.Builds(m, "", false)) > 0 {
		run, up = run+"--build ", up+"--build "
	}
	for _, j := range m.Jobs {
		if j.Step == nil {
			lines = append(lines, run+j.Called)
		}
	}
	for _, p := range m.Pipelines {
		if last := lastOf(m, p); len(last) == 1 {
			lines = append(lines, run+last[0])
		} else {
			lines = append(lines, up+strings.Join(last, " "), "docker compose ps --all "+strings.Join(last, " ")+" # the exit codes: up itself ends with 0")
		}
	}
	return lines
}

// lastOf returns the services of a pipeline that no other waits for: running them runs all.
func lastOf(m *migrate.Migration, p *migrate.Pipeline) (names []string) {
	steps := m.StepsOf(p)
	for _, j := range steps {
		if !slices.ContainsFunc(steps, func(other *migrate.Job) bool { return slices.Contains(other.Step.After, j.Step.Name) }) {
			names = append(names, j.Called)
		}
	}
	return names
}

// Emit adds the files to the migration.
func (Emitter) Emit(m *migrate.Migration) error {
	services, volumes := yamlout.Map{}, yamlout.Map{}
	for _, c := range container.All(m) {
		s := service(m, c) // which may add a comment
		services = append(services, yamlout.Entry{Key: c.Name, Value: s, Above: c.About})
		for _, mount := range c.Mounts {
			if mount.Host == "" && len(volumes) == 0 {
				volumes = volumes.Set(mount.Name, nil)
			}
		}
		container.Place(m, c, "docker compose")
	}
	body := yamlout.Map{{Key: "name", Value: m.Name()}, {Key: "services", Value: services}}
	body = body.Fill("volumes", volumes)
	m.Write(file, yamlout.Bytes([]string{"Paths are relative to the folder of this file."}, body))
	return nil
}

func service(m *migrate.Migration, c *container.Container) (s yamlout.Map) {
	j := c.Job
	if b := c.Build; b != nil {
		s = s.Set("build", yamlout.Map{{Key: "context", Value: shell.Doubled(b.Context)}, {Key: "dockerfile", Value: shell.Doubled(b.Dockerfile)}})
	}
	s = s.Set("image", shell.Doubled(c.Image))
	command := yamlout.Flow{}
	for _, arg := range append(append([]string{}, c.Launcher...), c.Argv...) {
		command = append(command, shell.Doubled(arg))
	}
	s = s.Set("command", command).Set("working_dir", shell.Doubled(c.Folder()))
	volumes := yamlout.List{shell.Doubled(m.Up(".")) + ":" + container.Workdir}
	for _, mount := range c.Mounts {
		volumes = append(volumes, volume(m, mount))
	}
	s = s.Set("volumes", volumes)
	s = s.Fill("environment", environment(m, c))
	s = s.Fill("shm_size", c.Shm)
	s = s.Set("init", true)
	if j.GPU {
		s = s.Set("deploy", devices())
		m.MapGPU(j, "`devices` of the service", "")
	}
	after := yamlout.Map{}
	for _, other := range c.After {
		after = after.Set(other.Name, yamlout.Map{{Key: "condition", Value: "service_completed_successfully"}})
	}
	s = s.Fill("depends_on", after)
	m.Ledger.Drop(j.Name, "Compose has no time limit: start it with the command timeout", j.Source.SDK.MaxDuration)
	if j.Nodes > 1 {
		m.Ledger.Drop(j.Name, "Compose runs on one machine", j.Source.Nodes)
	}
	return s
}

// volume returns a mount: that of a file in the form in which Docker does not create a folder if the file is missing.
func volume(m *migrate.Migration, mount container.Mount) any {
	if !mount.File {
		text := host(m, mount) + ":" + shell.Doubled(mount.Path)
		if mount.ReadOnly {
			text += ":ro"
		}
		return text
	}
	v := yamlout.Map{{Key: "type", Value: "bind"}, {Key: "source", Value: host(m, mount)}, {Key: "target", Value: shell.Doubled(mount.Path)}}
	v = v.Fill("read_only", mount.ReadOnly)
	return v.Set("bind", yamlout.Map{{Key: "create_host_path", Value: false}})
}

// host returns what is mounted: a path relative to the written folder, or the name of a volume.
func host(m *migrate.Migration, mount container.Mount) string {
	host := mount.Name
	switch {
	case mount.Open:
		host = "./" + account.Marker
	case mount.Host != "":
		if host = m.Up(mount.Host); !migrate.Away(host) && !strings.HasPrefix(host, ".") {
			host = "./" + host
		}
	}
	return shell.Doubled(host)
}

func environment(m *migrate.Migration, c *container.Container) (list yamlout.Map) {
	for _, v := range c.Variables {
		switch {
		case v.Secret && !migrate.IsVariable(v.Name): // ${a-b} is a with a default
			if m.AskName(c.Job, v, "Compose takes a secret only from a variable whose name has ASCII letters, digits and `_`: rename it in the script and the old file, or answer `drop`") {
				c.About = append(c.About, account.Marker+": a variable is left out because of its name; see "+account.Report)
			}
		case v.Secret:
			list = list.Set(v.Name, "${"+v.Name+":?it is a secret and was not copied}")
		default:
			list = list.Set(v.Name, shell.Doubled(v.Value))
		}
	}
	return list
}

// devices returns the keys that request all GPUs of the machine, as nvidia-docker did.
func devices() yamlout.Map {
	device := yamlout.Map{{Key: "driver", Value: "nvidia"}, {Key: "count", Value: "all"}, {Key: "capabilities", Value: yamlout.Flow{"gpu"}}}
	return yamlout.Map{{Key: "resources", Value: yamlout.Map{{Key: "reservations", Value: yamlout.Map{{Key: "devices", Value: yamlout.List{device}}}}}}}
}
