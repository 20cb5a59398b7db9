package check

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestUnsaved checks that a text replaces the file's content, wherever the file belongs, and whether or not it exists.
// Only Write writes anything.
func TestUnsaved(t *testing.T) {
	const target, job = "type: remotedocker\naddress: h\nusername: u\nbaseDockerImage: microsoft/mmlspark:plus-0.9.9\n", "Target: vm\nFramework: Python\nArgumentVector: [train.py]\n"
	const env = "dependencies:\n  - python=3.5.2\n"
	good := map[string]string{"p/aml_config/vm.compute": target, "p/aml_config/vm.runconfig": job, "p/aml_config/conda_dependencies.yml": env, "p/train.py": ""}
	tests := map[string]struct {
		disk, texts map[string]string
		paths       []string
		want        []string // warnings and errors, as path and rule
	}{
		"nothing unsaved":            {good, nil, nil, nil},
		"a file is worse":            {good, map[string]string{"p/aml_config/vm.compute": target + "nvidiaDocker: true\n"}, nil, []string{"p/aml_config/vm.compute gpu/base-image"}},
		"a file is better":           {with(good, "p/aml_config/vm.runconfig", "Target: wm\n"), map[string]string{"p/aml_config/vm.runconfig": job}, nil, nil},
		"a file is new":              {good, map[string]string{"p/aml_config/new.runconfig": "Target: none\nFramework: Python\n"}, nil, []string{"p/aml_config/new.runconfig ref/target"}},
		"a file elsewhere":           {with(good, "p/aml_config/vm.runconfig", job+"CondaDependenciesFile: ../env.yml\n", "env.yml", env), map[string]string{"env.yml": "dependencies:\n  -\n"}, nil, []string{"env.yml conda/empty-item"}},
		"not of a job":               {good, map[string]string{"q/env.yml": "dependencies: [\n"}, nil, nil},
		"of v2":                      {good, map[string]string{"q/job.yml": "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncomand: x\n"}, nil, []string{"q/job.yml schema/missing-key", "q/job.yml schema/unknown-key"}},
		"of v2, saved before":        {map[string]string{"q/job.yml": "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: x\n"}, map[string]string{"q/job.yml": "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncomand: x\n"}, nil, []string{"q/job.yml schema/missing-key", "q/job.yml schema/unknown-key"}},
		"the settings":               {with(good, "p/aml_config/vm.compute", target+"wrong: 1\n"), map[string]string{"p/.amlfix.yaml": "ignore: [schema/unknown-key]\n"}, nil, nil},
		"settings saved, then other": {with(good, "p/aml_config/vm.compute", target+"wrong: 1\n", "p/.amlfix.yaml", "ignore: [schema]\n"), map[string]string{"p/.amlfix.yaml": "ignore: []\n"}, nil, []string{"p/aml_config/vm.compute schema/unknown-key"}},
		"faults of settings":         {good, map[string]string{"p/.amlfix.yaml": "ignore: [no/rule]\n"}, nil, []string{"p/.amlfix.yaml schema/value"}},
		"a project of texts":         {nil, map[string]string{"p/aml_config/vm.runconfig": "Target: none\nFramework: Python\n"}, nil, []string{"p/aml_config/vm.runconfig ref/target"}},
		"two projects":               {good, map[string]string{"q/aml_config/vm.compute": target + "wrong: 1\n"}, nil, []string{"q/aml_config/vm.compute schema/unknown-key"}},
		"only what is asked for":     {good, map[string]string{"q/aml_config/vm.compute": target + "wrong: 1\n"}, []string{"p"}, nil},
		"a folder of texts":          {good, map[string]string{"q/aml_config/vm.compute": target + "wrong: 1\n"}, []string{"q"}, []string{"q/aml_config/vm.compute schema/unknown-key"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := schema.Identity(t.TempDir())
			at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
			for name, text := range tt.disk {
				write(t, at(name), text)
			}
			e := &Engine{Dir: dir, Texts: map[string][]byte{}}
			for name, text := range tt.texts {
				e.Texts[at(name)] = []byte(text)
			}
			found := e.Discover(tt.paths)
			if len(found.Problems) > 0 {
				t.Error(found.Problems)
			}
			var got []string
			for _, r := range found.Roots {
				result := e.Checker(Options{Repair: true}).Check(r)
				for _, f := range e.Checker(Options{}).Check(r).Findings {
					if f.Severity > finding.Info {
						got = append(got, e.Rel(f.Source.Path)+" "+f.Rule)
					}
				}
				if result.Err != nil {
					t.Error(result.Err)
				}
			}
			slices.Sort(got)
			testkit.Same(t, tt.want, got)
			for name := range tt.texts {
				if text, err := os.ReadFile(at(name)); err == nil && string(text) != tt.disk[name] || err != nil && tt.disk[name] != "" {
					t.Errorf("%s was written", name)
				}
			}
		})
	}
}

// with returns a copy of files with additions: name, text, name, text.
func with(files map[string]string, more ...string) map[string]string {
	all := map[string]string{}
	maps.Copy(all, files)
	for i := 0; i < len(more); i += 2 {
		all[more[i]] = more[i+1]
	}
	return all
}

func write(t *testing.T, name, text string) {
	t.Helper()
	testkit.OK(t, os.MkdirAll(filepath.Dir(name), 0o755))
	testkit.OK(t, os.WriteFile(name, []byte(text), 0o600))
}
