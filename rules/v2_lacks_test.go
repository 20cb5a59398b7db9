package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/testkit"
)

const addressV2 = "$schema: https://azuremlschemas.azureedge.net/latest/"

// TestV2Lacks checks the findings in files that the Azure ML client accepts, or checks only together with others.
func TestV2Lacks(t *testing.T) {
	component := "-- c.yml --\n" + addressV2 + "pipelineComponent.schema.json\nname: c\ntype: pipeline\njobs:\n  a: {command: echo, environment: 'azureml:e:1'}\n"
	pipeline := "-- p.yml --\n" + addressV2 + "pipelineJob.schema.json\ntype: pipeline\n"
	environment := "-- env.yml --\n" + addressV2 + "environment.schema.json\nname: taxi-train\nimage: mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu22.04:20250601.v1\n"
	job := "-- j.yml --\n" + addressV2 + "commandJob.schema.json\ncommand: echo\nenvironment: "
	distillation := "-- t.yml --\n" + addressV2 + "distillationJob.schema.json\ntype: distillation\ndata_generation_task_type: nli\n" +
		"teacher_model_endpoint_connection: {type: serverless, name: t, endpoint: 'https://example.com', api_key: '{{ KEY }}'}\nstudent_model: azureml:m:1\ndata_generation_type: "
	for name, c := range map[string]struct{ project, want string }{
		"no compute":              {pipeline + "jobs:\n  a: {command: echo, environment: 'azureml:e:1'}\n", "p.yml:4 error schema/missing-key"},
		"a default, misplaced":    {pipeline + "defaults: {compute: azureml:c}\njobs:\n  a: {command: echo, environment: 'azureml:e:1'}\n", "p.yml:3 error schema/unknown-key"},
		"a default":               {pipeline + "settings: {default_compute: azureml:c}\njobs:\n  a: {command: echo, environment: 'azureml:e:1'}\n", ""},
		"no compute, inside":      {pipeline + "jobs:\n  a: {type: pipeline, component: c.yml}\n" + component, "p.yml:4 error schema/missing-key"},
		"no compute, by the path": {pipeline + "component: c.yml\n" + component, "p.yml:3 error schema/missing-key"},
		"Spark on serverless":     {pipeline + "jobs:\n  a: {type: spark, component: 'azureml:s:1'}\n", ""},
		"no jobs":                 {pipeline, "p.yml:1 error schema/missing-key"},
		"nothing to label":        {distillation + "label_generation\n", "t.yml:1 error schema/missing-key"},
		"no labels to check":      {distillation + "LABEL_GENERATION\ntraining_data: {type: uri_file, path: 'azureml:d:1'}\n", "t.yml:1 error schema/missing-key"},
		"labels":                  {distillation + "label_generation\ntraining_data: {type: uri_file, path: 'azureml:d:1'}\nvalidation_data: {type: uri_file, path: 'azureml:d:2'}\n", ""},
		"nothing to generate":     {distillation + "data_generation\n", ""},
		"no name":                 {"-- c.yml --\n" + addressV2 + "commandComponent.schema.json\ntype: command\ncommand: echo\nenvironment: azureml:e:1\n", "c.yml:1 error schema/missing-key"},
		"no name, in a pipeline": {pipeline + "compute: azureml:c\njobs:\n  a: {component: c.yml}\n-- c.yml --\n" + addressV2 +
			"commandComponent.schema.json\ntype: command\ncommand: echo\nenvironment: azureml:e:1\n", ""},
		"a name for pipelines only": {pipeline + "compute: azureml:c\njobs:\n  a: {component: c.yml}\n-- c.yml --\n" + addressV2 +
			"commandComponent.schema.json\nname: A-b\ntype: command\ncommand: echo\nenvironment: azureml:e:1\n", "c.yml:2 info schema/type"},
		"no size":  {"-- c.yml --\n" + addressV2 + "amlCompute.schema.json\nname: cpu\ntype: amlcompute\n", "c.yml:1 info schema/missing-key"},
		"no model": {"-- d.yml --\n" + addressV2 + "managedOnlineDeployment.schema.json\nname: blue\nendpoint_name: abc\ninstance_type: Standard_D4s_v5\n", "d.yml:1 info schema/missing-key"},
		"a scoring script alone": {"-- d.yml --\n" + addressV2 + "managedOnlineDeployment.schema.json\nname: blue\nendpoint_name: abc\nmodel: azureml:m:1\ninstance_type: Standard_D4s_v5\ncode_configuration: {code: ., scoring_script: s.py}\n-- s.py --\ndef init(): pass\ndef run(data): pass\n",
			"d.yml:1 error schema/missing-key"},
		"a scoring script in batches": {"-- d.yml --\n" + addressV2 + "modelBatchDeployment.schema.json\nname: blue\nendpoint_name: abc\ntype: model\nmodel: azureml:m:1\ncompute: azureml:c\ncode_configuration: {code: ., scoring_script: s.py}\n-- s.py --\ndef init(): pass\ndef run(data): pass\n",
			"d.yml:1 error schema/missing-key"},
		"another hyphen":      {environment + job + "azureml:taxi_train:1\n", "j.yml:3 warning ref/name"},
		"an extra letter":     {environment + job + "azureml:taxi-traain@latest\n", "j.yml:3 info ref/latest\nj.yml:3 warning ref/name"},
		"two letters swapped": {environment + job + "azureml:taxi-trian:1\n", "j.yml:3 warning ref/name"},
		"another letter":      {environment + job + "azureml:taxi-brain:1\n", ""},
		"a number":            {environment + job + "azureml:taxi-train2:1\n", ""},
		"the name":            {environment + job + "azureml:taxi-train:1\n", ""},
		"file: of the previews": {"-- e.yml --\n" + addressV2 + "environment.schema.json\nname: e\nimage: mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu22.04:20250601.v1\nconda_file: file:c.yml\n-- c.yml --\nchannels: [conda-forge]\ndependencies: [python=3.12, pip=24.0]\n",
			"e.yml:4 error ref/conda-file, safe"},
		"humps of a name":          {"-- e.yml --\n" + addressV2 + "managedOnlineEndpoint.schema.json\nname: abcd\nauth_mode: AadToken\n", ""},
		"humps after _":            {"-- e.yml --\n" + addressV2 + "managedOnlineEndpoint.schema.json\nname: abcd\nauth_mode: Aad_Token\n", "e.yml:3 error schema/value, safe"},
		"capitals":                 {"-- e.yml --\n" + addressV2 + "managedOnlineEndpoint.schema.json\nname: abcd\nauth_mode: AAD_TOKEN\n", ""},
		"file:// of a conda file":  {"-- e.yml --\n" + addressV2 + "environment.schema.json\nname: e\nimage: a/b:1\nconda_file: file://c.yml\n-- c.yml --\nchannels: [conda-forge]\ndependencies: [python=3.12, pip=24.0]\n", "e.yml:4 error ref/conda-file, safe"},
		"file:// from the root":    {"-- e.yml --\n" + addressV2 + "environment.schema.json\nname: e\nimage: a/b:1\nconda_file: file:///c.yml\n-- c.yml --\nchannels: [conda-forge]\ndependencies: [python=3.12, pip=24.0]\n", "e.yml:4 error ref/conda-file"},
		"an asset as conda file":   {"-- e.yml --\n" + addressV2 + "environment.schema.json\nname: e\nimage: a/b:1\nconda_file: azureml:conda:1\n", "e.yml:4 error ref/conda-file"},
		"an address as conda file": {"-- e.yml --\n" + addressV2 + "environment.schema.json\nname: e\nimage: a/b:1\nconda_file: https://example.com/c.yml\n", "e.yml:4 error ref/conda-file"},
		"an asset as build folder": {"-- e.yml --\n" + addressV2 + "environment.schema.json\nname: e\nbuild: {path: \"azureml:ctx:1\"}\n", "e.yml:3 error ref/script"},
		"git+ as build folder":     {"-- e.yml --\n" + addressV2 + "environment.schema.json\nname: e\nbuild: {path: \"git+https://github.com/a/b\"}\n", "e.yml:3 error ref/script"},
		"a repository is built":    {"-- e.yml --\n" + addressV2 + "environment.schema.json\nname: e\nbuild: {path: \"https://github.com/a/b.git#main:dir\"}\n", ""},
		"from the root":            {"-- j.yml --\n" + addressV2 + "commandJob.schema.json\ncommand: echo\nenvironment: azureml:e:1\ncode: /no/such/folder\n", "j.yml:4 error ref/script"},
		"on a Windows drive":       {"-- j.yml --\n" + addressV2 + "commandJob.schema.json\ncommand: echo\nenvironment: azureml:e:1\ncode: C:\\src\n", "j.yml:4 error ref/script"},
		"on this computer": {"-- j.yml --\n" + addressV2 + "commandJob.schema.json\ncommand: echo\nenvironment: azureml:e:1\ncode: " + t.TempDir() + "\n",
			"j.yml:4 warning ref/script"},
		"of another kind": {"-- e.yml --\n" + addressV2 + "managedOnlineDeployment.schema.json\nname: e\nconda_file: c.yml\nimage: mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu22.04:20250601.v1\n-- c.yml --\nchannels: [conda-forge]\ndependencies: [python=3.12, pip=24.0]\n",
			"e.yml:1 warning v2/schema-mismatch, unsafe"},
		"an index that is not there": {"-- i.yml --\n" + addressV2 + "index.schema.json\nname: i\nversion: '1'\npath: ./nowhere\n", "i.yml:4 warning ref/path"},
		"a connection to a store":    {"-- c.yml --\n" + addressV2 + "connection.schema.json\nname: c\ntype: azure_blob\nurl: https://acc.blob.core.windows.net/data\naccount_name: acc\ncontainer_name: data\ncredentials: {type: account_key, account_key: x}\n", ""},
		"a number for others":        {"-- j.yml --\n" + addressV2 + "commandJob.schema.json\ncommand: echo\nenvironment: azureml:e:1\ncode: 1e3\n", "j.yml:4 error ref/script"},
		"a number for all":           {"-- j.yml --\n" + addressV2 + "commandJob.schema.json\ncommand: echo\nenvironment: azureml:e:1\ncode: 1.5\n", "j.yml:4 error schema/type, unsafe"},
		"build: a number":            {"-- e.yml --\n" + addressV2 + "environment.schema.json\nname: e\nbuild:\n  path: 1e3\n", "e.yml:4 error ref/script"},
		"a folder named with digits": {"-- j.yml --\n" + addressV2 + "commandJob.schema.json\ncommand: echo\nenvironment: azureml:e:1\ncode: 1e3\n-- 1e3/a.py --\n", ""},
		"a date as version":          {"-- m.yml --\n" + addressV2 + "model.schema.json\nname: m\npath: azureml:x:1\nversion: 2026-11-22\n", "m.yml:4 error schema/type, unsafe"},
		"date in flow style": {"-- d.json --\n{\"$schema\": \"" + strings.TrimPrefix(addressV2, "$schema: ") + "data.schema.json\", name: d, path: 'https://example.com/d', version: 2026-11-22}\n",
			"d.json:1 error schema/type, unsafe"},
		"a quoted date":        {"-- m.yml --\n" + addressV2 + "model.schema.json\nname: m\npath: azureml:x:1\nversion: '2026-11-22'\n", ""},
		"a component's date":   {"-- c.yml --\n" + addressV2 + "commandComponent.schema.json\nname: c\nversion: 2026-11-22\ncommand: echo\nenvironment: azureml:e:1\n", ""},
		"a version of 1e3":     {"-- m.yml --\n" + addressV2 + "model.schema.json\nname: m\npath: azureml:x:1\nversion: 1e3\n", ""},
		"no type of a column":  {"-- f.yml --\n" + addressV2 + "featureStoreEntity.schema.json\nname: f\nversion: 1\nindex_columns:\n- {name: id, type: uri_folder}\n", "f.yml:3 error schema/type, safe\nf.yml:5 error schema/value"},
		"the type of a column": {"-- f.yml --\n" + addressV2 + "featureStoreEntity.schema.json\nname: f\nversion: '1'\nindex_columns:\n- {name: id, type: String}\n", ""},
		"below resources":      {"-- j.yml --\n" + addressV2 + "commandJob.schema.json\ncommand: echo\nenvironment: azureml:e:1\ninstance_count: 2\nresources:\n  shm_size: 2g\n", "j.yml:4 error schema/unknown-key, safe"},
		"with a comment":       {"-- j.yml --\n" + addressV2 + "commandJob.schema.json\ncommand: echo\nenvironment: azureml:e:1\ninstance_count: 2 # two\nresources:\n  shm_size: 2g\n", "j.yml:4 error schema/unknown-key"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			p := load(t, c.project)
			for _, f := range rules.Check(p) {
				text := fmt.Sprintf("%s:%d %s %s", p.File(f.Source.Path).Rel, f.Source.Position(f.Span.Start).Line, f.Severity, f.Rule)
				if f.Fix != nil && f.Rule != "ref/name" {
					text += ", " + fmt.Sprint(f.Fix.Applicability)
				}
				if f.Severity > finding.Info || f.Rule != "image/removed" && f.Rule != "image/unpinned" {
					got = append(got, text)
				}
			}
			testkit.Same(t, c.want, strings.Join(got, "\n"))
		})
	}
}
