//go:build linux

package runtime

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/runtime/command"
	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// commandPlan plans a v2 job of a project with these files, on a type of target.
func commandPlan(t *testing.T, content files, typ string, change func(*command.Choice), more ...plan.Options) (Plan, string, error) {
	t.Helper()
	root := filepath.Join(t.TempDir(), "my digits")
	for name, text := range content {
		testkit.Write(t, root, name, text)
	}
	roots, err := schema.Discover([]string{root})
	testkit.OK(t, err)
	project := schema.Load(roots[0], schema.Options{})
	at := slices.IndexFunc(project.Jobs, func(j *schema.Job) bool { return j.Kind == schema.Standalone })
	if at < 0 {
		t.Fatalf("no job among %v", content)
	}
	choice := command.Choice{Project: project, Job: project.Jobs[at], Type: typ, Dir: root}
	for _, target := range project.Targets {
		if target.Name == typ {
			choice.Target, choice.Type = target, target.Type.Text
		}
	}
	if change != nil {
		change(&choice)
	}
	job, work, err := command.Lower(choice)
	if err != nil {
		return Plan{}, root, err
	}
	opts := Options{}
	if len(more) > 0 {
		opts = more[0]
	}
	opts.Project, opts.Work = root, work
	p, err := NewPlan(job, opts)
	return p, root, err
}

// commandJob returns a v2 job that uses everything a job can get from its surroundings.
func commandJob(image string) files {
	return files{
		"job.yml": `$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
type: command
code: src
command: |
  echo "in $(pwd | wc -l) folder"
  python3 train.py ${{inputs.data}} --name "${{inputs.name}}" $[[--gone ${{inputs.gone}}]] --rate=${{inputs.rate}} ${{inputs.flag}}
  cp ${{inputs.table}} '${{outputs.copy}}'; echo more > ${{outputs.model}}/more
  exit 4
inputs:
  data: {type: uri_folder, path: data, mode: ro_mount}
  table: {type: uri_file, path: data/a table.csv, mode: download}
  name: it's "$HOME"
  rate: 1e-3
  flag: true
outputs:
  model: {type: mlflow_model}
  copy: {type: uri_file}
environment: {image: '` + image + `'}
environment_variables: {MODE: fast lane}
`,
		"src/train.py":     "import os, sys\nprint(sorted(os.listdir(sys.argv[1])), sys.argv[2:], sorted(os.listdir('.')), os.environ['MODE'])\n",
		"src/left.out":     "",
		"src/.amlignore":   "*.out\n",
		"data/a table.csv": "1,2\n",
	}
}

// TestCommandJob runs a v2 job here and in a container: its command runs in a shell, in the code folder, with inputs,
// outputs and variables, and its exit code is the run's.
func TestCommandJob(t *testing.T) {
	t.Parallel()
	testkit.Program(t, "python3") // of the jobs outside of containers
	for _, typ := range []string{"local", "docker", "remotedocker", "remote"} {
		t.Run(typ, func(t *testing.T) {
			t.Parallel()
			image, opts := "unused", RunOptions{}
			server := sshtest.Options{}
			if strings.HasSuffix(typ, "docker") {
				e := engineHere(t)
				image, server.Env = e.Python(t), map[string]string{"DOCKER_HOST": e.Host}
			}
			content := commandJob(image)
			if strings.HasPrefix(typ, "remote") {
				s := sshtest.Start(t, server)
				opts.SSH.Home = s.Home
				content["aml_config/vm.compute"] = "type: " + typ + "\naddress: " + s.Address() + "\nusername: " + sshtest.Root + "\n"
				typ = "vm"
			}
			p, root, err := commandPlan(t, content, typ, nil)
			testkit.OK(t, err)
			var out, errs bytes.Buffer
			opts.Stdout, opts.Stderr = &out, &errs
			res, err := Run(t.Context(), p, opts)
			if err != nil || res.Outcome != Failed || res.Code != 4 {
				t.Fatalf("%+v, %v\n%s%s", res, err, &out, &errs)
			}
			want := "in 1 folder\n['a table.csv'] ['--name', 'it\\'s \"$HOME\"', '--rate=1e-3', 'True'] ['.amlfix', '.amlignore', 'outputs', 'train.py'] fast lane\n"
			testkit.Same(t, want, out.String(), &errs)
			for name, want := range map[string]string{"copy": "1,2\n", "model/more": "more\n"} {
				text := testkit.Read(t, root, "outputs", filepath.FromSlash(name))
				testkit.Same(t, want, text)
			}
		})
	}
}

// TestDockerfile builds the image of a job's environment, and checks that a failed build names its line.
func TestDockerfile(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	content := files{
		"job.yml": "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: cat /made/by /made/here\n" +
			"environment:\n  build: {path: env, dockerfile_path: docker/Dockerfile}\n",
		"env/docker/Dockerfile": "FROM " + e.Python(t) + "\nCOPY by /made/by\nRUN cat /made/by > /made/here\n",
		"env/by":                "a Dockerfile\n",
	}
	p, root, err := commandPlan(t, content, "docker", nil)
	testkit.OK(t, err)
	checks, err := CheckRun(t.Context(), p, RunOptions{})
	if last := checks[len(checks)-1]; err != nil || !strings.Contains(last.Text, "is built from docker/Dockerfile when the job runs") {
		t.Errorf("%v, %v", checks, err)
	}
	var out, errs bytes.Buffer
	res, err := Run(t.Context(), p, RunOptions{Stdout: &out, Stderr: &errs})
	if err != nil || res.Code != 0 || out.String() != "a Dockerfile\na Dockerfile\n" {
		t.Errorf("%+v, %v\n%s%s", res, err, &out, &errs)
	}
	for wrong, said := range map[string]string{"RUN exit 9": "", "RUNS x": "dockerfile parse error", "RUN --mount=type=cache,target=/x true": "the --mount option requires BuildKit, which amlfix does not use: build", "RUN <<END\necho\nEND": "dockerfile parse error"} {
		testkit.OK(t, os.WriteFile(filepath.Join(root, "env", "docker", "Dockerfile"), []byte("FROM "+e.Python(t)+"\n"+wrong+"\n"), 0o644))
		p.RunID = runid.New(time.Now())
		if res, err = Run(t.Context(), p, RunOptions{}); res.Code != CodeNotStarted || err == nil || !strings.HasPrefix(Explain(err), "job.yml:4: the image cannot be built from docker/Dockerfile: "+said) || strings.Contains(Explain(err), "BuildKit") != (strings.Contains(wrong, "<<") || strings.Contains(wrong, "--mount")) {
			t.Errorf("%+v, %v", res, err)
		}
	}
}

// TestImageThatCannotBeHad checks that a run whose image is not available from any registry names the flag that selects
// another.
func TestImageThatCannotBeHad(t *testing.T) {
	t.Parallel()
	engineHere(t)
	p, _, err := commandPlan(t, files{"job.yml": "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: x\nenvironment:\n  image: 127.0.0.1:1/none:1\n"}, "docker", nil)
	testkit.OK(t, err)
	res, err := Run(t.Context(), p, RunOptions{})
	if res.Code != CodeNotStarted || err == nil || !strings.HasPrefix(Explain(err), "job.yml:4: ") || !strings.HasSuffix(Explain(err), "; --image IMAGE selects another one") {
		t.Errorf("%+v, %v", res, err)
	}
	const other = "127.0.0.1:1/other:1"
	p, _, err = commandPlan(t, files{"job.yml": "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: x\n"}, "docker", func(c *command.Choice) { c.Image = other })
	testkit.OK(t, err)
	if _, err := Run(t.Context(), p, RunOptions{}); err == nil || !strings.Contains(Explain(err), other) || strings.Contains(Explain(err), "--image") {
		t.Errorf("after the flag: %v", err)
	}
}

// TestSecretsInCommand checks that neither a plan nor a record has a secret of a command, on whatever line it is.
func TestSecretsInCommand(t *testing.T) {
	t.Parallel()
	const text = "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\nenvironment: {image: x}\ninputs: {token: hunter3}\n" +
		"command: |\n  echo --password hunter2 --token ${{inputs.token}} \\\n    --account-key \\\n    hunter4\n"
	p, _, err := commandPlan(t, files{"job.yml": text}, "local", nil)
	testkit.OK(t, err)
	var plan strings.Builder
	for _, l := range p.Lines() {
		plan.WriteString(l.String() + "\n")
	}
	var out bytes.Buffer
	res, err := Run(t.Context(), p, RunOptions{Stdout: &out})
	if err != nil || out.String() != "--password hunter2 --token hunter3 --account-key hunter4\n" {
		t.Fatalf("%+v, %v, %q", res, err, out.String())
	}
	for where, text := range map[string]string{"the plan": plan.String(), "the record": testkit.Read(t, res.Record, "record.json")} {
		if strings.Contains(text, "hunter") || !strings.Contains(text, "--password ***") {
			t.Errorf("%s has %s", where, text)
		}
	}
}

// TestCommandMetrics checks that what a job logs with MLflow becomes metrics in its record and is copied back; a job
// that names a server keeps it.
func TestCommandMetrics(t *testing.T) {
	t.Parallel()
	const head = "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\nenvironment: {image: x}\n"
	const log = "command: mkdir -p \"$MLFLOW_TRACKING_URI/0/r/metrics\" && echo 1700000000250 0.5 0 > \"$MLFLOW_TRACKING_URI/0/r/metrics/loss\"; echo $MLFLOW_ALLOW_FILE_STORE $AZUREML_RUN_ID\n"
	p, root, err := commandPlan(t, files{"job.yml": head + log}, "local", nil)
	testkit.OK(t, err)
	var out bytes.Buffer
	res, err := Run(t.Context(), p, RunOptions{Stdout: &out})
	if err != nil || res.Code != 0 || out.String() != "true "+p.RunID.String()+"\n" {
		t.Fatalf("%+v, %v", res, err)
	}
	testkit.Same(t, `{"name":"loss","t":1700000000.25,"value":0.5}`+"\n", testkit.Read(t, res.Record, "metrics.jsonl"))
	testkit.Same(t, "1700000000250 0.5 0\n", testkit.Read(t, root, "outputs/mlruns/0/r/metrics/loss"))

	p, _, err = commandPlan(t, files{"job.yml": head + "command: echo $MLFLOW_TRACKING_URI\nenvironment_variables: {MLFLOW_TRACKING_URI: 'http://mlflow.example'}\n"}, "local", nil)
	testkit.OK(t, err)
	out.Reset()
	if _, err := Run(t.Context(), p, RunOptions{Stdout: &out}); err != nil || out.String() != "http://mlflow.example\n" {
		t.Errorf("%s%v", &out, err)
	}
}

// TestProcesses checks that each of several processes gets torchrun's variables, that output lines name their process,
// and that the first process that fails ends the others.
func TestProcesses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, command string
		code          int
		want          []string
	}{
		{"all well", "echo $RANK of $WORLD_SIZE local $LOCAL_RANK at $MASTER_ADDR:$MASTER_PORT", 0,
			[]string{"[0] 0 of 2 local 0 at 127.0.0.1:29500", "[1] 1 of 2 local 1 at 127.0.0.1:29500"}},
		{"one fails", "if [ $RANK = 1 ]; then echo bad; exit 7; fi; exec sleep 60", 7, []string{"[1] bad"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, _, err := commandPlan(t, files{"job.yml": "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: '" + tt.command +
				"'\nenvironment: {image: x}\nresources: {instance_count: 1}\ndistribution: {type: pytorch, process_count_per_instance: 2}\n"}, "local", nil)
			testkit.OK(t, err)
			var out, errs bytes.Buffer
			res, err := Run(t.Context(), p, RunOptions{Stdout: &out, Stderr: &errs})
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			slices.Sort(lines)
			if diff := cmp.Diff(tt.want, lines); err != nil || res.Code != tt.code || diff != "" {
				t.Errorf("%+v, %v\n%s%s", res, err, diff, &errs)
			}
			for _, noise := range []string{"Terminated", "background process"} { // of the shell, and of what it had left
				if text := fmt.Sprintf("%+v\n%s", res, &errs); strings.Contains(text, noise) {
					t.Errorf("%q in %s", noise, text)
				}
			}
		})
	}
}

// TestStoppedQuietly checks that nothing speaks when a job is stopped, neither its shell nor what starts its processes.
func TestStoppedQuietly(t *testing.T) {
	t.Parallel()
	for _, distribution := range []string{"", "distribution: {type: pytorch, process_count_per_instance: 2}\n"} {
		p, _, err := commandPlan(t, files{"job.yml": "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: sh wait.sh\ncode: .\nenvironment: {image: x}\n" + distribution,
			"wait.sh": "echo up\nexec sleep 60\n"}, "local", nil)
		testkit.OK(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		var errs testkit.Buffer
		res, err := Run(ctx, p, RunOptions{Stdout: &cancelAt{text: "up", cancel: cancel}, Stderr: &errs})
		if err != nil || res.Outcome != Cancelled || errs.String() != "" {
			t.Errorf("%q: %+v, %v\n%s", distribution, res, err, errs.String())
		}
	}
}

// TestOnlyTheService checks that what only the service can do is refused in one sentence that starts with the line.
func TestOnlyTheService(t *testing.T) {
	t.Parallel()
	const head = "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\n"
	for want, text := range map[string]string{
		"job.yml:2: a job of type spark runs only in Azure ML: submit the file with -t azureml":                                                                               "type: spark\nentry: {file: a.py}\ncode: .\n",
		"job.yml:4: instance_count is 2, but of your own targets only a Kubernetes cluster runs one job on several machines: add -t k8s, or write 1 to run it on one machine": "command: x\nenvironment: {image: x}\nresources: {instance_count: 2}\n",
		"job.yml:3: environment azureml:mine:3 exists only in Azure ML: choose one with --image IMAGE":                                                                        "command: x\nenvironment: azureml:mine:3\n",
		"job.yml:3: input d is azureml:d:1, which exists only in Azure ML: give a copy with --input d=PATH":                                                                   "command: x ${{inputs.d}}\ninputs: {d: {type: uri_file, path: 'azureml:d:1'}}\nenvironment: {image: x}\n",
		"job.yml:3: input d is https://example.com/a.csv, which is not on this machine: give a copy with --input d=PATH":                                                      "command: x ${{inputs.d}}\ninputs: {d: {type: uri_file, path: 'https://example.com/a.csv'}}\nenvironment: {image: x}\n",
		"job.yml:2: the command uses ${{inputs.d}}, which has no value: add it to inputs, or give it with --input d=VALUE":                                                    "command: x ${{inputs.d}}\nenvironment: {image: x}\n",
		"job.yml:3: code is ../.., which is outside the project: run amlfix from a folder that contains both":                                                                 "command: x\ncode: ../..\nenvironment: {image: x}\n",
		"job.yml:4: 2 processes of a distribution of type mpi need services that only Azure ML starts: only type pytorch runs here with several processes":                    "command: x\nenvironment: {image: x}\ndistribution: {type: mpi, process_count_per_instance: 2}\n",
		"job.yml:3: the environment has no image: choose one with --image IMAGE":                                                                                              "command: x\nenvironment: {conda_file: {dependencies: [python=3.12]}}\n",
		"job.yml:2: the job has no environment: choose one with --image IMAGE":                                                                                                "command: x\n",
		"aml_config/hdi.compute:1: target hdi is a Spark cluster, which does not run command jobs: choose another one with -t":                                                "command: x\nenvironment: {image: x}\n",
		"job.yml:4: limits.timeout is \"1h\": write seconds, such as 3600":                                                                                                    "command: x\nenvironment: {image: x}\nlimits: {timeout: 1h}\n",
		"job.yml:4: process_count_per_instance is \"9999\": write a number from 1 to 1024":                                                                                    "command: x\nenvironment: {image: x}\ndistribution: {type: pytorch, process_count_per_instance: 9999}\n",
		"job.yml:3: input a has no value: give it with --input a=VALUE":                                                                                                       "command: x\ninputs: {a: {type: string}}\nenvironment: {image: x}\n",
		"job.yml:3: input a has no value: give it with --input a=PATH":                                                                                                        "command: x\ninputs: {a: {type: uri_file}}\nenvironment: {image: x}\n",
	} {
		typ := "docker"
		if strings.Contains(want, "Spark cluster") {
			typ = "hdi"
		}
		_, _, err := commandPlan(t, files{"job.yml": head + text, "aml_config/hdi.compute": "type: cluster\naddress: hdi-ssh.example.com\nusername: me\n"}, typ, nil)
		if err == nil {
			t.Errorf("%s\nis accepted", text)
			continue
		}
		testkit.Same(t, want, Explain(err))
	}
}

// TestNothingFromOutsideGoesWithAJob checks that a file cannot make amlfix send anything outside the project, or
// anything of git's or amlfix's own.
func TestNothingFromOutsideGoesWithAJob(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	testkit.OK(t, os.WriteFile(filepath.Join(outside, "key"), []byte("k"), 0o600))
	for _, line := range []string{
		"inputs: {d: {type: uri_file, path: link/key}}", "inputs: {d: {type: uri_folder, path: link}}", "inputs: {d: {type: uri_file, path: '" + outside + "/key'}}",
		"inputs: {d: {type: uri_file, path: ../key}}", "inputs: {d: {type: uri_folder, path: .git}}", "inputs: {d: {type: uri_file, path: .git/config}}",
		"inputs: {d: {type: uri_folder, path: .amlfix/runs}}", "code: link", "code: " + outside, "code: .git",
		"environment: {build: {path: link}}", "environment: {build: {path: ., dockerfile_path: ../key}}",
	} {
		_, _, err := commandPlan(t, files{"job.yml": "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: x\n" + line + "\n" + env(line),
			".git/config": "k", ".amlfix/runs/x": "k"}, "docker", func(c *command.Choice) {
			testkit.OK(t, os.Symlink(outside, filepath.Join(c.Dir, "link")))
			testkit.OK(t, os.WriteFile(filepath.Join(filepath.Dir(c.Dir), "key"), nil, 0o600))
		})
		if err == nil || !strings.HasPrefix(Explain(err), "job.yml:3: ") || !strings.Contains(Explain(err), "outside") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// env returns the environment of a job that otherwise has none.
func env(line string) string {
	if strings.HasPrefix(line, "environment") {
		return ""
	}
	return "environment: {image: x}\n"
}

// TestCommandPlan checks that a plan gives the origin of each value.
func TestCommandPlan(t *testing.T) {
	t.Parallel()
	content := commandJob("python:3.12")
	content["job.yml"] += "limits: {timeout: 90}\nresources: {shm_size: 2g}\ndistribution: {type: pytorch}\nservices: {x: {type: ssh}}\n"
	p, root, err := commandPlan(t, content, "docker", func(c *command.Choice) {
		c.Chosen = plan.Origin{Note: "command line"}
		c.Inputs = map[string]string{"rate": "0.5", "data": "src"}
	})
	testkit.OK(t, err)
	var got []string
	for _, l := range p.Lines() {
		got = append(got, strings.ReplaceAll(l.String(), root, "ROOT"))
	}
	testkit.Same(t, strings.Split(strings.TrimSpace(wantCommandPlan), "\n"), got)
}

// TestOneProcess checks that a plan says what a distribution's only process lacks.
func TestOneProcess(t *testing.T) {
	t.Parallel()
	const job = "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: x\nenvironment: {image: x}\n"
	p, _, err := commandPlan(t, files{"job.yml": job + "distribution: {type: tensorflow, worker_count: 1}\n"}, "docker", nil)
	testkit.OK(t, err)
	lines := p.Lines()
	testkit.Same(t, "note         one process runs, without what Azure ML prepares for a distribution of type tensorflow  (job.yml:4)", lines[len(lines)-1].String())
}

const wantCommandPlan = `
target       docker  (command line)
runs         docker  (command line)
image        python:3.12  (job.yml:18)
gpus         none  (default)
command      echo "in $(pwd | wc -l) folder"  (job.yml:4)
command      python3 train.py "${AMLFIX_FOLDER}"/.amlfix/inputs/data --name "it's \"\$HOME\""  --rate=0.5 True
command      cp "${AMLFIX_FOLDER}"'/.amlfix/inputs/table/a table.csv' ''"${AMLFIX_FOLDER}"'/outputs/copy'; echo more > "${AMLFIX_FOLDER}"/outputs/model/more
command      exit 4
processes    1  (job.yml:22)
input        data="ROOT/src"  (--input data)
input        table="ROOT/data/a table.csv"  (job.yml:11)
input        name="it's \"$HOME\""  (job.yml:12)
input        rate=0.5  (--input rate)
input        flag=True  (job.yml:14)
output       model=outputs/model  (job.yml:16)
output       copy=outputs/copy  (job.yml:17)
code         "ROOT/src"  (job.yml:3)
variable     MODE="fast lane"  (job.yml:19)
variable     PYTHONUNBUFFERED=1  (default: output is not buffered)
project      "ROOT"  (copied into the container, to /azureml-run)
outputs      outputs/  (what the job writes there is copied back)
time limit   1m30s  (job.yml:20)
/dev/shm     2.1 GB  (job.yml:21)
note         services is for Azure ML, and is not used  (job.yml:23)
`

// TestCommandGPUs checks that the number of GPUs of a v2 job follows from its machine and its processes.
func TestCommandGPUs(t *testing.T) {
	t.Parallel()
	const eight = "resources: {instance_type: Standard_ND96asr_v4}\n"
	for name, tt := range map[string]struct {
		more, on, flag, want string
	}{
		"nothing known":                      {"", "docker", "", "none  (default)"},
		"a machine without GPUs":             {"resources: {instance_type: Standard_DS3_v2}\n", "docker", "", "none  (default)"},
		"one GPU":                            {"resources: {instance_type: Standard_NC6s_v3}\n", "docker", "", "1  (job.yml:5)"},
		"eight GPUs":                         {eight, "docker", "", "8  (job.yml:5)"},
		"eight GPUs, on this machine":        {eight, "local", "", "8  (job.yml:5)"},
		"fewer processes":                    {eight + "distribution: {type: pytorch, process_count_per_instance: 4}\n", "docker", "", "4  (job.yml:6)"},
		"more processes":                     {eight + "distribution: {type: pytorch, process_count_per_instance: 16}\n", "docker", "", "8  (job.yml:5)"},
		"one process":                        {eight + "distribution: {type: pytorch, process_count_per_instance: 1}\n", "docker", "", "8  (job.yml:5)"},
		"processes on the CPU":               {"distribution: {type: pytorch, process_count_per_instance: 4}\n", "docker", "", "none  (default)"},
		"a compute of the project":           {"compute: azureml:four\n", "docker", "", "4  (four.yml:4)"},
		"the command line":                   {eight, "docker", "2", "2  (command line)"},
		"the command line, none":             {eight, "docker", "none", "none  (command line)"},
		"a GPU image, the machine not known": {"", "gpu image", "", "all  (default)"},
	} {
		t.Run(name, func(t *testing.T) {
			image := "python:3.12"
			if tt.on == "gpu image" {
				image, tt.on = "nvidia/cuda:12.4.1-runtime-ubuntu22.04", "docker"
			}
			content := files{"job.yml": "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ntype: command\ncommand: python train.py\nenvironment: {image: " + image + "}\n" + tt.more,
				"four.yml": "$schema: https://azuremlschemas.azureedge.net/latest/amlCompute.schema.json\nname: four\ntype: amlcompute\nsize: Standard_NC24s_v3\n"}
			p, _, err := commandPlan(t, content, tt.on, nil, plan.Options{GPUs: plan.GPURequest(tt.flag)})
			testkit.OK(t, err)
			got := ""
			for _, l := range p.Lines() {
				if l.Name == "gpus" {
					got = strings.TrimSpace(strings.TrimPrefix(l.String(), "gpus"))
				}
			}
			testkit.Same(t, tt.want, got)
		})
	}
}
