//go:build linux

package skypilot_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate/migratetest"
	"github.com/amlfix/amlfix/schema/judge"
	"github.com/amlfix/amlfix/schema/testkit"
)

// machine simulates one that SkyPilot rents: a home directory with the project and the task's mounts where SkyPilot
// copies them. There is no image, machine or SkyPilot program; bash and what the task runs are real.
type machine struct {
	home string
	env  []string
}

// rent creates a machine for a task whose files are in the folder from.
func rent(t *testing.T, task judge.Task, from string, env ...string) machine {
	t.Helper()
	m := machine{home: filepath.Join(t.TempDir(), "home of it's")}
	testkit.OK(t, os.MkdirAll(filepath.Join(m.home, "bin"), 0o755))
	testkit.OK(t, os.CopyFS(filepath.Join(m.home, "sky_workdir"), os.DirFS(task.Workdir)))
	for place, source := range task.Mounts {
		if strings.Contains(source, "://") {
			continue
		}
		if !filepath.IsAbs(source) {
			source = filepath.Join(from, source)
		}
		at := filepath.Join(m.home, strings.TrimPrefix(place, "~"))
		testkit.OK(t, os.MkdirAll(filepath.Dir(at), 0o755))
		testkit.Output(t, exec.Command("cp", "-r", source, at))
	}
	m.env = append([]string{"HOME=" + m.home, "PATH=" + filepath.Join(m.home, "bin") + ":" + os.Getenv("PATH"),
		"SKYPILOT_NODE_IPS=10.0.0.4\n10.0.0.5", "SKYPILOT_NODE_RANK=0", "SKYPILOT_NUM_NODES=1", "SKYPILOT_NUM_GPUS_PER_NODE=0"}, env...)
	for name, value := range task.Envs {
		m.env = append(m.env, name+"="+value)
	}
	return m
}

// script runs a script as SkyPilot does: with bash, in the folder with the project.
func (m machine) script(t *testing.T, text string) (out string, err error) {
	t.Helper()
	file := filepath.Join(m.home, "script.sh")
	testkit.OK(t, os.WriteFile(file, []byte(text), 0o700))
	cmd := exec.Command("bash", file)
	cmd.Dir, cmd.Env = filepath.Join(m.home, "sky_workdir"), m.env
	said, err := cmd.CombinedOutput()
	return string(said), err
}

// program installs a program on the machine.
func (m machine) program(t *testing.T, name, text string) {
	t.Helper()
	testkit.OK(t, os.WriteFile(filepath.Join(m.home, "bin", name), []byte("#!/bin/sh\n"+text), 0o700))
}

// words prints its arguments, one per line, and the variables in SHOW.
const words = `for w in "$@"; do printf '<%s>\n' "$w"; done; for v in $SHOW; do eval "printf '%s=%s\\n' $v \"\$$v\""; done
`

// TestArgumentsSurvive checks that arguments and variables that YAML, SkyPilot or a shell could change arrive unchanged
// in what bash runs.
func TestArgumentsSurvive(t *testing.T) {
	t.Parallel()
	args := []string{"$HOME", "${HOME}", "$$", "$", "a b", "it's", `say "no"`, "a: b", "#c", "", "yes", "010", "-", "[x]", "{y}", "${{inputs.x}}", "tab\there", "line\nbreak", `back\slash`, "ünï", "$(X)", "*", "&a", "%d", "`id`", "1e3", "null", "~", "!x", "a;b", ">x", "  two"}
	vectors := append([][]string{append([]string{"train.py"}, args...)}, migratetest.Vectors()...)
	for i, vector := range vectors {
		m := migrated(t, map[string]string{
			"aml_config/docker.compute":   "type: localdocker\nbaseDockerImage: example.com/own:1\n",
			"aml_config/docker.runconfig": string(migratetest.DockerRun(vector)) + "EnvironmentVariables: {A: \"$HOME '\\\"\", B: \"010\", C: \"line\\nbreak\", \"D E\": x, SKYPILOT_X: y}\n",
			vector[0]:                     "",
		}, map[string]string{"variable-d-e": "drop", "variable-skypilot-x": "drop"})
		task := one(t, m)
		host := rent(t, task, "", "SHOW=A B C")
		host.program(t, "python", words)
		out, err := host.script(t, task.Run)
		testkit.OK(t, err)
		want := "<" + strings.Join(vector, ">\n<") + ">\nA=$HOME '\"\nB=010\nC=line\nbreak\n"
		if testkit.Same(t, want, out, "vector %d", i); len(m.Open()) > 0 {
			t.Errorf("open: %v", asked(m))
		}
	}
}

// TestHostileNames checks that names of files and folders are inert: in YAML, in bash, and where SkyPilot substitutes
// variables in paths.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	const folder, data = "co de'$A`id`", "$A ${B}: *"
	m := migrated(t, map[string]string{
		"job.yml": jobSchema + "command: python train.py ${{inputs.d}} '${{inputs.d}}' \"${{inputs.e}}\" ${{outputs.o}}\ncode: \"" + folder + "\"\nenvironment: {image: \"example.com/own:1\"}\n" +
			"environment_variables: {A: \"a\", B: \"b\", C: \"c\"}\ninputs: {d: {type: uri_folder, path: azureml:d:1}, e: {type: uri_folder, path: \"./" + folder + "\"}}\noutputs: {o: {type: uri_folder}}\n",
		folder + "/train.py": "", data + "/x": "1",
	}, map[string]string{"folder-d": data})
	if open := asked(m); len(open) > 0 {
		t.Fatalf("open: %v", open)
	}
	dir := written(t, m)
	tasks, err := judge.SkyPilot(t, filepath.Join(dir, "task-job.yaml"), dir, true)
	testkit.OK(t, err)
	testkit.Same(t, map[string]string{"C": "c"}, tasks[0].Envs)
	host := rent(t, tasks[0], dir, "SHOW=A B C")
	host.program(t, "python", words+"pwd; cat \"$2\"/x\n")
	out, err := host.script(t, tasks[0].Run)
	testkit.OK(t, err)
	testkit.Same(t, strings.ReplaceAll("<train.py>\n<HOME/data/d>\n<HOME/data/d>\n<HOME/sky_workdir/"+folder+">\n<HOME/outputs/o>\nA=a\nB=b\nC=c\nHOME/sky_workdir/"+folder+"\n1", "HOME", host.home), out)
	if _, err := os.Stat(filepath.Join(host.home, "outputs/o")); err != nil {
		t.Error(err)
	}
}

// TestSeveralMachines checks that PyTorch's processes on several machines are connected: by its launcher, and with
// Azure ML's variables if each machine has one process.
func TestSeveralMachines(t *testing.T) {
	second := []string{"SKYPILOT_NODE_IPS=10.0.0.4\n10.0.0.5", "SKYPILOT_NODE_RANK=1", "SKYPILOT_NUM_NODES=2", "SKYPILOT_NUM_GPUS_PER_NODE=4"}
	for name, tt := range map[string]struct {
		file, text, want, timeout string
		nodes                     int
		open                      []string
	}{
		"SDK v1": {file: ".azureml/train.runconfig", text: "script: train.py\narguments: [--epochs, \"3\"]\ntarget: gpus\nframework: PyTorch\ncommunicator: Nccl\nnodeCount: 2\nmaxRunDurationSeconds: 600\n" +
			"environment:\n  docker: {enabled: true, baseImage: \"example.com/own-gpu:1\", shmSize: 512m, gpuSupport: true, arguments: [--ulimit, memlock=-1]}\n  python: {userManagedDependencies: true}\npytorch: {processCount: 8}\n",
			want: "<-m>\n<torch.distributed.run>\n<--nnodes=2>\n<--node_rank=1>\n<--nproc_per_node=4>\n<--master_addr=10.0.0.4>\n<--master_port=29500>\n<train.py>\n<--epochs>\n<3>\n", nodes: 2},
		"v2, several per machine": {file: "job.yml", text: jobSchema + "command: python train.py\nenvironment: {image: \"example.com/own:1\"}\nresources: {instance_count: 2}\ndistribution: {type: pytorch, process_count_per_instance: 3}\n",
			want: "<-m>\n<torch.distributed.run>\n<--nnodes=2>\n<--node_rank=1>\n<--nproc_per_node=3>\n<--master_addr=10.0.0.4>\n<--master_port=29500>\n<--no-python>\n<sh>\n<-c>\n<export NODE_RANK=$GROUP_RANK\npython train.py>\n", nodes: 2},
		"v2, one per machine": {file: "job.yml", text: jobSchema + "command: echo $MASTER_ADDR $MASTER_PORT $WORLD_SIZE $NODE_RANK $RANK $LOCAL_RANK\nenvironment: {image: \"example.com/own:1\"}\nresources: {instance_count: 2}\ndistribution: {type: pytorch}\n",
			want: "10.0.0.4 29500 2 1 1 0\n", nodes: 2},
		"MPI on one": {file: "job.yml", text: jobSchema + "command: python train.py\nenvironment: {image: \"example.com/own:1\"}\ndistribution: {type: mpi, process_count_per_instance: 3}\n",
			want: "<--allow-run-as-root>\n<-n>\n<3>\n<sh>\n<-c>\n<python train.py>\n", nodes: 1},
		"MPI on two": {file: "job.yml", text: jobSchema + "command: python train.py\nenvironment: {image: \"example.com/own:1\"}\nresources: {instance_count: 2}\ndistribution: {type: mpi}\n",
			want: "<train.py>\n", nodes: 2, open: []string{"distribution"}},
		"unconnected processes": {file: "job.yml", text: jobSchema + "command: python train.py\nenvironment: {image: \"example.com/own:1\"}\nresources: {instance_count: 2}\n",
			want: "<train.py>\n", nodes: 2, open: []string{"nodes"}},
	} {
		m := migrated(t, map[string]string{tt.file: tt.text, "train.py": ""}, nil)
		task := one(t, m)
		testkit.Same(t, tt.nodes, task.Nodes, "%s", name)
		if got := asked(m); !slices.Equal(tt.open, got) {
			t.Errorf("%s: open: %v, want %v", name, got, tt.open)
		}
		host := rent(t, task, "", second...)
		host.program(t, "python", words)
		host.program(t, "mpirun", words)
		out, err := host.script(t, task.Run)
		testkit.OK(t, err)
		testkit.Same(t, tt.want, out, "%s", name)
		if name == "SDK v1" {
			testkit.Same(t, []string{"--ulimit", "memlock=-1", "--shm-size=512m"}, task.Options)
			if !strings.Contains(task.Run, "timeout 600 python") || task.Accelerators["T4"] != 4 {
				t.Errorf("%s asks for %v", task.Run, task.Accelerators)
			}
		}
	}
}

// condaWithPip replaces conda, which needs a network: the environment that it creates is this machine's Python, and it
// prints what it would install.
const condaWithPip = `echo "a stand-in for conda: $*"
[ $# = 6 ] && [ "$1 $2 $3 $5" = "env create -p -f" ] || exit 2
python3 -m venv --without-pip "$4" || exit 1
mkdir -p "$4/own" && echo 'version = "0.1"' > "$4/own/amlfix_sample.py"
echo "$4/own" > "$(echo "$4"/lib/python3*/site-packages)/own.pth"
`

// miniforge stands in for curl, which fetches an installer. The installer installs the stand-in for conda.
const miniforge = `cat > "$3" <<'END'
mkdir -p "$3/bin" && mv "$HOME/bin/later" "$3/bin/conda"
END
`

// TestTasksRun sets up and runs tasks twice as SkyPilot does, on a simulated machine, and checks that the environment
// is created once per conda file, and that conda is installed where it is missing.
func TestTasksRun(t *testing.T) {
	t.Parallel()
	testkit.Program(t, "python3")
	const sample = "../../../runtime/internal/programtest/testdata/migrated/workbench.txtar"
	archive := testkit.Archive(t, sample)
	files, want := map[string]string{}, map[string]string{}
	for _, f := range archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "want/"); ok {
			want[name] = strings.TrimSuffix(string(f.Data), "\n")
		} else if f.Name != "ask" {
			files[f.Name] = string(f.Data)
		}
	}
	m := migrated(t, files, map[string]string{"script": "train.py"})
	if open := asked(m); len(open) > 0 {
		t.Fatalf("open: %v", open)
	}
	dir := written(t, m)
	tasks, err := judge.SkyPilot(t, filepath.Join(dir, "task-docker.yaml"), dir, true)
	testkit.OK(t, err)
	host := rent(t, tasks[0], dir)
	host.program(t, "conda", condaWithPip)
	for round, makes := range []bool{true, false} {
		out, err := host.script(t, tasks[0].Setup)
		if err != nil || strings.Contains(out, "a stand-in for conda") != makes {
			t.Fatalf("round %d: %v\n%s", round, err, out)
		}
		if out, err = host.script(t, tasks[0].Run); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for name, text := range want {
			testkit.Same(t, text, strings.TrimSuffix(testkit.Read(t, filepath.Join(host.home, "sky_workdir/outputs"), name), "\n"), "%s", name)
		}
	}
	testkit.OK(t, os.WriteFile(filepath.Join(host.home, "environment.yml"), []byte("dependencies: [python=3.11]\n"), 0o600))
	if out, err := host.script(t, tasks[0].Setup); err != nil || !strings.Contains(out, "a stand-in for conda") {
		t.Errorf("another conda file: %v\n%s", err, out)
	}
	host.program(t, "conda", "exit 1\n")
	testkit.OK(t, os.WriteFile(filepath.Join(host.home, "environment.yml"), []byte("dependencies: [python=3.12]\n"), 0o600))
	if _, err := host.script(t, tasks[0].Setup); err == nil {
		t.Error("a failing setup succeeds")
	}
	bare := rent(t, tasks[0], dir)
	bare.program(t, "later", condaWithPip)
	bare.program(t, "curl", miniforge)
	t.Cleanup(func() { _ = os.Remove("/tmp/miniforge.sh") })
	for i, script := range []string{tasks[0].Setup, tasks[0].Run, tasks[0].Setup} { // the second setup finds what the first one has installed
		if out, err := bare.script(t, script); err != nil || strings.Contains(out, "a stand-in for conda") != (i == 0) {
			t.Errorf("without conda: %v\n%s", err, out)
		}
	}
}

// TestTimeLimit checks that any command ends after the job's time limit.
func TestTimeLimit(t *testing.T) {
	t.Parallel()
	m := migrated(t, map[string]string{"job.yml": jobSchema + "command: >-\n  echo \"$A\"; sleep 20\nenvironment: {image: \"example.com/own:1\"}\nenvironment_variables: {A: it's}\nlimits: {timeout: 1}\n"}, nil)
	task := one(t, m)
	out, err := rent(t, task, "").script(t, task.Run)
	if code := new(exec.ExitError); !errors.As(err, &code) || code.ExitCode() != 124 || out != "it's\n" {
		t.Errorf("%v, %q from:\n%s", err, out, task.Run)
	}
}

// TestNames checks that names that mean something else in YAML stay names.
func TestNames(t *testing.T) {
	for file, want := range map[string]string{"yes": "yes", "null": "null", "1e3": "job-1e3", "on": "on", "~": "job", "it's a $HOME": "it-s-a-home", "ünï": "n"} {
		m := migrated(t, map[string]string{file + ".yml": jobSchema + "command: \"true\"\nenvironment: {image: \"example.com/own:1\"}\n"}, nil)
		testkit.Same(t, want, one(t, m).Name, "%s", file)
	}
}
