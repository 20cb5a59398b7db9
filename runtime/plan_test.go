package runtime

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// files is a project, by slash-separated path.
type files map[string]string

// workbench is the project that most tests change a little.
func workbench() files {
	return files{
		"train.py": "print('hello')\n",
		"aml_config/local.compute": "type: local\n" +
			"pythonLocation: python\n" +
			"nativeSharedDirectory: ~/share\n",
		"aml_config/docker.compute": "type: localdocker\n" +
			"baseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9\n" +
			"nvidiaDocker: true\n" +
			"sharedVolumes: true\n" +
			"nativeSharedDirectory: ~/share\n",
		"aml_config/local.runconfig": "ArgumentVector:\n  - $file\n  - --epochs\n  - 3\nTarget: local\nFramework: Python\n" +
			"EnvironmentVariables:\n  MODE: fast lane\n  STORAGE_KEY: abc\nCondaDependenciesFile: aml_config/conda.yml\n",
		"aml_config/docker.runconfig": "Target: docker\nFramework: Python\nArgumentVector: [$file]\n",
		"aml_config/conda.yml":        "dependencies: []\n",
	}
}

const sparkFile = "packages:\n- group: com.microsoft.ml.spark\n  artifact: mmlspark_2.11\n  version: 0.7.91\nconfiguration:\n  spark.app.name: Azure ML Experiment\n"

// load writes files to a folder named digits and reads the job of the run configuration called name.
func load(t *testing.T, content files, name string, opts schema.Options) (*schema.Job, string) {
	t.Helper()
	root := filepath.Join(t.TempDir(), "digits")
	for path, text := range content {
		testkit.Write(t, root, path, text)
	}
	return jobOf(t, root, name, opts), root
}

// newPlan plans a job, and checks at the end of the test that the run's temporary folder is gone.
func newPlan(t *testing.T, job *schema.Job, opts Options) Plan {
	t.Helper()
	plan, err := NewPlan(job, opts)
	testkit.OK(t, err)
	t.Cleanup(func() {
		if _, err := os.Lstat(tempOf(plan)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the folder of the run was left behind: %v", err)
		}
	})
	return plan
}

// tempOf is the temporary folder of a run on this machine.
func tempOf(plan Plan) string {
	return filepath.Join(os.TempDir(), session.FolderName(plan.RunID))
}

// below returns a function that names files by their path relative to the project, prefixed with a folder.
func below(folder string) func(*schema.File) string {
	return func(f *schema.File) string { return folder + f.Rel }
}

// jobOf reads the job of the run configuration called name.
func jobOf(t *testing.T, root, name string, opts schema.Options) *schema.Job {
	t.Helper()
	roots, err := schema.Discover([]string{root})
	if err != nil || len(roots) != 1 {
		t.Fatalf("%v, %v", roots, err)
	}
	for _, job := range schema.Load(roots[0], opts).Jobs {
		if job.Name == name {
			return job
		}
	}
	t.Fatalf("no job %s", name)
	return nil
}

// home creates a folder with a python3 and no python, and returns it.
func home(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("USERPROFILE", dir)
	t.Setenv("PATH", dir)
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "python3"), []byte("#!/bin/sh\n"), 0o755))
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "spark-submit"), []byte("#!/bin/sh\n"), 0o755))
	return dir
}

func TestPlanIsShownWithOrigins(t *testing.T) {
	if filepath.Separator != '/' {
		t.Skip("the expected text has slashes")
	}
	dir := home(t)
	tests := []struct {
		name, job string
		opts      Options
		schema    schema.Options
		change    files
		want      string
	}{
		{name: "local", job: "local", opts: Options{Script: "train.py", Args: []string{"--sas", "?sv=1&sig=x", "--password=hunter2"}, Name: below("digits/"), Timeout: time.Hour}, want: `
target       local  (digits/aml_config/local.runconfig:5)
runs         local  (digits/aml_config/local.compute:1)
program      HOME/python3  (digits/aml_config/local.compute:2, there is no ` + "`python`" + ` on the PATH, so python3 is used)
argument     train.py  (digits/aml_config/local.runconfig:2, $file is the script of the command line)
argument     --epochs  (digits/aml_config/local.runconfig:3)
argument     3  (digits/aml_config/local.runconfig:4)
argument     --sas  (command line)
argument     ***  (command line)
argument     --password=***  (command line)
variable     MODE="fast lane"  (digits/aml_config/local.runconfig:8)
variable     STORAGE_KEY=***  (digits/aml_config/local.runconfig:9)
variable     PYTHONUNBUFFERED=1  (default: output is not buffered)
variable     AZUREML_NATIVE_SHARE_DIRECTORY=HOME/share/digits  (digits/aml_config/local.compute:3)
project      ROOT  (a copy of it is the working folder)
share        HOME/share/digits  (digits/aml_config/local.compute:3)
outputs      outputs/  (what the job writes there is copied back)
time limit   1h0m0s  (command line)
`},
		{name: "docker", job: "docker", opts: Options{Script: "train.py", Memory: 1 << 30}, want: `
target       docker  (aml_config/docker.runconfig:1)
runs         docker  (aml_config/docker.compute:1)
image        microsoft/mmlspark:plus-gpu-0.9.9  (aml_config/docker.compute:2)
gpus         all  (aml_config/docker.compute:3)
program      python  (the image's own: default)
argument     train.py  (aml_config/docker.runconfig:3, $file is the script of the command line)
variable     PYTHONUNBUFFERED=1  (default: output is not buffered)
variable     AZUREML_NATIVE_SHARE_DIRECTORY=/azureml-share/  (aml_config/docker.compute:5)
project      ROOT  (a copy of it is mounted at /azureml-run: sharedVolumes is true, aml_config/docker.compute:4)
share        HOME/share/digits as /azureml-share/  (aml_config/docker.compute:5)
outputs      outputs/  (what the job writes there is copied back)
memory       1.1 GB  (command line)
`},
		{name: "the template's contradiction; GPU on the user's word; PySpark by default", job: "docker", opts: Options{}, schema: schema.Options{GPU: []string{"docker"}},
			change: files{"aml_config/docker.compute": "type: localdocker\nbaseDockerImage: microsoft/mmlspark:plus-0.9.9\nsharedVolumes: false\nnativeSharedDirectory: ~/share\n",
				"aml_config/docker.runconfig": "Target: docker\nArgumentVector: [train.py]\n", "aml_config/spark_dependencies.yml": sparkFile}, want: `
target       docker  (aml_config/docker.runconfig:1)
runs         docker  (aml_config/docker.compute:1)
image        microsoft/mmlspark:plus-0.9.9  (aml_config/docker.compute:2)
gpus         all  (command line: --gpu docker)
program      spark-submit  (the image's own: default: Framework is PySpark, default)
spark        --packages  (aml_config/spark_dependencies.yml:2)
spark        com.microsoft.ml.spark:mmlspark_2.11:0.7.91  (aml_config/spark_dependencies.yml:2)
spark        --conf  (aml_config/spark_dependencies.yml:6)
spark        "spark.app.name=Azure ML Experiment"  (aml_config/spark_dependencies.yml:6)
argument     train.py  (aml_config/docker.runconfig:2)
variable     PYTHONUNBUFFERED=1  (default: output is not buffered)
project      ROOT  (copied into the container, to /azureml-run)
outputs      outputs/  (what the job writes there is copied back)
note         nativeSharedDirectory is not used: in a container it needs sharedVolumes: true  (aml_config/docker.compute:4)
`},
		{name: "remotedocker", job: "docker", opts: Options{Script: "train.py"}, change: files{"aml_config/docker.compute": "type: remotedocker\naddress: gpuvm.example.com:2222\nusername: azureuser\n" +
			"password: AzureMlSecret=gpuvm.example.com#azureuser#0123456789abcdef\nbaseDockerImage: a/b:1\nnvidiaDocker: true\nsharedVolumes: true\nnativeSharedDirectory: ~/share\n"}, want: `
target       docker  (aml_config/docker.runconfig:1)
runs         docker  (aml_config/docker.compute:1)
host         gpuvm.example.com:2222  (aml_config/docker.compute:2)
user         azureuser  (aml_config/docker.compute:3)
image        a/b:1  (aml_config/docker.compute:5)
gpus         all  (aml_config/docker.compute:6)
program      python  (the image's own: default)
argument     train.py  (aml_config/docker.runconfig:3, $file is the script of the command line)
variable     PYTHONUNBUFFERED=1  (default: output is not buffered)
variable     AZUREML_NATIVE_SHARE_DIRECTORY=/azureml-share/  (aml_config/docker.compute:8)
project      ROOT  (copied into the container, to /azureml-run)
share        ~/share/digits as /azureml-share/  (aml_config/docker.compute:8)
outputs      outputs/  (what the job writes there is copied back)
note         password is a reference into the credential store of Azure ML Workbench, which is gone, and cannot be used: log in with a key, ssh-agent or AMLFIX_SSH_PASSWORD  (aml_config/docker.compute:4)
`},
		{name: "cluster", job: "docker", opts: Options{Script: "train.py"}, change: files{"aml_config/docker.compute": "type: cluster\naddress: me-ssh.azurehdinsight.net\nusername: sshuser\npassword:\nnativeSharedDirectory: ~/.azureml/share/\n",
			"aml_config/spark_dependencies.yml": sparkFile + "  spark.hadoop.fs.azure.account.key.me: hunter2\n"}, want: `
target       docker  (aml_config/docker.runconfig:1)
runs         cluster  (aml_config/docker.compute:1)
host         me-ssh.azurehdinsight.net  (aml_config/docker.compute:2)
user         sshuser  (aml_config/docker.compute:3)
program      spark-submit  (default: looked for there)
spark        --master  (the target is a cluster)
spark        yarn  (the target is a cluster)
spark        --deploy-mode  (default)
spark        cluster  (default)
spark        --packages  (aml_config/spark_dependencies.yml:2)
spark        com.microsoft.ml.spark:mmlspark_2.11:0.7.91  (aml_config/spark_dependencies.yml:2)
spark        --conf  (aml_config/spark_dependencies.yml:6)
spark        "spark.app.name=Azure ML Experiment"  (aml_config/spark_dependencies.yml:6)
spark        --conf  (aml_config/spark_dependencies.yml:7)
spark        ***  (aml_config/spark_dependencies.yml:7)
spark        --conf  (default: a script that fails is not run again)
spark        spark.yarn.maxAppAttempts=1  (default: a script that fails is not run again)
argument     train.py  (aml_config/docker.runconfig:3, $file is the script of the command line)
variable     PYTHONUNBUFFERED=1  (default: output is not buffered)
project      ROOT  (sent to the nodes of the cluster; the working folders there look like it)
outputs      outputs/  (what the job writes there is copied back)
note         yarnDeployMode is cluster: the script runs on a node of the cluster; what it prints and its outputs/ come back when it has ended; write client to see its output while it runs  (default)
note         nativeSharedDirectory is not used: the script runs on a node of the cluster, and it is a folder of the head node; keep data in the cluster's file system  (aml_config/docker.compute:5)
`},
		{name: "PySpark, local", job: "local", opts: Options{Script: "train.py"}, change: files{"aml_config/local.compute": "type: local\n", "aml_config/local.runconfig": "Target: local\nFramework: PySpark\n"}, want: `
target       local  (aml_config/local.runconfig:1)
runs         local  (aml_config/local.compute:1)
program      HOME/spark-submit  (default: Framework is PySpark, aml_config/local.runconfig:2: found on PATH)
argument     train.py  (command line)
variable     PYTHONUNBUFFERED=1  (default: output is not buffered)
project      ROOT  (a copy of it is the working folder)
outputs      outputs/  (what the job writes there is copied back)
`},
		{name: "SDK v1", job: "v1", opts: Options{}, change: files{"aml_config/v1.runconfig": "script: train.py\narguments: [--api-key, abc]\ntarget: local\nframework: Python\nenvironment:\n" +
			"  docker:\n    enabled: true\n    baseImage: mcr.microsoft.com/azureml/base-gpu:1\n    gpuSupport: true\n    shmSize: 2g\n    arguments: [--ipc=host, -e, A_KEY=hunter2, --memory, 1g, --privileged, --shm-size=much, -v, \"/data:/data\"]\n" +
			"  python:\n    interpreterPath: python3\n    userManagedDependencies: true\n"}, want: `
target       local  (aml_config/v1.runconfig:3)
runs         docker  (default)
image        mcr.microsoft.com/azureml/base-gpu:1  (aml_config/v1.runconfig:8)
gpus         all  (aml_config/v1.runconfig:9)
program      python3  (aml_config/v1.runconfig:13)
argument     train.py  (aml_config/v1.runconfig:1)
argument     --api-key  (aml_config/v1.runconfig:2)
argument     ***  (aml_config/v1.runconfig:2)
variable     PYTHONUNBUFFERED=1  (default: output is not buffered)
variable     A_KEY=***  (aml_config/v1.runconfig:11)
project      ROOT  (copied into the container, to /azureml-run)
outputs      outputs/  (what the job writes there is copied back)
memory       1.1 GB  (aml_config/v1.runconfig:11)
/dev/shm     2.1 GB  (aml_config/v1.runconfig:10)
note         docker argument --ipc=host is not passed on: only -e, --env, --shm-size, -m, --memory, --cpus, --gpus all or a number, --runtime nvidia and --ipc private or shareable are  (aml_config/v1.runconfig:11)
note         docker argument --privileged is not passed on: only -e, --env, --shm-size, -m, --memory, --cpus, --gpus all or a number, --runtime nvidia and --ipc private or shareable are  (aml_config/v1.runconfig:11)
note         docker argument --shm-size=much is not passed on: only -e, --env, --shm-size, -m, --memory, --cpus, --gpus all or a number, --runtime nvidia and --ipc private or shareable are  (aml_config/v1.runconfig:11)
note         docker argument -v is not passed on: only -e, --env, --shm-size, -m, --memory, --cpus, --gpus all or a number, --runtime nvidia and --ipc private or shareable are  (aml_config/v1.runconfig:11)
note         docker argument /data:/data is not passed on: only -e, --env, --shm-size, -m, --memory, --cpus, --gpus all or a number, --runtime nvidia and --ipc private or shareable are  (aml_config/v1.runconfig:11)
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			content := workbench()
			maps.Copy(content, tt.change)
			job, root := load(t, content, tt.job, tt.schema)
			tt.opts.Project = root
			plan, err := NewPlan(job, tt.opts)
			testkit.OK(t, err)
			var b strings.Builder
			n, err := plan.WriteTo(&b)
			if err != nil || n != int64(b.Len()) {
				t.Errorf("WriteTo = %d, %v", n, err)
			}
			got := strings.NewReplacer(root, "ROOT", dir, "HOME").Replace(b.String())
			testkit.Same(t, strings.TrimPrefix(tt.want, "\n"), got)
			if plan.RunID.IsZero() || plan.Name != tt.job {
				t.Errorf("%+v", plan)
			}
		})
	}
}

func TestCommand(t *testing.T) {
	home(t)
	tests := []struct {
		name, vector, script string
		args, want           []string
		wantScript           string
	}{
		{name: "$file", vector: "[$file, -x]", script: "train.py", args: []string{"a"}, want: []string{"train.py", "-x", "a"}, wantScript: "train.py"},
		{name: "$file is not the first", vector: "[run.py, $file]", script: "train.py", want: []string{"run.py", "train.py"}, wantScript: "run.py"},
		{name: "named in the file", vector: "[train.py, -x]", args: []string{"a"}, want: []string{"train.py", "-x", "a"}, wantScript: "train.py"},
		{name: "the command line takes precedence", vector: "[other.py, -x]", script: "./train.py", args: []string{"a"}, want: []string{"train.py", "a"}, wantScript: "train.py"},
		{name: "not a flag of the interpreter", vector: "[$file]", script: "./-train.py", want: []string{"./-train.py"}, wantScript: "-train.py"},
		{name: "nor without a vector", vector: "[other.py]", script: "./-train.py", want: []string{"./-train.py"}, wantScript: "-train.py"},
		{name: "no vector", vector: "null", script: "train.py", want: []string{"train.py"}, wantScript: "train.py"},
		{name: "not there", vector: "null", script: "none.py", want: []string{"none.py"}, wantScript: "none.py"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			content := workbench()
			content["aml_config/local.runconfig"] = "Target: local\nFramework: Python\nArgumentVector: " + tt.vector + "\n"
			job, root := load(t, content, "local", schema.Options{})
			plan, err := NewPlan(job, Options{Project: root, Script: tt.script, Args: tt.args})
			testkit.OK(t, err)
			var got []string
			for _, a := range plan.Argv {
				got = append(got, a.Value)
			}
			if d := cmp.Diff(tt.want, got); d != "" || plan.Script.Value != tt.wantScript {
				t.Errorf("script %q\n%s", plan.Script.Value, d)
			}
		})
	}
}

func TestScriptMayBeNamedFromTheWorkingFolder(t *testing.T) {
	home(t)
	content := workbench()
	content["code/deep.py"] = ""
	job, root := load(t, content, "local", schema.Options{})
	t.Chdir(filepath.Join(root, "code"))
	for given, want := range map[string]string{"deep.py": "code/deep.py", "../train.py": "train.py", "train.py": "train.py", filepath.Join(root, "code", "deep.py"): "code/deep.py"} {
		plan, err := NewPlan(job, Options{Project: root, Script: given})
		if err != nil || plan.Script.Value != want || plan.Argv[0].Value != want {
			t.Errorf("%s: %q, %v", given, plan.Script.Value, err)
		}
	}
}

func TestNotPlanned(t *testing.T) {
	home(t)
	target := func(text string) files { return files{"aml_config/local.compute": text} }
	tests := []struct {
		name, job, want string
		change          files
		unsupported     bool
		usage           bool
	}{
		{name: "no script", job: "docker", usage: true, want: "run configuration docker has no script: give one on the command line, as in `amlfix run -c docker train.py`"},
		{name: "no target", job: "local", change: files{"aml_config/local.runconfig": "Target: gpuvm\n"},
			want: `aml_config/local.runconfig:1: there is no compute target "gpuvm": create gpuvm.compute next to the run configuration, or use another target in Target`},
		{name: "no image", job: "docker", change: files{"aml_config/docker.compute": "type: docker\n", "aml_config/docker.runconfig": "Target: docker\nArgumentVector: [train.py]\n"},
			want: "aml_config/docker.compute:1: the target has no image: add baseDockerImage, for example microsoft/mmlspark:plus-0.9.9"},
		{name: "no machine", job: "local", change: target("type: remotedocker\n"), want: "aml_config/local.compute:1: the target has no machine: add address with its IP address or full name"},
		{name: "a cluster without an address", job: "local", change: target("type: cluster\n"), want: "aml_config/local.compute:1: the target has no machine: add address with its IP address or full name"},
		{name: "an unknown deploy mode", job: "local", change: files{"aml_config/local.compute": "type: cluster\naddress: a\nyarnDeployMode: clutser\n", "aml_config/local.runconfig": "Target: local\nArgumentVector: [train.py]\n"},
			want: `aml_config/local.compute:3: yarnDeployMode "clutser" is unknown: write client or cluster`},
		{name: "no type", job: "local", change: target("pythonLocation: python\n"), unsupported: true,
			want: "target local is without a type: add a type to local.compute, for example localdocker"},
		{name: "odd type", job: "local", change: target("type: toaster\n"), unsupported: true,
			want: `aml_config/local.compute:1: target local is of the unknown type "toaster": give it the type local or localdocker`},
		{name: "SDK v1 in the cloud", job: "v1", unsupported: true, change: files{"aml_config/v1.runconfig": "script: train.py\ntarget: gpucluster\nframework: Python\nenvironment:\n  python:\n    interpreterPath: python\n"},
			want: "target gpucluster is a compute of the Azure ML cloud service, whose SDK v1 is no longer supported: " +
				"rewrite it with `amlfix migrate --to v2` and run the new job file, or set target to local"},
		{name: "SDK v1 with a command", job: "v1", change: files{"aml_config/v1.runconfig": "command: [python, train.py]\ntarget: local\nframework: Python\nenvironment:\n  docker: {enabled: true, baseImage: a}\n"},
			want: "aml_config/v1.runconfig:1: amlfix runs a command only in an Azure ML v2 job: rewrite the run configuration with `amlfix migrate --to v2` and run the new job file, or name its script on the command line"},
		{name: "SDK v1 with the empty command of later versions", job: "v1", usage: true, change: files{"aml_config/v1.runconfig": "script:\ntarget: local\nframework: Python\ncommand: ''\nenvironment:\n  docker: {enabled: true, baseImage: a}\n"},
			want: "run configuration v1 has no script: give one on the command line, as in `amlfix run -c v1 train.py`"},
		{name: "SDK v1, managed environment", job: "v1", unsupported: true, change: files{"aml_config/v1.runconfig": "script: train.py\ntarget: local\nframework: Python\nenvironment:\n  python:\n    interpreterPath: python\n"},
			want: "target local is this machine, with a conda environment that Azure ML would build: " +
				"set userManagedDependencies to true to use your own Python, or enable docker to run in the image"},
		{name: "shm", job: "v1", change: files{"aml_config/v1.runconfig": "script: train.py\ntarget: local\nframework: Python\nenvironment:\n  docker:\n    enabled: true\n    baseImage: a\n    shmSize: much\n"},
			want: `aml_config/v1.runconfig:8: shmSize "much" is not a valid size: write a number with b, k, m or g, like 2g`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			content := workbench()
			maps.Copy(content, tt.change)
			job, root := load(t, content, tt.job, schema.Options{})
			_, err := NewPlan(job, Options{Project: root})
			if err == nil {
				t.Fatal("no error")
			}
			testkit.Same(t, tt.want, err.Error())
			var not *NotSupportedError
			var wrong *PlanError
			if errors.As(err, &not) != tt.unsupported || errors.As(err, &wrong) == tt.unsupported || wrong != nil && wrong.Usage != tt.usage {
				t.Errorf("%T", err)
			}
		})
	}
}

func TestPlanEnvironment(t *testing.T) {
	const conda = "dependencies:\n- python=3.5.2\n- pip:\n  - notebook\n"
	for _, tt := range []struct {
		name   string
		change files
		want   []any // empty, pip, file, prepared, prepare
	}{
		{"nothing in it", nil, []any{true, nil, "", field[bool]{}}},
		{"made", files{"aml_config/conda_dependencies.yml": conda},
			[]any{false, []string{"notebook"}, "p/aml_config/conda_dependencies.yml", from(true, Origin{Note: "default"})}},
		{"not made", files{"aml_config/conda_dependencies.yml": conda, "aml_config/docker.runconfig": "Target: docker\nFramework: Python\nPrepareEnvironment: no\n"},
			[]any{false, []string{"notebook"}, "p/aml_config/conda_dependencies.yml", from(false, Origin{Path: "p/aml_config/docker.runconfig", Line: 3})}},
		{"the user's own", files{"aml_config/conda_dependencies.yml": conda, "aml_config/docker.compute": "type: localdocker\nbaseDockerImage: a\nuserManagedEnvironment: true\n"},
			[]any{true, nil, "", field[bool]{}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			content := workbench()
			maps.Copy(content, tt.change)
			job, root := load(t, content, "docker", schema.Options{})
			plan, err := NewPlan(job, Options{Project: root, Name: below("p/"), NoScript: true})
			testkit.OK(t, err)
			var pip any
			if part(t, plan).Recipe.Pip != nil {
				pip = part(t, plan).Recipe.Pip
			}
			testkit.Same(t, tt.want, []any{part(t, plan).Recipe.Empty(), pip, part(t, plan).Conda.Value, part(t, plan).Prepare})
		})
	}
}

// TestPlanEnvironmentFiles checks that files named in the pip part are in the plan, and that a missing one is reported
// with its line.
func TestPlanEnvironmentFiles(t *testing.T) {
	content := workbench()
	maps.Copy(content, files{"aml_config/conda_dependencies.yml": "dependencies:\n- pip:\n  - -e ../pkg\n  - -r ../requirements.txt\n", "pkg/setup.py": "", "requirements.txt": "six\n"})
	job, root := load(t, content, "docker", schema.Options{})
	opts := Options{Project: root, Name: below("p/"), NoScript: true}
	plan, err := NewPlan(job, opts)
	testkit.OK(t, err)
	var shown strings.Builder
	_, _ = plan.WriteTo(&shown)
	for _, want := range []string{"with         pkg, pkg/setup.py, requirements.txt  (pip reads it when the environment is built)\n",
		"note         whenever a file in this folder changes, the environment is built again, which takes minutes  (p/aml_config/conda_dependencies.yml:3)\n"} {
		testkit.Has(t, shown.String(), want)
	}
	testkit.OK(t, os.Remove(filepath.Join(root, "requirements.txt")))
	if _, err := NewPlan(job, opts); err == nil || err.Error() != "p/aml_config/conda_dependencies.yml:4: there is no requirements.txt in the project, so the environment cannot be built: add it, or correct its name" {
		t.Errorf("%v", err)
	}
}

// TestPlanVariablesOfConda checks that the job gets the variables of the conda file, unless the run configuration sets
// them.
func TestPlanVariablesOfConda(t *testing.T) {
	content := workbench()
	content["aml_config/conda_dependencies.yml"] = "dependencies: [numpy]\nvariables:\n  MODE: slow\n  LEVEL: 3\n  API_KEY: hunter2hunter2\n"
	content["aml_config/docker.runconfig"] = "Target: docker\nFramework: Python\nEnvironmentVariables: {MODE: fast}\n"
	job, root := load(t, content, "docker", schema.Options{})
	plan, err := NewPlan(job, Options{Project: root, NoScript: true})
	testkit.OK(t, err)
	want := []item{
		{Name: "MODE", Value: "fast", Origin: Origin{Path: "aml_config/docker.runconfig", Line: 3}},
		{Name: "PYTHONUNBUFFERED", Value: "1", Origin: Origin{Note: "default: output is not buffered"}},
		{Name: "LEVEL", Value: "3", Origin: Origin{Path: "aml_config/conda_dependencies.yml", Line: 4}},
		{Name: "API_KEY", Value: "hunter2hunter2", Secret: true, Origin: Origin{Path: "aml_config/conda_dependencies.yml", Line: 5}},
	}
	testkit.Same(t, want, slices.DeleteFunc(plan.Env, func(i item) bool { return i.Name == "AZUREML_NATIVE_SHARE_DIRECTORY" }))
}

func TestPlanOtherImage(t *testing.T) {
	const named = "microsoft/mmlspark:plus-gpu-0.9.9"
	for _, tt := range []struct {
		images map[string]string
		want   field[string]
	}{
		{map[string]string{"microsoft/mmlspark": "x/y", named + "x": "x/y", named: " "}, from(named, Origin{Path: "aml_config/docker.compute", Line: 2})},
		{map[string]string{"docker.io/" + named: "x/y:1"}, from("x/y:1", Origin{Path: "aml_config/docker.compute", Line: 2, Note: ".amlfix.yaml names it instead of " + named})},
	} {
		job, root := load(t, workbench(), "docker", schema.Options{})
		plan, err := NewPlan(job, Options{Project: root, Script: "train.py", Images: tt.images, ImagesFrom: ".amlfix.yaml"})
		testkit.OK(t, err)
		if d := cmp.Diff(tt.want, part(t, plan).Image); d != "" || part(t, plan).Named != named {
			t.Error(d)
		}
	}
}
