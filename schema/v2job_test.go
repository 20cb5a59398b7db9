package schema_test

import (
	"fmt"
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// shared are files that jobs of several cases name.
const shared = `
-- infra/gpu.yml --
#amlCompute
name: gpu
type: amlcompute
size: Standard_NC24ads_A100_v4
-- envs/env.yml --
#environment
name: env
version: 2
image: ubuntu
conda_file: conda.yml
-- envs/conda.yml --
dependencies: [numpy]
-- parts/train.yml --
#commandComponent
name: train
version: 1
type: command
command: python train.py
code: ./src
environment: azureml:env:2
environment_variables: {A: b}
distribution: {type: pytorch, process_count_per_instance: 4}
resources: {instance_count: 2, shm_size: 8g}
`

// said returns what the view says of a job, in one line.
func said(j *schema.Job) string {
	line := fmt.Sprintf("%s | %s", j.Name, j.Kind)
	add := func(format string, values ...any) { line += " | " + fmt.Sprintf(format, values...) }
	if j.Type != "" {
		add("type %s", j.Type)
	}
	if j.Runs != nil {
		add("runs %s", j.Runs.Name)
	}
	for _, f := range []struct {
		name  string
		field schema.Field
	}{{"on", j.TargetName}, {"size", j.Target.VMSize}, {"image", j.Target.Image}, {"build", j.Docker.Dockerfile}, {"command", j.Command}, {"script", j.Script}, {"code", j.Code},
		{"nodes", j.Nodes}, {"processes", j.Processes}, {"by", j.Communicator}, {"shm", j.Docker.ShmSize}} {
		if f.field.Explicit {
			from := ""
			if f.field.File != j.File {
				from = " (" + f.field.File.Rel + ")"
			}
			add("%s %s%s", f.name, f.field.Text, from)
		}
	}
	if j.Environment != nil {
		add("conda %s", j.Environment.File.Rel)
	}
	for _, v := range j.Variables {
		add("%s=%s", v.Name, v.Value.Text)
	}
	if j.Target.GPU() {
		add("GPU")
	}
	return line
}

// TestV2Jobs reads every kind of job of v2.
func TestV2Jobs(t *testing.T) {
	for _, c := range []struct {
		name, files string
		want        []string
	}{
		{"a command in a file", "-- jobs/a.yml --\n#commandJob\ntype: command\ncommand: python a.py\ncode: ./src\nenvironment: azureml:env@latest\ncompute: azureml:gpu\nenvironment_variables: {X: y}\nresources: {instance_count: 3, shm_size: 2g}\ndistribution: {type: mpi, process_count_per_instance: 2}\n",
			[]string{"jobs/a.yml | job | type command | on azureml:gpu | size Standard_NC24ads_A100_v4 (infra/gpu.yml) | image ubuntu (envs/env.yml) | command python a.py | code ./src | nodes 3 | processes 2 | by mpi | shm 2g | conda envs/conda.yml | X=y | GPU"}},
		{"the size at the job", "-- a.yml --\n#commandJob\ncommand: a\nenvironment: {image: debian, conda_file: envs/conda.yml}\nresources: {instance_type: Standard_D2_v3}\n",
			[]string{"a.yml | job | size Standard_D2_v3 | image debian | command a | conda envs/conda.yml"}},
		{"a cluster that decides against instance_type", "-- a.yml --\n#commandJob\ncommand: a\nenvironment: azureml:x:1\ncompute: azureml:gpu\nresources: {instance_type: Standard_D2_v3}\n",
			[]string{"a.yml | job | on azureml:gpu | size Standard_NC24ads_A100_v4 (infra/gpu.yml) | command a | GPU"}},
		{"only the workspace knows", "-- a.yml --\n#commandJob\ncommand: a\nenvironment: azureml:env:7\ncompute: azureml:other\n",
			[]string{"a.yml | job | on azureml:other | command a"}},
		{"an environment of a registry", "-- a.yml --\n#commandJob\ncommand: a\nenvironment: azureml://registries/azureml/environments/env/labels/latest\n",
			[]string{"a.yml | job | command a"}},
		{"a file as environment", "-- jobs/a.yml --\n#commandJob\ncommand: a\nenvironment: file:../envs/env.yml\n",
			[]string{"jobs/a.yml | job | image ubuntu (envs/env.yml) | command a | conda envs/conda.yml"}},
		{"an environment that is built", "-- a.yml --\n#commandJob\ncommand: a\nenvironment: {build: {path: docker}}\n",
			[]string{"a.yml | job | build docker | command a"}},
		{"a Spark job", "-- a.yml --\n#sparkJob\ntype: spark\ncode: src\nentry: {file: a.py}\nresources: {instance_type: Standard_E4s_v3, runtime_version: \"3.4\"}\nenvironment: {image: ubuntu, conda_file: {dependencies: [numpy]}}\n",
			[]string{"a.yml | job | type spark | size Standard_E4s_v3 | image ubuntu | script a.py | code src | conda a.yml"}},
		{"children", "-- p.yml --\n#pipelineJob\ntype: pipeline\nsettings: {default_compute: azureml:gpu}\njobs:\n  own: {type: command, command: b, environment: azureml:env:2, compute: azureml:cpu}\n  file: {component: parts/train.yml, environment_variables: {C: d}}\n  name: {component: 'azureml:train:1', compute: azureml:x, resources: {instance_count: 1}}\n  else: {component: 'azureml:else:1'}\n  auto: {type: automl, task: regression}\n",
			[]string{
				"p.yml: jobs.own | job of a pipeline | type command | on azureml:cpu | image ubuntu (envs/env.yml) | command b | conda envs/conda.yml",
				"p.yml: jobs.file | job of a pipeline | runs parts/train.yml | on azureml:gpu | size Standard_NC24ads_A100_v4 (infra/gpu.yml) | image ubuntu (envs/env.yml) | command python train.py (parts/train.yml) | code ./src (parts/train.yml) | nodes 2 (parts/train.yml) | processes 4 (parts/train.yml) | by pytorch (parts/train.yml) | shm 8g (parts/train.yml) | conda envs/conda.yml | C=d | GPU",
				"p.yml: jobs.name | job of a pipeline | runs parts/train.yml | on azureml:x | image ubuntu (envs/env.yml) | command python train.py (parts/train.yml) | code ./src (parts/train.yml) | nodes 1 | processes 4 (parts/train.yml) | by pytorch (parts/train.yml) | shm 8g (parts/train.yml) | conda envs/conda.yml",
				"p.yml: jobs.else | job of a pipeline | on azureml:gpu | size Standard_NC24ads_A100_v4 (infra/gpu.yml) | GPU",
				"p.yml: jobs.auto | job of a pipeline | type automl | on azureml:gpu | size Standard_NC24ads_A100_v4 (infra/gpu.yml) | GPU",
			}},
		{"components in place, pipelines in pipelines", "-- p.yml --\n#pipelineJob\ntype: pipeline\ncompute: azureml:gpu\njobs:\n  one:\n    component:\n      command: a\n      environment: {image: debian}\n  deep:\n    type: pipeline\n    jobs:\n      two: {command: b, environment: 'azureml:env:2'}\n  part: {component: sub.yml}\n  loop: {type: do_while, body: '${{parent.jobs.one}}'}\n-- sub.yml --\n#pipelineComponent\ntype: pipeline\njobs:\n  three: {component: parts/train.yml}\n",
			[]string{
				"p.yml: jobs.one | job of a pipeline | runs p.yml: jobs.one.component | on azureml:gpu | size Standard_NC24ads_A100_v4 (infra/gpu.yml) | image debian | command a | GPU",
				"p.yml: jobs.one.component | component | image debian | command a",
				"p.yml: jobs.deep.jobs.two | job of a pipeline | on azureml:gpu | size Standard_NC24ads_A100_v4 (infra/gpu.yml) | image ubuntu (envs/env.yml) | command b | conda envs/conda.yml | GPU",
				"sub.yml: jobs.three | job of a pipeline | runs parts/train.yml | on azureml:gpu (p.yml) | size Standard_NC24ads_A100_v4 (infra/gpu.yml) | image ubuntu (envs/env.yml) | command python train.py (parts/train.yml) | code ./src (parts/train.yml) | nodes 2 (parts/train.yml) | processes 4 (parts/train.yml) | by pytorch (parts/train.yml) | shm 8g (parts/train.yml) | conda envs/conda.yml | GPU",
			}},
		{"sweeps", "-- in.yml --\n#sweepJob\ntype: sweep\ncompute: azureml:gpu\ntrial: {command: a, environment: 'azureml:env:2', code: src, environment_variables: {A: b}, distribution: {type: pytorch}}\n-- of.yml --\n#sweepJob\ntype: sweep\ncompute: azureml:gpu\ntrial: file:parts/train.yml\n-- p.yml --\n#pipelineJob\ntype: pipeline\njobs:\n  tune: {type: sweep, trial: parts/train.yml, compute: azureml:gpu}\n",
			[]string{
				"in.yml | sweep | type sweep | on azureml:gpu | size Standard_NC24ads_A100_v4 (infra/gpu.yml) | image ubuntu (envs/env.yml) | command a | code src | by pytorch | conda envs/conda.yml | A=b | GPU",
				"of.yml | sweep | type sweep | runs parts/train.yml | on azureml:gpu | size Standard_NC24ads_A100_v4 (infra/gpu.yml) | image ubuntu (envs/env.yml) | command python train.py (parts/train.yml) | code ./src (parts/train.yml) | nodes 2 (parts/train.yml) | processes 4 (parts/train.yml) | by pytorch (parts/train.yml) | shm 8g (parts/train.yml) | conda envs/conda.yml | GPU",
				"p.yml: jobs.tune | sweep | type sweep | runs parts/train.yml | on azureml:gpu | size Standard_NC24ads_A100_v4 (infra/gpu.yml) | image ubuntu (envs/env.yml) | command python train.py (parts/train.yml) | code ./src (parts/train.yml) | nodes 2 (parts/train.yml) | processes 4 (parts/train.yml) | by pytorch (parts/train.yml) | shm 8g (parts/train.yml) | conda envs/conda.yml | GPU",
			}},
		{"parallel jobs", "-- p.yml --\n#pipelineJob\ntype: pipeline\njobs:\n  score:\n    type: parallel\n    compute: azureml:gpu\n    resources: {instance_count: 2}\n    task: {type: run_function, code: ./src, entry_script: score.py, environment: 'azureml:env:2'}\n-- c.yml --\n#parallelComponent\nname: c\ntype: parallel\ntask: {type: run_function, code: ./src, entry_script: score.py, environment: {image: debian}}\n",
			[]string{
				"c.yml | component | type parallel | image debian | script score.py | code ./src",
				"p.yml: jobs.score | job of a pipeline | type parallel | on azureml:gpu | size Standard_NC24ads_A100_v4 (infra/gpu.yml) | image ubuntu (envs/env.yml) | script score.py | code ./src | nodes 2 | conda envs/conda.yml | GPU",
			}},
		{"deployments", "-- on.yml --\n#managedOnlineDeployment\nname: blue\nendpoint_name: e\nmodel: azureml:m:1\nenvironment: {image: debian, conda_file: envs/conda.yml}\ncode_configuration: {code: src, scoring_script: score.py}\ninstance_type: Standard_NC4as_T4_v3\ninstance_count: 2\nenvironment_variables: {A: b}\n-- batch.yml --\n#batchDeployment\nname: b\nendpoint_name: e\nmodel: azureml:m@latest\nenvironment: azureml:env:2\ncompute: azureml:gpu\nresources: {instance_count: 4}\n",
			[]string{
				"batch.yml | deployment | on azureml:gpu | size Standard_NC24ads_A100_v4 (infra/gpu.yml) | image ubuntu (envs/env.yml) | nodes 4 | conda envs/conda.yml | GPU",
				"on.yml | deployment | on Standard_NC4as_T4_v3 | size Standard_NC4as_T4_v3 | image debian | script score.py | code src | nodes 2 | conda envs/conda.yml | A=b | GPU",
			}},
		{"a schedule", "-- s.yml --\n#schedule\nname: s\ntrigger: {type: cron}\ncreate_job: {type: pipeline, jobs: {a: {command: b, environment: 'azureml:env:2'}}}\n",
			[]string{"s.yml: create_job.jobs.a | job of a pipeline | image ubuntu (envs/env.yml) | command b | conda envs/conda.yml"}},
		{"aliases and merge keys", "-- p.yml --\n#pipelineJob\ntype: pipeline\nx: &x {command: a, environment: 'azureml:env:2'}\njobs: &jobs\n  one: *x\n  two: *x\n  three: {<<: *x, compute: azureml:gpu}\n  four: {type: pipeline, jobs: *jobs}\n  five: &five {component: *five}\n",
			[]string{
				"p.yml: jobs.one | job of a pipeline | image ubuntu (envs/env.yml) | command a | conda envs/conda.yml",
				"p.yml: jobs.three | job of a pipeline | on azureml:gpu | size Standard_NC24ads_A100_v4 (infra/gpu.yml) | image ubuntu (envs/env.yml) | command a | conda envs/conda.yml | GPU",
				"p.yml: jobs.five | job of a pipeline",
			}},
		{"files that name each other", "-- a.yml --\n#pipelineComponent\ntype: pipeline\njobs: {b: {component: b.yml}}\n-- b.yml --\n#pipelineComponent\ntype: pipeline\njobs: {a: {component: a.yml}, c: {component: c.yml}}\n-- c.yml --\n#commandComponent\nname: c\ncommand: c\ncomponent: c.yml\n",
			[]string{
				"b.yml: jobs.c | job of a pipeline | runs c.yml | command c (c.yml)",
				"c.yml | component | command c",
			}},
		{"not of v2", "-- aml_config/c.runconfig --\nTarget: t\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := load(t, withSchema.Replace(shared+c.files))
			var got []string
			for _, j := range p.Jobs {
				if j.Name != "parts/train.yml" && j.Dialect == schema.V2 {
					got = append(got, said(j))
				}
			}
			testkit.Same(t, c.want, got)
			hold(t, p)
		})
	}
}

// hold checks what Job and Target promise.
func hold(t *testing.T, p *schema.Project) {
	t.Helper()
	for _, j := range p.Jobs {
		if j.Name == "" || j.File == nil || j.Dialect == schema.NoDialect || j.Node == nil || j.SDK == nil || j.V2 == nil {
			t.Errorf("%q: incomplete: %+v", j.Name, j)
		}
		if (j.Kind == schema.Configuration) == (j.Dialect == schema.V2) {
			t.Errorf("%s of %s is a %s", j.Name, j.Dialect, j.Kind)
		}
		at := 0
		for _, of := range targetJobs(j) {
			if of == j {
				at++
			}
		}
		if j.Dialect == schema.V2 && j.Target == nil || j.Target != nil && at != 1 {
			t.Errorf("%s is %d times at its target", j.Name, at)
		}
	}
	for _, j := range p.RunConfigurations() {
		if j.Dialect == schema.V2 {
			t.Errorf("%s is no run configuration", j.Name)
		}
	}
}

// TestRunConfigurationsBesideV2 checks that v2 jobs, which are sorted before run configurations, do not replace them.
func TestRunConfigurationsBesideV2(t *testing.T) {
	archive, want := "-- +job.yml --\ncommand: ls\nenvironment: azureml:e:1\ncompute: azureml:c\n", []string(nil)
	for _, name := range []string{"b", "c", "d", "e", "f"} {
		archive += "-- .azureml/" + name + ".runconfig --\nscript: train.py\ntarget: local\n"
		want = append(want, name)
		var got []string
		for _, j := range load(t, archive).RunConfigurations() {
			got = append(got, j.Name)
		}
		testkit.Same(t, want, got, name)
	}
}

func targetJobs(j *schema.Job) []*schema.Job {
	if j.Target == nil {
		return nil
	}
	return j.Target.Jobs
}

// TestLinks finds what files of v2 name, by paths and names, in other folders of one repository, and nothing that is
// not sure.
func TestLinks(t *testing.T) {
	for _, c := range []struct {
		name, files, kind, key string
		want                   string // the file, or ""
	}{
		{"a compute", "compute: azureml:gpu\n", "compute", "compute", "infra/gpu.yml"},
		{"a compute without azureml", "compute: gpu\n", "compute", "compute", "infra/gpu.yml"},
		{"another compute", "compute: azureml:cpu\n", "compute", "compute", ""},
		{"a compute by its id", "compute: /subscriptions/s/computes/gpu\n", "compute", "compute", ""},
		{"the version", "environment: azureml:env:2\n", "environment", "environment", "envs/env.yml"},
		{"another version", "environment: azureml:env:1\n", "environment", "environment", ""},
		{"latest", "environment: azureml:env@latest\n", "environment", "environment", "envs/env.yml"},
		{"another label", "environment: azureml:env@stable\n", "environment", "environment", ""},
		{"no version", "environment: azureml:env\n", "environment", "environment", "envs/env.yml"},
		{"no azureml", "environment: env\n", "environment", "environment", ""},
		{"a path", "environment: file:../envs/env.yml\n", "environment", "environment", "envs/env.yml"},
		{"a path to nothing", "environment: file:../envs/no.yml\n", "environment", "environment", ""},
		{"a registry", "environment: azureml://registries/r/environments/env/versions/2\n", "environment", "environment", ""},
		{"an expression", "compute: ${{parent.inputs.compute}}\n", "compute", "compute", ""},
		{"a template", "compute: azureml:{{ gpu }}\n", "compute", "compute", ""},
		{"in place", "environment: {image: ubuntu}\n", "environment", "environment", ""},
		{"nothing", "", "environment", "environment", ""},
		{"a component", "component: azureml:train:1\n", "component", "component", "parts/train.yml"},
		{"a component by path", "component: ../parts/train.yml\n", "component", "component", "parts/train.yml"},
		{"a model", "model: azureml:m:1\n", "model", "model", "models/1.yml"},
		{"of two models the version", "model: azureml:m:2\n", "model", "model", "models/2.yml"},
		{"of two models none", "model: azureml:m@latest\n", "model", "model", ""},
		{"of two models no third", "model: azureml:m:3\n", "model", "model", ""},
		{"an endpoint", "endpoint_name: e\n", "online-endpoint", "endpoint_name", "endpoint.yml"},
		{"an endpoint of another kind", "endpoint_name: e\n", "batch-endpoint", "endpoint_name", ""},
		{"data", "path: azureml:d@latest\n", "data", "path", "data.yml"},
		{"a datastore", "path: azureml://datastores/blob/paths/a\n", "data", "path", "store.yml"},
		{"twice", "compute: azureml:twice\n", "compute", "compute", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := load(t, withSchema.Replace(shared+`
-- models/1.yml --
#model
name: m
version: 1
-- models/2.yml --
#model
name: m
version: 2
-- endpoint.yml --
#managedOnlineEndpoint
name: e
-- data.yml --
#data
name: d
-- store.yml --
#azureBlob
name: blob
-- a/twice.yml --
#amlCompute
name: twice
size: Standard_D2_v3
-- b/twice.yml --
#amlCompute
name: twice
size: Standard_NC4as_T4_v3
-- jobs/this.yml --
#commandJob
`+c.files))
			f := p.FileAt("jobs/this.yml")
			got := ""
			if to := p.Linked(schema.V2Kind(c.kind), schema.FieldAt(f, f.Root(), c.key)); to != nil {
				got = to.Rel
			}
			if got != c.want {
				t.Errorf("leads to %q, want %q", got, c.want)
			}
		})
	}
}
