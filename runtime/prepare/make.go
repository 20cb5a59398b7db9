package prepare

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"maps"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
)

// Label marks the images that are environments; its value is the recipe's key.
const Label = "io.amlfix.env"

// place is the folder of an environment. Its subfolder sources has the project files named in the conda file, with the
// same layout as in the project, and the conda file, under a name that no file of the project has.
type place string

// inImage is the folder of an environment in an image.
const inImage place = "/opt/amlfix"

// The files that list the packages, for conda and for pip.
const (
	condaFile    = "conda_dependencies.yml"
	requirements = "requirements.txt"
)

func (p place) prefix() string  { return path.Join(string(p), "env") }
func (p place) sources() string { return path.Join(string(p), "src") }

// dir returns the tools' working directory, relative to which pip finds files.
func (p place) dir(r Recipe) string {
	if len(r.Files) == 0 {
		return "/"
	}
	return path.Join(p.sources(), r.Dir)
}

// file returns the path of the conda file or the list of pip items.
func (p place) file(r Recipe, name string) string {
	if len(r.Files) == 0 {
		return path.Join(string(p), name)
	}
	return path.Join(p.sources(), r.Dir, ".amlfix-"+name)
}

// Way is how an environment is made.
type Way string

// The ways.
const (
	ByConda Way = "conda" // all packages, by the image's conda
	ByVenv  Way = "venv"  // only the pip packages, by the image's Python, in addition to the packages it has
)

// Labels of the resulting images, used to find them when their base image is gone: how they were made, and from what.
const (
	wayLabel    = "io.amlfix.env.way"
	baseLabel   = "io.amlfix.env.base" // its name
	idLabel     = "io.amlfix.env.base.id"
	digestLabel = "io.amlfix.env.base.digest"
	recipeLabel = "io.amlfix.env.recipe" // the recipe's key without a base image
	plainLabel  = "io.amlfix.env.plain"  // "true": docker.WorkDir does not exist in the image
)

// Env is an environment: an image to run the job in.
type Env struct {
	Image string // its name, "amlfix/env:KEY"
	ID    string // the image's ID
	Base  string // the base image's ID
	// BaseDigest is the base image's digest in a registry, "repository@sha256:…"; empty if no registry has it.
	BaseDigest string
	Way        Way
	Made       bool // it was made by this call
	Alone      bool // the base image no longer exists
	Plain      bool // docker.WorkDir is known not to exist in the image
	Took       time.Duration
}

// Python reports whether the environment is certain to have programs named python and python3, as every venv has.
func (e Env) Python() bool { return e.Image != "" && e.Way == ByVenv }

// Spec describes an environment to make.
type Spec struct {
	Image  string // the base image's name
	Recipe Recipe
	// Run is the ID of the run that makes the environment, and Project its project's mark; both may be empty.
	Run, Project string
	File         string // the conda file as shown to the user, optionally with a line
	At           string // the position of the first package that only conda can install, "FILE:LINE"; empty: File
}

// Find returns an environment that already exists; ok is false if there is none. If the base image no longer exists,
// Find returns the newest environment based on an image of that name, which contains the whole base image. If there is
// none either, the error has Problem ImageNotFound.
func Find(ctx context.Context, eng docker.Engine, spec Spec) (env Env, ok bool, err error) {
	base, err := eng.Image(ctx, spec.Image)
	if docker.Is(err, docker.ImageNotFound) {
		if env, ok = findAlone(ctx, eng, spec); ok {
			return env, true, nil
		}
	}
	if err != nil {
		return env, false, err
	}
	name := spec.Recipe.ImageName(base.ID)
	img, err := eng.Image(ctx, name)
	switch {
	case docker.Is(err, docker.ImageNotFound):
		return env, false, nil
	case err != nil:
		return env, false, err
	}
	return Env{Image: name, ID: img.ID, Base: base.ID, BaseDigest: digest(base), Way: Way(img.Labels[wayLabel]), Plain: img.Labels[plainLabel] == "true"}, img.Labels[Label] == spec.Recipe.Key(base.ID), nil
}

// findAlone finds an environment whose base image is gone.
func findAlone(ctx context.Context, eng docker.Engine, spec Spec) (env Env, ok bool) {
	names, err := eng.Images(ctx, baseLabel+"="+spec.Image, recipeLabel+"="+spec.Recipe.Key(""))
	if err != nil || len(names) == 0 {
		return env, false
	}
	img, err := eng.Image(ctx, names[0])
	if err != nil {
		return env, false
	}
	return Env{Image: names[0], ID: img.ID, Base: img.Labels[idLabel], BaseDigest: img.Labels[digestLabel], Way: Way(img.Labels[wayLabel]), Plain: img.Labels[plainLabel] == "true", Alone: true}, true
}

func digest(img docker.Image) string {
	if len(img.Digests) == 0 {
		return ""
	}
	return img.Digests[0]
}

// Make returns the environment. If it does not exist, Make makes it, and pulls the base image if it is missing. The
// tools' output goes to out as it arrives. If ctx is cancelled or the tools fail, neither image nor container is left.
// The error is an *Error if the environment cannot be made, an error of the engine, or the cause of ctx.
func Make(ctx context.Context, eng docker.Engine, spec Spec, out process.Streams, control process.Control, say progress.Sink) (Env, error) {
	env, ok, err := Find(ctx, eng, spec)
	if env.Alone {
		say.Notice("image %s is no longer on the engine: the environment that was built on it is used (%s)", spec.Image, env.Image)
	}
	if ok || err != nil && !docker.Is(err, docker.ImageNotFound) {
		return env, err
	}
	base, err := docker.EnsureImage(ctx, eng, spec.Image, say)
	if err != nil {
		return Env{}, err
	}
	if env, ok, err := Find(ctx, eng, spec); err != nil || ok {
		return env, err
	}
	info, err := eng.Info(ctx)
	if err != nil {
		return Env{}, err
	}
	m := &maker{eng: eng, spec: spec, base: base, key: spec.Recipe.Key(base.ID)}
	if m.tools, err = FindTools(ctx, eng, info, base, spec.Image, cmp.Or(spec.Run, "env-"+m.key)); err != nil {
		return Env{}, err
	}
	if err := Possible(spec, m.tools); err != nil {
		return Env{}, err
	}
	if m.tools.Conda == "" && !AllowsPython(spec.Recipe.Python, m.tools.PythonVersion) {
		say.Notice("%s: image %s has no conda: %s is not installed, the job runs on the image's Python %s", spec.File, spec.Image, spec.Recipe.Python, m.tools.PythonVersion)
	}
	say.Enter(progress.Preparing, "building the environment of %s on image %s with %s, which can take many minutes", spec.File, spec.Image, m.way())
	began := time.Now()
	env, err = m.make(ctx, out, control, say)
	env.Took = time.Since(began)
	if err == nil {
		say.Enter(progress.Preparing, "the environment is ready after %v; it is kept as image %s", env.Took.Round(time.Second), env.Image)
	}
	return env, err
}

type maker struct {
	eng   docker.Engine
	spec  Spec
	base  docker.Image
	key   string
	tools Tools
}

func (m *maker) way() Way { return m.tools.way() }

// way returns how an environment is made with these tools.
func (t Tools) way() Way {
	if t.Conda != "" {
		return ByConda
	}
	return ByVenv
}

func (m *maker) make(ctx context.Context, out process.Streams, control process.Control, say progress.Sink) (env Env, err error) {
	if err := m.clear(ctx); err != nil {
		return env, err
	}
	env = Env{Image: m.spec.Recipe.ImageName(m.base.ID), Base: m.base.ID, BaseDigest: digest(m.base), Way: m.way(), Made: true}
	job := docker.Spec{Name: docker.EnvironmentName(m.key), RunID: m.spec.Run, Project: m.spec.Project, Image: m.spec.Image, Argv: inImage.argv(m.spec.Recipe, m.tools), Env: []string{"PYTHONUNBUFFERED=1"}, Dir: inImage.dir(m.spec.Recipe),
		Upload: func(_ context.Context, w io.Writer, _ bool) error { return inImage.upload(w, m.spec.Recipe, nil) }}
	if m.base.User != "" {
		job.User = "0" // only root may write to /opt; an image's settings can name another user, but cannot name none
	}
	secrets := m.spec.Recipe.secrets()
	job.Finish = func(ctx context.Context, id string) (err error) {
		if len(secrets) > 0 { // images are shared more widely than files
			if err := m.mask(ctx, id, secrets); err != nil {
				return err
			}
		}
		_, err = m.eng.Stat(ctx, id, docker.WorkDir)
		env.Plain = docker.Is(err, docker.PathNotFound)
		env.ID, err = m.eng.Commit(ctx, id, env.Image, m.image(env.Plain))
		return err
	}
	// these are the states of a job, which this is not
	notices := func(e progress.Event) {
		if e.State == "" && say != nil {
			say(e)
		}
	}
	control.Limit, control.Grace = 0, time.Millisecond // the container is removed: the tools have nothing to save
	var said Said
	hidden, flush := said.Hide(ctx, out, m.spec.Recipe)
	result, err := docker.Run(ctx, m.eng, job, hidden, control, notices)
	flush()
	switch {
	case err != nil:
		return Env{}, err
	case result.Cause == process.Cancelled && context.Cause(ctx) != nil:
		return Env{}, &StoppedError{File: m.spec.File, Err: context.Cause(ctx)}
	case result.Cause != process.Ended || result.Code != 0:
		return Env{}, &Error{Spec: m.spec, Way: m.way(), Code: result.Code, Note: result.Note, Trouble: said.Trouble()}
	}
	return env, result.FinishErr
}

// clear removes a container left behind by a killed amlfix, unless the environment is still being made in it, and all
// others that have made nothing for a day.
func (m *maker) clear(ctx context.Context) error {
	if list, err := m.eng.Containers(ctx); err == nil {
		for _, c := range list {
			if c.Helps() && !c.Running && time.Since(c.Made) > 24*time.Hour {
				_ = m.eng.Remove(ctx, c.Name) // a later run tries again
			}
		}
	}
	name := docker.EnvironmentName(m.key)
	state, err := m.eng.State(ctx, name)
	switch {
	case docker.Is(err, docker.ContainerGone):
		return nil
	case err != nil:
		return err
	case state.Running:
		return &Error{Spec: m.spec, Running: name}
	}
	return m.eng.Remove(ctx, name)
}

// argv returns the command that makes the environment. Secrets of the recipe stay in none of the files in which the
// tools note where a package comes from.
func (p place) argv(r Recipe, tools Tools) []string {
	argv := p.making(r, tools)
	if len(r.secrets()) == 0 {
		return argv
	}
	return append([]string{"sh", "-c", p.hiding(r, tools), "sh"}, argv...)
}

func (p place) making(r Recipe, tools Tools) []string {
	if tools.way() == ByConda {
		return []string{tools.Conda, "env", "create", "-p", p.prefix(), "-f", p.file(r, condaFile)}
	}
	script := `set -e; "$1" -m venv --system-site-packages "$2"`
	if len(r.Pip) > 0 {
		script += `; exec "$2/bin/python" -m pip install --disable-pip-version-check --no-cache-dir -r "$3"`
	}
	return []string{"sh", "-c", script, "sh", tools.Python, p.prefix(), p.file(r, requirements)}
}

// mask removes the secrets from the files that the tools have read.
func (m *maker) mask(ctx context.Context, id string, secrets []string) error {
	var b bytes.Buffer
	if err := inImage.upload(&b, m.spec.Recipe, secrets); err != nil {
		return err
	}
	return m.eng.CopyIn(ctx, id, &b)
}

// image returns the base image's settings with the environment's programs first on PATH. See Env.Start for what else
// conda's activation does.
func (m *maker) image(plain bool) docker.Image {
	img := m.base
	prefix := inImage.prefix()
	bin, oldPath := path.Join(prefix, "bin"), docker.DefaultPath
	img.Env = nil
	for _, v := range m.base.Env {
		switch name, value, _ := strings.Cut(v, "="); name {
		case "PATH":
			oldPath = value
		case "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "VIRTUAL_ENV", "PYSPARK_PYTHON":
		default:
			img.Env = append(img.Env, v)
		}
	}
	img.Env = append(img.Env, "PATH="+bin+":"+oldPath, "PYSPARK_PYTHON="+path.Join(bin, "python"))
	if m.way() == ByConda {
		img.Env = append(img.Env, "CONDA_PREFIX="+prefix, "CONDA_DEFAULT_ENV="+prefix)
	} else {
		img.Env = append(img.Env, "VIRTUAL_ENV="+prefix)
	}
	if len(img.Cmd) == 0 {
		img.Cmd = []string{"python"} // with none at all, the container's would be used
	}
	img.Dir = cmp.Or(img.Dir, "/")
	img.Labels = maps.Clone(img.Labels)
	if img.Labels == nil {
		img.Labels = map[string]string{}
	}
	maps.Copy(img.Labels, map[string]string{docker.Label: "", docker.ProjectLabel: "", Label: m.key, wayLabel: string(m.way()), baseLabel: m.spec.Image, idLabel: m.base.ID, digestLabel: digest(m.base), recipeLabel: m.spec.Recipe.Key(""), plainLabel: strconv.FormatBool(plain)})
	return img
}
