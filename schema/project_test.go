package schema_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// load returns the only project of an archive.
func load(t *testing.T, archive string, gpu ...string) *schema.Project {
	t.Helper()
	roots, err := schema.Discover([]string{testkit.Folder(t, archive)})
	if err != nil || len(roots) != 1 {
		t.Fatalf("roots %v, error %v", roots, err)
	}
	return schema.Load(roots[0], schema.Options{GPU: gpu})
}

const tree = `
-- aml_config/docker.compute --
type: localdocker
-- aml_config/notes.txt --
not ours
-- Code/aml_config/docker.runconfig --
Target: docker
-- deep/er/.azureml/sdk.runconfig --
script: a.py
-- deep/er/.azureml/config.json --
{}
-- deep/er/.azureml/local --
script: a.py
target: local
framework: Python
-- deep/er/.azureml/Dockerfile --
FROM ubuntu
-- models/x/config/train.runconfig --
script: train.py
-- .git/aml_config/a.compute --
type: local
-- node_modules/x/aml_config/a.compute --
type: local
-- env/pyvenv.cfg --
-- env/aml_config/a.compute --
type: local
-- environment/aml_config/b.compute --
type: local
-- empty/aml_config/readme.md --
nothing
-- scoring/conda_dependencies.yml --
dependencies: []
`

func TestDiscover(t *testing.T) {
	dir := testkit.Folder(t, tree)
	outside := testkit.Folder(t, "-- aml_config/a.compute --\ntype: local\n")
	link(t, filepath.Join(outside, "aml_config"), filepath.Join(dir, "linked", "aml_config"))
	link(t, filepath.Join(dir, "Code", "aml_config"), filepath.Join(dir, "inner", "aml_config"))
	link(t, filepath.Join(outside, "aml_config", "a.compute"), filepath.Join(dir, "aml_config", "out.compute"))

	link(t, filepath.Join(dir, "nowhere"), filepath.Join(dir, "Code", "aml_config", "gone.compute"))

	for name, test := range map[string]struct {
		paths []string
		want  map[string][]string
	}{
		"the whole tree": {[]string{"."}, map[string][]string{
			".":           {"aml_config/docker.compute", "models/x/config/train.runconfig"},
			"Code":        {"Code/aml_config/docker.runconfig", "Code/aml_config/gone.compute"},
			"deep/er":     {"deep/er/.azureml/local", "deep/er/.azureml/sdk.runconfig"},
			"environment": {"environment/aml_config/b.compute"},
			"inner":       {"Code/aml_config/docker.runconfig", "Code/aml_config/gone.compute"},
		}},
		"a configuration folder": {[]string{"Code/aml_config"}, map[string][]string{"Code": {"Code/aml_config/docker.runconfig", "Code/aml_config/gone.compute"}}},
		"a file in it":           {[]string{"Code/aml_config/docker.runconfig"}, map[string][]string{"Code": {"Code/aml_config/docker.runconfig", "Code/aml_config/gone.compute"}}},
		"a file elsewhere": {[]string{"scoring/conda_dependencies.yml"}, map[string][]string{
			".": {"aml_config/docker.compute", "models/x/config/train.runconfig", "scoring/conda_dependencies.yml"}}},
		"the same twice": {[]string{"Code", "Code/aml_config"}, map[string][]string{"Code": {"Code/aml_config/docker.runconfig", "Code/aml_config/gone.compute"}}},
		"nothing there":  {[]string{"empty"}, map[string][]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(dir)
			roots, err := schema.Discover(test.paths)
			testkit.OK(t, err)
			got := map[string][]string{}
			for _, r := range roots {
				for _, f := range r.Files.All() {
					got[shown(t, dir, r.Dir)] = append(got[shown(t, dir, r.Dir)], shown(t, dir, f))
				}
			}
			testkit.Same(t, test.want, got)
		})
	}
}

// shown returns the slash-separated path from dir of an identity.
func shown(t *testing.T, dir, name string) string {
	t.Helper()
	rel, err := filepath.Rel(schema.Identity(dir), name)
	testkit.OK(t, err)
	return filepath.ToSlash(rel)
}

func TestDiscoverFromInside(t *testing.T) {
	dir := testkit.Folder(t, tree)
	t.Chdir(filepath.Join(dir, "Code", "aml_config"))
	roots, err := schema.Discover([]string{"."})
	if err != nil || len(roots) != 1 || shown(t, dir, roots[0].Dir) != "Code" {
		t.Errorf("got %v, %v; want the folder above", roots, err)
	}
}

func TestDiscoverMissingPath(t *testing.T) {
	dir := testkit.Folder(t, tree)
	roots, err := schema.Discover([]string{filepath.Join(dir, "nowhere"), filepath.Join(dir, "Code")})
	if err == nil || !strings.Contains(err.Error(), "nowhere: no such file or folder") || len(roots) != 1 {
		t.Errorf("got %v, %v; want an error that names the path, and the other project", roots, err)
	}
}

func link(t *testing.T, target, name string) {
	t.Helper()
	testkit.OK(t, os.MkdirAll(filepath.Dir(name), 0o755))
	testkit.OK(t, os.Symlink(target, name))
}

func TestKinds(t *testing.T) {
	archive, want := "", map[string]string{}
	for _, c := range []struct{ name, text, want string }{
		{"a.compute", "type: local\n", "compute target Workbench"},
		{"b.compute", "", "compute target Workbench"},
		{"a.runconfig", "Target: a\n", "run configuration Workbench"},
		{"b.runconfig", "{\"ArgumentVector\": [\"$file\"], \"CondaFile\": null}\n", "run configuration Workbench"},
		{"c.runconfig", "script: a.py\nframework: python\n", "run configuration SDK v1"},
		{"d.runconfig", "Script: a.py\nEnvironment: {}\nenvironment: {}\n", "run configuration SDK v1"},
		{"e.runconfig", "<<<<<<< x\nTarget: docker\n", "run configuration Workbench"},
		{"f.runconfig", "script: [\nenvironment:\n", "run configuration SDK v1"},
		{"g.runconfig", "", "run configuration "},
		{"h.runconfig", "Target: g\nx: &d\n  Framework: PySpark\n<<: *d\n", "run configuration Workbench"},
		{"i.runconfig", "defaults: &d {Framework: PySpark, Target: g}\n<<: *d\nArgumentVector: [$file]\n", "run configuration Workbench"},
		{"myspark_conda_dependencies.yml", "dependencies: [python]\n", "conda file "},
		{"odd.yaml", "name: x\ndependencies:\n- a\n", "conda file "},
		{"conda_dependencies.yml", "name: [\n", "conda file "},
		{"spark_dependencies.yml", "", "Spark file "},
		{"hdi.yml", "configuration: {}\npackages: []\n", "Spark file "},
		{"environment.yml", "environment:\n  python: {}\n", "file "},
		{"base_dependencies.yml", "base_docker_image: null\n", "file "},
		{"local", "script: a.py\ntarget: local\nframework: Python\n", "run configuration SDK v1"},
		{"docker", "script: a.py\ntarget: \"docker\nframework: Python\nnodeCount: 1\n", "run configuration SDK v1"},
	} {
		archive += fmt.Sprintf("-- aml_config/%s --\n%s", c.name, c.text)
		want[c.name] = c.want
	}
	got := map[string]string{}
	for _, f := range load(t, archive).Files {
		got[filepath.Base(f.Rel)] = f.Kind.String() + " " + f.Dialect.String()
	}
	testkit.Same(t, want, got)
}

// TestJobs checks the one view of both dialects, defaults included.
func TestJobs(t *testing.T) {
	p := load(t, `
-- aml_config/conda_dependencies.yml --
dependencies: [python=3.5.2, pip: [keras]]
-- aml_config/spark_dependencies.yml --
packages: []
-- envs/gpu.yml --
dependencies: [tensorflow-gpu]
-- aml_config/vm.compute --
type: remotedocker
baseDockerImage: "microsoft/mmlspark:plus-gpu-0.9.9 "
nvidiaDocker: yes
sharedVolumes: True
-- aml_config/old.compute --
address: a
username: b
cluster: False
native: False
-- aml_config/a-defaults.runconfig --
Target: vm
ArgumentVector: [train.py, --epochs, 3]
EnvironmentVariables: {A: b}
CondaDependenciesFile:
-- aml_config/b-explicit.runconfig --
Target: vm
Framework: Python
CondaDependenciesFile: envs/gpu.yml
TrackedRun: false
-- aml_config/c-gone.runconfig --
Target: nowhere
CondaDependenciesFile: gone.yml
-- aml_config/d-json.runconfig --
{"ArgumentVector": ["$file"], "Target": "old", "CondaFile": null, "ManagedEnvironment": true}
-- aml_config/e-sdk.runconfig --
script: train.py
arguments: [--x]
target: local
environment:
  python: {conda_dependencies_file: conda_dependencies.yml, userManagedDependencies: false}
  docker: {enabled: "false", baseImage: mcr.microsoft.com/azureml/base-gpu:0.2.0, gpuSupport: true, shmSize: 2g}
-- aml_config/g-merged.runconfig --
more: &more {A: x, D: d}
base: &base {A: a, B: b, <<: *more}
script: a.py
target: cluster
environmentVariables: {<<: [*base, {C: c}, *base], B: own}
environment: {name: e}
-- aml_config/f-inline.runconfig --
{"script": "a.py", "target": "cluster", "environment": {"python": {"condaDependencies": {"dependencies": ["numpy"]}}}, "amlcompute": {"vmSize": "STANDARD_NC6"}}
`)
	type view struct {
		Target, Type, Image, Framework, Script, Conda, Spark string
		Arguments, Packages, Variables                       []string
		GPU, Container, Provisions, Tracked                  bool
	}
	got := map[string]view{}
	for _, j := range p.Jobs {
		v := view{Target: j.TargetName.Text, Framework: j.Framework.Text, Script: j.Script.Text, Tracked: j.TrackedRun.Bool,
			Conda: j.CondaPath.Text, GPU: j.Target.GPU(), Container: j.Target.Container(), Provisions: j.UsesConda()}
		if j.Target != nil {
			v.Type, v.Image = j.Target.Type.Text, j.Target.Image.Text
		}
		if j.Spark != nil {
			v.Spark = j.Spark.Rel
		}
		for _, a := range j.Arguments {
			v.Arguments = append(v.Arguments, a.Text)
		}
		for _, e := range j.Variables {
			v.Variables = append(v.Variables, e.Name+"="+e.Value.Text)
		}
		if j.Environment != nil {
			for _, pkg := range j.Environment.Packages {
				v.Packages = append(v.Packages, pkg.Manager.String()+" "+pkg.Requirement.Name)
			}
		}
		got[j.Name] = v
	}
	const image = "microsoft/mmlspark:plus-gpu-0.9.9 "
	want := map[string]view{
		"a-defaults": {Target: "vm", Type: "remotedocker", Image: image, Framework: "PySpark", Script: "train.py", Tracked: true,
			Conda: "aml_config/conda_dependencies.yml", Spark: "aml_config/spark_dependencies.yml", Arguments: []string{"--epochs", "3"},
			Packages: []string{"conda python", "pip keras"}, Variables: []string{"A=b"}, GPU: true, Container: true, Provisions: true},
		"b-explicit": {Target: "vm", Type: "remotedocker", Image: image, Framework: "Python", Conda: "envs/gpu.yml",
			Spark: "aml_config/spark_dependencies.yml", Packages: []string{"conda tensorflow-gpu"}, GPU: true, Container: true, Provisions: true},
		"c-gone": {Target: "nowhere", Framework: "PySpark", Conda: "gone.yml", Spark: "aml_config/spark_dependencies.yml", Tracked: true},
		"d-json": {Target: "old", Type: "virtualmachine", Framework: "PySpark", Script: "$file", Conda: "aml_config/conda_dependencies.yml",
			Spark: "aml_config/spark_dependencies.yml", Packages: []string{"conda python", "pip keras"}, Container: true, Provisions: true, Tracked: true},
		"e-sdk": {Target: "local", Type: "localdocker", Image: "mcr.microsoft.com/azureml/base-gpu:0.2.0", Framework: "Python", Script: "train.py",
			Conda: "conda_dependencies.yml", Arguments: []string{"--x"}, Packages: []string{"conda python", "pip keras"}, GPU: true, Container: true, Provisions: true, Tracked: true},
		"g-merged": {Target: "cluster", Type: "managed", Framework: "Python", Script: "a.py", Conda: "aml_config/conda_dependencies.yml",
			Packages: []string{"conda python", "pip keras"}, Variables: []string{"B=own", "A=a", "D=d", "C=c"}, Provisions: true, Tracked: true},
		"f-inline": {Target: "cluster", Type: "managed", Framework: "Python", Script: "a.py", Conda: "aml_config/conda_dependencies.yml",
			Packages: []string{"conda numpy"}, GPU: true, Provisions: true, Tracked: true},
	}
	testkit.Same(t, want, got)
}

// TestSDKTargets checks where SDK v1 jobs run, and how azureml-core reads the switch that decides it: bool() of what
// ruamel.yaml makes of the value, which was tried with azureml-core 1.60.0.
func TestSDKTargets(t *testing.T) {
	type view struct {
		Type                  string
		Container, Provisions bool
	}
	for text, want := range map[string]view{
		"target: local":                                                                  {"managed", false, true},
		"environment: {docker: {enabled: true}}":                                         {"localdocker", true, true},
		"target: local\ndocker: {useDocker: true}":                                       {"localdocker", true, true},
		"target: gpucluster":                                                             {"managed", false, true},
		"target: vm\nenvironment: {docker: {}}":                                          {"managed", false, true},
		"target: vm\ndocker: {use_docker: true}":                                         {"managed", true, true},
		"target: vm\nenvironment: {Docker: {Enabled: 1}}":                                {"managed", true, true},
		"target: vm\nenvironment: {docker: {enabled: true}}\ndocker: {useDocker: false}": {"managed", false, true},
		"target: vm\nenvironment: {python: {userManagedDependencies: true}, docker: {enabled: true}}":     {"managed", true, false},
		"target: local\nenvironment: {python: {userManagedDependencies: true}, docker: {enabled: false}}": {"local", false, false},
		"target: vm\nenvironment: {docker: {enabled: false}}":                                             {"managed", false, true},
		"target: vm\nenvironment: {docker: {enabled: \"false\"}}":                                         {"managed", true, true},
		"target: vm\nenvironment: {docker: {enabled: no}}":                                                {"managed", true, true},
		"target: vm\nenvironment: {docker: {enabled: yes}}":                                               {"managed", true, true},
		"target: vm\nenvironment: {docker: {enabled: \"\"}}":                                              {"managed", false, true},
		"target: vm\nenvironment: {docker: {enabled: 0}}":                                                 {"managed", false, true},
		"target: vm\nenvironment: {docker: {enabled: 0.0}}":                                               {"managed", false, true},
		"target: vm\nenvironment: {docker: {enabled: }}":                                                  {"managed", false, true},
		"target: vm\nenvironment: {docker: {enabled: [true]}}":                                            {"managed", false, true},
		"target: vm\nenvironment: .azureml/environment.yml":                                               {"managed", false, true},
	} {
		t.Run(text, func(t *testing.T) {
			target := load(t, "-- .azureml/a.runconfig --\nscript: a.py\n"+text+"\n").Jobs[0].Target
			got := view{target.Type.Text, target.Container(), target.Provisions()}
			testkit.Same(t, want, got)
		})
	}
}

// TestSDKPasswords checks where the secrets of a run configuration are seen.
func TestSDKPasswords(t *testing.T) {
	p := load(t, `
-- .azureml/a.runconfig --
script: a.py
history: {ambientAuthentication: {method: serviceprincipal, secret: two}}
environment: {docker: {baseImageRegistry: {username: u, password: one}}}
`)
	var got []string
	for _, f := range p.Jobs[0].Passwords {
		got = append(got, f.Text)
	}
	testkit.Same(t, []string{"one", "two"}, got)
}

func TestHost(t *testing.T) {
	root := schema.Root{Dir: t.TempDir()}
	p := schema.Load(root, schema.Options{Host: "windows"})
	if got := []string{p.Host(), p.With(nil).Host(), schema.Load(root, schema.Options{}).Host()}; !cmp.Equal(got, []string{"windows", "windows", runtime.GOOS}) {
		t.Errorf("hosts %v", got)
	}
}

// TestGPUEvidence checks what counts as evidence and, above all, what does not.
func TestGPUEvidence(t *testing.T) {
	for name, test := range map[string]struct {
		compute string
		gpu     []string
		want    []string
	}{
		"switch":              {"type: docker\nnvidiaDocker: true\n", nil, []string{"2:15"}},
		"switch off":          {"type: docker\nnvidiaDocker: false\n", nil, nil},
		"GPU image":           {"type: docker\nbaseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9\n", nil, []string{"2:18"}},
		"both":                {"type: docker\nnvidiaDocker: true\nbaseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9\n", nil, []string{"2:15", "3:18"}},
		"cuda in the tag":     {"type: docker\nbaseDockerImage: nvidia/cuda:8.0-cudnn6-devel-ubuntu16.04\n", nil, []string{"2:18"}},
		"gpu in a name":       {"type: docker\nbaseDockerImage: someone/mlgpu:1\n", nil, []string{"2:18"}},
		"doubled colon":       {"type: docker\nbaseDockerImage: microsoft/mmlspark::plus-gpu-0.9.9\n", nil, []string{"2:18"}},
		"CPU image":           {"type: docker\nbaseDockerImage: microsoft/mmlspark:plus-0.9.9\n", nil, nil},
		"unknown image":       {"type: docker\nbaseDockerImage: someone/ml\n", nil, nil},
		"words in a comment":  {"type: docker # nvidiaDocker: true, plus-gpu\n#nvidiaDocker: true\n", nil, nil},
		"on the user's word":  {"type: docker\n", []string{"gpuvm"}, []string{"1:7"}},
		"somebody else's":     {"type: docker\n", []string{"other"}, nil},
		"the target's name":   {"type: docker\n", nil, nil},
		"true as a text":      {"type: docker\nnvidiaDocker: \"true\"\n", nil, nil},
		"a switch of a list":  {"type: docker\nnvidiaDocker: [true]\n", nil, nil},
		"a null":              {"type: docker\nnvidiaDocker:\nbaseDockerImage:\n", nil, nil},
		"not a mapping":       {"- nvidiaDocker: true\n", nil, nil},
		"nothing in the file": {"", nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := load(t, "-- aml_config/gpuvm.compute --\n"+test.compute, test.gpu...)
			var got []string
			for _, e := range p.Targets[0].Evidence {
				at := e.Source.Position(e.Span.Start)
				got = append(got, fmt.Sprintf("%d:%d", at.Line, at.Column))
			}
			testkit.Same(t, test.want, got)
		})
	}
}

// TestAFileHasOnePath refers to a file by a way that leaves the project's folder and comes back.
func TestAFileHasOnePath(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "p")
	for name, text := range map[string]string{"a.runconfig": "Target: local\nCondaDependenciesFile: ../p/aml_config/c.yml\n", "c.yml": "dependencies: [python=3.5]\n"} {
		testkit.Write(t, dir, "aml_config/"+name, text)
	}
	roots, err := schema.Discover([]string{dir})
	if err != nil || len(roots) != 1 {
		t.Fatalf("%v, %v", roots, err)
	}
	p := schema.Load(roots[0], schema.Options{})
	for range 3 {
		var paths []string
		for _, f := range p.Files {
			paths = append(paths, f.Rel)
		}
		if d := cmp.Diff([]string{"aml_config/a.runconfig", "aml_config/c.yml"}, paths); d != "" {
			t.Fatal(d)
		}
		p = p.With(map[string][]byte{p.Files[1].Path: []byte("dependencies: [python=3.6]\n")})
	}
}

// TestWith checks that a changed project is linked again and the old one is not touched.
func TestWith(t *testing.T) {
	p := load(t, "-- aml_config/a.compute --\ntype: docker\n-- aml_config/a.runconfig --\nTarget: a\n")
	name := p.Targets[0].File.Path
	q := p.With(map[string][]byte{name: []byte("type: docker\nnvidiaDocker: true\n"),
		filepath.Join(p.Root, "aml_config", "conda_dependencies.yml"): []byte("dependencies: [x]\n")})
	if p.Targets[0].GPU() || !q.Targets[0].GPU() || q.Jobs[0].Environment == nil || p.Jobs[0].Environment != nil {
		t.Errorf("before: GPU %v, environment %v; after: GPU %v, environment %v", p.Targets[0].GPU(), p.Jobs[0].Environment, q.Targets[0].GPU(), q.Jobs[0].Environment)
	}
	if q.Jobs[0].Target != q.Targets[0] || q.Jobs[0] == p.Jobs[0] {
		t.Error("the changed project shares its jobs with the old one")
	}
}

func TestSparkSettings(t *testing.T) {
	p := load(t, `
-- aml_config/a.runconfig --
ArgumentVector: [a.py]
SparkDependenciesFile: aml_config/one.yml
-- aml_config/b.runconfig --
ArgumentVector: [a.py]
SparkDependenciesFile: aml_config/one.yml
-- aml_config/c.runconfig --
ArgumentVector: [a.py]
SparkDependenciesFile: aml_config/other.yml
-- aml_config/d.runconfig --
ArgumentVector: [a.py]
SparkDependenciesFile: aml_config/one.yml
-- aml_config/one.yml --
configuration: {one: 1}
packages: [{group: g, artifact: one, version: 1}]
-- aml_config/other.yml --
configuration: {other: 1}
`)
	var got []string
	for _, j := range p.RunConfigurations() {
		words := j.Name
		for _, v := range j.SparkSettings.Configuration {
			words += " " + v.Name
		}
		for _, pkg := range j.SparkSettings.Packages {
			words += " " + pkg.Coordinates()
		}
		got = append(got, words)
	}
	testkit.Same(t, []string{"a one g:one:1", "b one g:one:1", "c other", "d one g:one:1"}, got, "")
}

// TestFolderNames checks that what a job names is found in folders whose names are no usual ones, and that a path with
// backslashes is found as before.
func TestFolderNames(t *testing.T) {
	names := map[string]string{" a": "env/e.txt", "b c": `env\e.txt`}
	if runtime.GOOS != "windows" {
		names[`a\b`], names["c "] = "env/e.txt", "env/e.txt"
	}
	for name, conda := range names {
		root := testkit.Lay(t, map[string]string{
			name + "/job.yml":      "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: a\ncode: src\nenvironment:\n  image: a:1\n  conda_file: " + conda + "\n",
			name + "/env/e.txt":    "dependencies: [python=3.9]\n",
			name + "/src/train.py": "import pyspark\n",
		})
		roots, err := schema.Discover([]string{root})
		testkit.OK(t, err)
		p := schema.Load(roots[0], schema.Options{})
		if !p.Folder(name+"/src") || !p.Exists(name+"/src/train.py") || !p.Imports(name+"/src/train.py", "pyspark") || p.FileAt(name+"/env/e.txt") == nil || len(p.Environments) != 1 {
			t.Errorf("%q: what is in it is not found", name)
		}
	}
}
