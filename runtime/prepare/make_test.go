//go:build linux

package prepare

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

var connecting sync.Mutex

type engine struct {
	docker.Engine
	own *enginetest.Engine
}

func start(t *testing.T) engine {
	t.Helper()
	t.Parallel()
	return connected(t, enginetest.Start(t))
}

func connected(t *testing.T, e *enginetest.Engine) engine {
	t.Helper()
	connecting.Lock()
	defer connecting.Unlock()
	if err := os.Setenv("DOCKER_HOST", e.Host); err != nil { //nolint:usetesting // the same for all tests of the package, which run in parallel
		t.Fatal(err)
	}
	eng, err := docker.Connect()
	testkit.OK(t, err)
	t.Cleanup(func() { _ = eng.Close() })
	return engine{eng, e}
}

// withWheels returns an image without conda whose pip finds wheels in a folder, and whose user is not root.
func (e engine) withWheels(t *testing.T) string {
	t.Helper()
	const name = "amlfix-test/wheels:1"
	e.own.Derive(t, name, e.own.Python(t), map[string]string{"/wheels/amlfixtest-1.0-py3-none-any.whl": wheel(t), "/usr/lib/python3/dist-packages/preinstalled.py": ""},
		"ENV PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels", "USER 1234")
	return name
}

// making collects the output of making an environment.
type making struct {
	mu       sync.Mutex
	out      bytes.Buffer
	said     []string
	contains string // calls found once this has been written
	found    func()
}

func (m *making) Write(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.out.Write(p)
	if m.found != nil && strings.Contains(m.out.String(), m.contains) {
		m.found()
		m.found = nil
	}
	return n, err
}

func (m *making) sink(e progress.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !e.Transfer() && e.Text != "" {
		m.said = append(m.said, e.Text)
	}
}

func (m *making) make(ctx context.Context, e engine, spec Spec) (Env, error) {
	return Make(ctx, e, spec, process.Streams{Stdout: m, Stderr: m}, process.Control{}, m.sink)
}

func (e engine) nothingLeft(t *testing.T, spec Spec) {
	t.Helper()
	base, err := e.Image(t.Context(), spec.Image)
	testkit.OK(t, err)
	name := docker.EnvironmentName(spec.Recipe.Key(base.ID))
	for _, name := range []string{name, name + "-tools-probe"} {
		if state, err := e.State(t.Context(), name); !docker.Is(err, docker.ContainerGone) {
			t.Errorf("container %s was left behind: %+v, %v", name, state, err)
		}
	}
}

// in runs a program in an image as a job would.
func (e engine) in(t *testing.T, image string, argv ...string) string {
	t.Helper()
	var out bytes.Buffer
	spec := docker.Spec{RunID: "check-" + strings.ReplaceAll(t.Name(), "/", "-"), Image: image, Argv: argv}
	r, err := docker.Run(t.Context(), e, spec, process.Streams{Stdout: &out, Stderr: &out}.Shared(), process.Control{}, nil)
	if err != nil || r.Code != 0 {
		t.Fatalf("%v: %+v, %v\n%s", argv, r, err, out.String())
	}
	return out.String()
}

func conda(text string) Spec {
	return Spec{File: "conda.yml", Recipe: Recipe{Text: []byte(text), Python: "python=3.5.2", Conda: []string{"numpy"}}}
}

func TestMakeWithConda(t *testing.T) {
	e := start(t)
	spec := conda("dependencies: [python=3.5.2, numpy]\n# with conda\n")
	spec.Image = e.own.Conda(t)
	if _, ok, err := Find(t.Context(), e, spec); ok || err != nil {
		t.Fatalf("it is there before it is made: %v", err)
	}
	var m making
	env, err := m.make(t.Context(), e, spec)
	if err != nil || !env.Made || env.Way != ByConda || env.ID == "" || !strings.HasPrefix(env.Image, "amlfix/env:") {
		t.Fatalf("%+v, %v\n%s", env, err, m.out.String())
	}
	testkit.Same(t, enginetest.StandInMark+" conda env create -p /opt/amlfix/env -f /opt/amlfix/conda_dependencies.yml\n", m.out.String())
	if len(m.said) != 2 || m.said[0] != "building the environment of conda.yml on image "+spec.Image+" with conda, which can take many minutes" || !strings.HasSuffix(m.said[1], "it is kept as image "+env.Image) {
		t.Errorf("said %q", m.said)
	}
	got := e.in(t, env.Image, "python", "-c", "import os, sys; print(sys.executable, os.environ['PATH'], os.environ['CONDA_PREFIX'], os.environ['A'], os.environ.get('PYTHONUNBUFFERED'), open('/opt/amlfix/conda_dependencies.yml').read())")
	testkit.Same(t, "/opt/amlfix/env/bin/python /opt/amlfix/env/bin:/bin:/usr/bin /opt/amlfix/env b None "+string(spec.Recipe.Text)+"\n", strings.Replace(got, " 1 ", " None ", 1))
	img, err := e.Image(t.Context(), env.Image)
	if err != nil || img.Labels[Label] != spec.Recipe.Key(env.Base) || img.Labels[docker.Label] != "" || img.User != "" || img.Dir != "/" {
		t.Errorf("%+v, %v", img, err)
	}
	testkit.Same(t, []string{"/bin/sh"}, img.Entrypoint)

	var again making
	same, err := again.make(t.Context(), e, spec)
	if err != nil || same.Made || same.ID != env.ID || same.Way != ByConda || again.out.Len() > 0 || len(again.said) > 0 {
		t.Errorf("it was made again: %+v, %v, %q", same, err, again.said)
	}
	changed := spec
	changed.Recipe.Text = append(slices.Clone(spec.Recipe.Text), '#')
	if _, ok, err := Find(t.Context(), e, changed); ok || err != nil {
		t.Errorf("a changed file has the same environment: %v", err)
	}
	other := spec
	other.Image = "amlfix-test/conda:2"
	e.own.Derive(t, other.Image, spec.Image, nil, "ENV A=c")
	if _, ok, err := Find(t.Context(), e, other); ok || err != nil {
		t.Errorf("another image has the same environment: %v", err)
	}
	e.nothingLeft(t, spec)
}

// TestBaseIsGone checks that an environment is still used when its base image no longer exists, until another image has
// that name.
func TestBaseIsGone(t *testing.T) {
	e := start(t)
	spec := conda("dependencies: [python=3.5.2, gone]\n")
	spec.Image = "amlfix-test/gone:1"
	e.own.Derive(t, spec.Image, e.own.Conda(t), nil, "ENV A=c")
	var first, m making
	made, err := first.make(t.Context(), e, spec)
	if err != nil {
		t.Fatalf("%v\n%s", err, first.out.String())
	}
	e.own.RemoveImage(t, spec.Image)
	env, err := m.make(t.Context(), e, spec)
	if err != nil || env.Image != made.Image || env.ID != made.ID || env.Base != made.Base || env.Way != ByConda || env.Made || !env.Alone || m.out.Len() > 0 {
		t.Errorf("%+v, %v\n%s", env, err, m.out.String())
	}
	if want := []string{"image amlfix-test/gone:1 is no longer on the engine: the environment that was built on it is used (" + made.Image + ")"}; !slices.Equal(m.said, want) {
		t.Errorf("said %q", m.said)
	}
	testkit.Same(t, "c\n", e.in(t, env.Image, "python", "-c", "import os; print(os.environ['A'])"))
	changed := spec
	changed.Recipe.Text = append(slices.Clone(spec.Recipe.Text), '#')
	if _, ok, err := Find(t.Context(), e, changed); ok || !docker.Is(err, docker.ImageNotFound) {
		t.Errorf("a changed file has the same environment: %v", err)
	}
	e.own.Derive(t, spec.Image, e.own.Conda(t), nil, "ENV A=d")
	if _, ok, err := Find(t.Context(), e, spec); ok || err != nil {
		t.Errorf("another image of that name has the same environment: %v", err)
	}
}

func TestMakeFails(t *testing.T) {
	e := start(t)
	withConda, python, wheels := e.own.Conda(t), e.own.Python(t), e.withWheels(t)
	bare, old := e.own.Job(t), "amlfix-test/old:1"
	offline := "amlfix-test/offline:1"
	e.own.Derive(t, offline, python, nil, "ENV PIP_RETRIES=1")
	e.own.Derive(t, old, python, map[string]string{"/usr/lib/python3.11/venv/__init__.py": "raise ImportError\n"})
	pip := Recipe{Text: []byte("x"), Pip: []string{"nosuch==1.0"}}
	for _, tt := range []struct {
		name, image string
		recipe      Recipe
		out, err    string
	}{
		{"conda", withConda, conda("nosuch").Recipe, "ResolvePackageNotFound: \n  - nosuch=1.0\n",
			"c.yml:3: the environment cannot be built on image amlfix-test/conda:1: conda ended with exit code 1; see its output above: correct the packages"},
		{"pip", wheels, pip, "No matching distribution found for nosuch==1.0", "venv or pip ended with exit code 1; see its output above: correct the packages under pip"},
		{"offline", offline, Recipe{Text: []byte("z"), Pip: []string{"--index-url http://127.0.0.1:1/simple", "nosuch==1.0"}}, "Connection refused",
			"venv or pip ended with exit code 1, because it cannot reach the package index; see its output above: check the network and DNS of containers"},
		{"conda packages without conda", python, Recipe{Text: []byte("y"), Conda: []string{"a", "b=1", "c", "d", "e"}}, "", "it has Python 3.11.2 but no conda, so a, b=1, c and 2 more conda packages cannot be installed"},
		{"neither", bare, pip, "", "it has neither conda nor Python: use an image with conda"},
		{"no venv", old, pip, "", "its Python 3.11.2 has no module venv, and there is no conda"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var m making
			spec := Spec{Image: tt.image, Recipe: tt.recipe, File: "c.yml:3"}
			_, err := m.make(t.Context(), e, spec)
			if _, ok := errors.AsType[*Error](err); !ok || !strings.Contains(err.Error(), tt.err) || !strings.Contains(m.out.String(), tt.out) {
				t.Errorf("%v\n%s", err, m.out.String())
			}
			if _, ok, err := Find(t.Context(), e, spec); ok || err != nil {
				t.Errorf("an image was left behind: %v", err)
			}
			e.nothingLeft(t, spec)
		})
	}
}

// TestMakeIsCancelled checks that the tool's output is live, and that what it prints about being stopped is omitted.
func TestMakeIsCancelled(t *testing.T) {
	e := start(t)
	spec := conda("slow")
	spec.Image = e.own.Conda(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	why := &process.Signalled{Signal: os.Interrupt}
	m := making{contains: "Solving environment: ...", found: func() { cancel(why) }}
	_, err := m.make(ctx, e, spec)
	var stopped *StoppedError
	if !errors.Is(err, why) || !errors.As(err, &stopped) || stopped.Stopped() != "the environment of "+spec.File+" was being built, and nothing is left of it" {
		t.Errorf("%v", err)
	}
	if _, said, _ := strings.Cut(m.out.String(), "\n"); said != "Solving environment: ...\n" { // the first line is the stand-in's
		t.Errorf("%q", said)
	}
	if _, ok, err := Find(t.Context(), e, spec); ok || err != nil {
		t.Errorf("an image was left behind: %v", err)
	}
	e.nothingLeft(t, spec)
}

// TestSecretsAreHidden checks that a signature in the conda file reaches the tool and nothing else.
func TestSecretsAreHidden(t *testing.T) {
	e := start(t)
	const signature = "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE%3D"
	address := "https://x.blob.core.windows.net/w/cntk-2.1-cp35-cp35m-linux_x86_64.whl?sv=2017-04-17&sr=c&sig=" + signature
	spec := Spec{Image: e.own.Conda(t), File: "c.yml", Recipe: Recipe{Text: []byte("dependencies:\n- pip:\n  - " + address + "\n# show\n"), Conda: []string{"a"}, Pip: []string{address}}}
	var m making
	env, err := m.make(t.Context(), e, spec)
	if err != nil || !strings.Contains(m.out.String(), "sig=***") || strings.Contains(m.out.String(), signature) {
		t.Fatalf("%v\n%s", err, m.out.String())
	}
	if got := e.in(t, env.Image, "sh", "-c", "cat /opt/amlfix/*.*"); strings.Contains(got, signature) || strings.Count(got, "sig=***") != 2 {
		t.Errorf("%s", got)
	}
}

// TestLeftovers checks that the remains of a killed amlfix are removed, and that another amlfix's work is left alone.
func TestLeftovers(t *testing.T) {
	e := start(t)
	spec := conda("dependencies: [leftovers]\n")
	spec.Image = e.own.Conda(t)
	base, err := e.Image(t.Context(), spec.Image)
	testkit.OK(t, err)
	id := "env-" + spec.Recipe.Key(base.ID)
	made, err := e.Create(t.Context(), docker.Container{Name: docker.ContainerName(id), RunID: id, Label: Label, Image: spec.Image, Argv: []string{"sleep", "600"}})
	testkit.OK(t, err)
	testkit.OK(t, e.Start(t.Context(), made))
	var m making
	if _, err := m.make(t.Context(), e, spec); err == nil || !strings.HasSuffix(err.Error(), ": container amlfix-"+id+" is building it, for another amlfix process or one that was killed: wait until it has ended, or remove it with `docker rm -f amlfix-"+id+"`") {
		t.Errorf("%v", err)
	}
	testkit.OK(t, e.Kill(t.Context(), made))
	<-e.Wait(t.Context(), made, false)
	if env, err := m.make(t.Context(), e, spec); err != nil || !env.Made {
		t.Errorf("%+v, %v", env, err)
	}
	e.nothingLeft(t, spec)
}

// TestFullDisk checks that packages that do not fit on the engine's disk leave nothing there and are reported as the
// reason, and that smaller ones can then be installed.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	e := connected(t, enginetest.StartSmall(t, 192<<20))
	spec := conda("dependencies: [enormous]\n")
	spec.Image = e.own.Conda(t)
	var m making
	_, err := m.make(t.Context(), e, spec)
	if err == nil || !strings.Contains(m.out.String(), "No space left on device") || !strings.HasSuffix(err.Error(), ": its packages do not fit on the disk of the Docker engine: free some of it with `docker system prune -a`, or give it a larger one") {
		t.Errorf("%v\n%s", err, m.out.String())
	}
	e.nothingLeft(t, spec)
	small := conda("dependencies: [tiny]\n")
	small.Image = spec.Image
	if env, err := m.make(t.Context(), e, small); err != nil || !env.Made {
		t.Errorf("%+v, %v", env, err)
	}
}

// TestMakeWithVenv has the real pip install a real wheel from a folder of the image, which has a user other than root.
func TestMakeWithVenv(t *testing.T) {
	e := start(t)
	spec := Spec{Image: e.withWheels(t), File: "conda.yml",
		Recipe: Recipe{Text: []byte("dependencies: [python=3.6, {pip: [amlfixtest]}]\n"), Python: "python=3.6", Pip: []string{"amlfixtest==1.0"}}}
	var m making
	env, err := m.make(t.Context(), e, spec)
	if err != nil || env.Way != ByVenv || !strings.Contains(m.out.String(), "Successfully installed amlfixtest-1.0") {
		t.Fatalf("%+v, %v\n%s", env, err, m.out.String())
	}
	if want := "conda.yml: image amlfix-test/wheels:1 has no conda: python=3.6 is not installed, the job runs on the image's Python 3.11.2"; len(m.said) != 3 || m.said[0] != want {
		t.Errorf("said %q", m.said)
	}
	got := e.in(t, env.Image, "python", "-c", "import amlfixtest, preinstalled, os, sys; print(sys.prefix, amlfixtest.word, os.getuid())")
	if got != "/opt/amlfix/env installed 1234\n" {
		t.Errorf("%s", got)
	}
	e.nothingLeft(t, spec)
	found, ok, err := Find(t.Context(), e, spec)
	if err != nil || !ok || !found.Python() || !found.Plain || !env.Plain {
		t.Errorf("made %+v, found %+v, %v", env, found, err)
	}
}

// TestNotPlain checks that an environment based on an image in which docker.WorkDir exists is not Plain.
func TestNotPlain(t *testing.T) {
	e := start(t)
	spec := Spec{Image: "amlfix-test/worked:1", File: "conda.yml", Recipe: Recipe{Text: []byte("dependencies: [python]\n"), Python: "python"}}
	e.own.Derive(t, spec.Image, e.own.Conda(t), map[string]string{docker.WorkDir + "/outputs/old": ""}, "LABEL "+plainLabel+"=true")
	env, err := new(making).make(t.Context(), e, spec)
	testkit.OK(t, err)
	found, ok, err := Find(t.Context(), e, spec)
	if err != nil || !ok || env.Plain || found.Plain {
		t.Errorf("made %+v, found %+v, %v", env, found, err)
	}
}

// TestFilesGoAlong has the real pip read requirements files, a wheel and a package of the project, which pip items name
// by path; a stand-in for conda shows that it is called with them present. The secrets in the files are in no image.
func TestFilesGoAlong(t *testing.T) {
	e := start(t)
	const signature = "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE%3D"
	const items = "  - -r ../requirements.txt\n  - -c limits.txt\n  - ../wheels/amlfixtest-1.0-py3-none-any.whl\n"
	more := map[string]string{"requirements.txt": "# https://x.blob.core.windows.net/w/a.whl?sv=2017-04-17&sr=c&sig=" + signature + "\n-r aml_config/more.txt\n", "aml_config/more.txt": "./local\n",
		"aml_config/limits.txt": "amlfixlocal<3\n", "aml_config/local/setup.py": "from setuptools import setup\nsetup(name='amlfixlocal', version='2.0', py_modules=['amlfixlocal'])\n",
		"aml_config/local/amlfixlocal.py": "word = 'local'\n", "wheels/amlfixtest-1.0-py3-none-any.whl": wheel(t)}
	spec := func(image, items string) Spec {
		job := load(t, jobWith(items, more))
		r := NewRecipe(job.Environment)
		if _, err := r.Gather(job.Environment, filepath.Dir(filepath.Dir(job.File.Path))); err != nil {
			t.Fatal(err)
		}
		return Spec{Image: image, Recipe: r, File: "aml_config/conda_dependencies.yml"}
	}
	const local = "amlfix-test/nonet:1"
	e.own.Derive(t, local, e.own.Python(t), nil, "ENV PIP_NO_INDEX=1 PIP_NO_BUILD_ISOLATION=0")
	t.Run("pip", func(t *testing.T) {
		var m making
		s := spec(local, items)
		env, err := m.make(t.Context(), e, s)
		if err != nil || strings.Contains(m.out.String(), signature) {
			t.Fatalf("%v\n%s", err, m.out.String())
		}
		testkit.Same(t, "installed local\n", e.in(t, env.Image, "python", "-c", "import amlfixtest, amlfixlocal; print(amlfixtest.word, amlfixlocal.word)"))
		if got := e.in(t, env.Image, "sh", "-c", "cat /opt/amlfix/src/requirements.txt"); strings.Contains(got, signature) || !strings.Contains(got, "sig=***") {
			t.Errorf("%q", got)
		}
		e.nothingLeft(t, s)
	})
	t.Run("conda", func(t *testing.T) {
		var m making
		if _, err := m.make(t.Context(), e, spec(e.own.Conda(t), "  - -r ../requirements.txt\n  - -c limits.txt\n# list\n")); err != nil {
			t.Fatalf("%v\n%s", err, m.out.String())
		}
		for _, want := range []string{" conda env create -p /opt/amlfix/env -f /opt/amlfix/src/aml_config/.amlfix-conda_dependencies.yml\n", "\n/opt/amlfix/src/aml_config\n",
			"\nlimits.txt:\namlfixlocal<3\n", "\nlocal/amlfixlocal.py:\nword = 'local'\n", "\nmore.txt:\n./local\n", "../requirements.txt:\n"} {
			testkit.Has(t, m.out.String(), want)
		}
	})
	t.Run("changed", func(t *testing.T) {
		s := spec(local, items+"  - six\n")
		testkit.OK(t, os.WriteFile(filepath.Join(s.Recipe.Root, "wheels/amlfixtest-1.0-py3-none-any.whl"), []byte("short"), 0o600))
		if _, err := new(making).make(t.Context(), e, s); !errors.Is(err, errChanged) || !strings.Contains(err.Error(), "wheels/amlfixtest-1.0-py3-none-any.whl: it was changed") {
			t.Errorf("%v", err)
		}
		e.nothingLeft(t, s)
	})
}

// TestInstallersHide installs a wheel by an address with a signature: it is in no file of the image, although pip and
// conda note where they have found a package. A stand-in writes such notes where the real conda does.
func TestInstallersHide(t *testing.T) {
	e := start(t)
	const signature = "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE%3D"
	const notes = "amlfix-test/notes:1"
	e.own.Derive(t, notes, e.own.Python(t), map[string]string{"/opt/miniconda3/bin/conda": `#!/bin/sh
for f in "$4/conda-meta/history" "$4/conda-meta/x.json" "$4/src/x/.git/config" /opt/miniconda3/pkgs/urls.txt /opt/miniconda3/pkgs/x/info/repodata_record.json \
  /opt/miniconda3/pkgs/cache/x.json ~/.cache/pip/wheels/x/origin.json ~/.conda/urls.txt; do
  mkdir -p "${f%/*}" && cat "$6" "$6" >"$f"
done
`}, "ENV PATH=/bin:/usr/bin")
	job := load(t, jobWith("  - file:///wheels/amlfixtest-1.0-py3-none-any.whl?sv=2017-04-17&sr=c&sig="+signature+"\n", nil))
	for _, image := range []string{e.withWheels(t), notes} {
		spec := Spec{Image: image, Recipe: NewRecipe(job.Environment), File: "aml_config/conda_dependencies.yml"}
		env, err := new(making).make(t.Context(), e, spec)
		testkit.OK(t, err)
		testkit.Same(t, map[bool]string{true: "0 10\n", false: "0 3\n"}[image == notes], e.in(t, env.Image, "/usr/bin/python3", "-c", searchText, signature, "sig=***"), image)
		if image != notes {
			testkit.Same(t, "installed\n", e.in(t, env.Image, "python", "-c", "import amlfixtest; print(amlfixtest.word)"))
		}
	}
}

// searchText is a Python program that counts the files of an image, besides the system's, that contain each of its
// arguments.
const searchText = `import os, sys
texts = []
for top in ("/opt", "/root", "/tmp", "/etc", "/azureml-run", "/.cache", "/.conda"):
  for d, _, files in os.walk(top):
    texts += [open(p, "rb").read() for p in [os.path.join(d, f) for f in files] if os.path.isfile(p)]
print(*[sum(arg.encode() in text for text in texts) for arg in sys.argv[1:]])
`

// wheel creates a distribution with one module.
func wheel(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range [][2]string{
		{"amlfixtest.py", "word = 'installed'\n"},
		{"amlfixtest-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: amlfixtest\nVersion: 1.0\n"},
		{"amlfixtest-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"},
		{"amlfixtest-1.0.dist-info/RECORD", "amlfixtest.py,,\namlfixtest-1.0.dist-info/METADATA,,\namlfixtest-1.0.dist-info/WHEEL,,\namlfixtest-1.0.dist-info/RECORD,,\n"},
	} {
		w, err := z.Create(f[0])
		testkit.OK(t, err)
		if _, err := w.Write([]byte(f[1])); err != nil {
			t.Fatal(err)
		}
	}
	testkit.OK(t, z.Close())
	return b.String()
}
