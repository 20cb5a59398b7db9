package playground

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

const conda = "aml_config/conda_dependencies.yml"

// sample is a project for which the page shows only errors.
var sample = map[string]string{
	"aml_config/vm.compute":   "type: remotedocker\naddress: vm.example.com\nusername: me\nbaseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9\n",
	"aml_config/vm.runconfig": "ArgumentVector: [$file]\nTarget: vm\nFramework: Python\nCondaDependenciesFile: " + conda + "\n",
	conda:                     "dependencies:\n  - python=3.5.2\n  - tensorflow=1.4.1\n",
}

// with returns the sample with some texts replaced.
func with(texts map[string]string) map[string]string {
	files := maps.Clone(sample)
	maps.Copy(files, texts)
	return files
}

// asked returns the answer to a request as the page gets it.
func asked(t *testing.T, r Request) (out Response) {
	t.Helper()
	text, err := json.Marshal(r)
	testkit.OK(t, err)
	testkit.OK(t, json.Unmarshal(Answer(text), &out))
	return out
}

// shown abbreviates findings, without infos.
func shown(r Response) (list []string) {
	for _, f := range r.Findings {
		if f.Severity != "info" {
			list = append(list, fmt.Sprintf("%s:%d:%d %s %s %q %v", f.File, f.Line, f.Column, f.Severity, f.Rule, f.Fixes, f.Safe))
		}
	}
	return list
}

func TestAnswer(t *testing.T) {
	const (
		nvidia = `aml_config/vm.compute:4:1 error gpu/nvidia-docker ["Set nvidiaDocker to true"] true`
		cpu    = conda + `:3:5 error gpu/cpu-package ["Use \"tensorflow-gpu\""] true`
	)
	gone := "no longer one of theirs"
	repaired := with(map[string]string{conda: "dependencies:\n  - python=3.5.2\n  - tensorflow-gpu=1.4.1\n"})
	// A GPU package on what may be a CPU target: a decision, where each answer includes everything it leads to.
	undecided := with(map[string]string{conda: repaired[conda], "aml_config/vm.compute": strings.Replace(sample["aml_config/vm.compute"], "plus-gpu", "plus", 1)})
	decision := conda + `:3:5 warning gpu/gpu-package-on-cpu ["Make \"vm\" a GPU target" "Keep \"vm\" a CPU target and use \"tensorflow\""] false`
	asCPU := with(undecided)
	asCPU[conda] = sample[conda]
	safe := maps.Clone(repaired)
	safe["aml_config/vm.compute"] += "nvidiaDocker: true\n"
	for _, tt := range []struct {
		name    string
		request Request
		files   map[string]string
		want    []string
		made    []string
		problem string
	}{
		{"check", Request{Files: sample}, sample, []string{cpu, nvidia}, []string{}, ""},
		{"fix", Request{Files: sample, Fix: 1}, repaired, []string{nvidia}, []string{`Use "tensorflow-gpu"`}, ""},
		{"safe", Request{Files: sample, Safe: true}, safe, nil, []string{`Use "tensorflow-gpu"`, "Set nvidiaDocker to true"}, ""},
		{"nothing left", Request{Files: safe, Safe: true}, safe, nil, []string{}, ""},
		{"decision", Request{Files: undecided}, undecided, []string{decision}, []string{}, ""},
		{"decided for a GPU", Request{Files: undecided, Fix: 1}, safe, nil, []string{`Make "vm" a GPU target`}, ""},
		{"decided for none", Request{Files: undecided, Fix: 1, Answer: 1}, asCPU, nil, []string{`Keep "vm" a CPU target and use "tensorflow"`}, ""},
		{"undecided", Request{Files: undecided, Safe: true}, undecided, []string{decision}, []string{}, ""},
		{"no such finding", Request{Files: sample, Fix: 99}, sample, []string{cpu, nvidia}, []string{}, gone},
		{"no such answer", Request{Files: sample, Fix: 1, Answer: 1}, sample, []string{cpu, nvidia}, []string{}, gone},
		{"negative", Request{Files: sample, Fix: 1, Answer: -1}, sample, []string{cpu, nvidia}, []string{}, gone},
		{"outside", Request{Files: with(map[string]string{"../vm.compute": "x"})}, sample, []string{cpu, nvidia}, []string{}, "../vm.compute: not a path in a project"},
		{"absolute", Request{Files: with(map[string]string{"/etc/vm.compute": "x"})}, sample, []string{cpu, nvidia}, []string{}, "not a path in a project"},
		{"too large", Request{Files: with(map[string]string{"a.compute": strings.Repeat("#", source.MaxSize+1)})}, sample, []string{cpu, nvidia}, []string{}, "larger than 1 MiB"},
		{"nothing", Request{}, map[string]string{}, nil, []string{}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := asked(t, tt.request)
			testkit.Same(t, tt.files, got.Files)
			testkit.Same(t, tt.want, shown(got))
			testkit.Same(t, tt.made, got.Made)
			if tt.problem == "" && got.Problem != "" || !strings.Contains(got.Problem, tt.problem) {
				t.Errorf("problem %q", got.Problem)
			}
		})
	}
	var broken Response
	testkit.OK(t, json.Unmarshal(Answer([]byte("{")), &broken))
	if broken.Problem == "" {
		t.Error("a request that is not JSON is answered")
	}
}

// TestVisible checks that the page shows everything in a message, and no password.
func TestVisible(t *testing.T) {
	files := with(map[string]string{"aml_config/vm.runconfig": "Target: \"\\u202Emv\\u0007\"\nFramework: Python\n", "aml_config/vm.compute": sample["aml_config/vm.compute"] + "password: hunter2hunter2\n"})
	text, err := json.Marshal(asked(t, Request{Files: files}).Findings)
	testkit.OK(t, err)
	for _, bad := range []string{"\u202e", "\a", `\u0007`, "hunter2"} {
		if strings.Contains(string(text), bad) {
			t.Errorf("%q in %s", bad, text)
		}
	}
	if !strings.Contains(string(text), "ref/target") || !strings.Contains(string(text), "password") {
		t.Errorf("not about them: %s", text)
	}
}

// TestExamples gives the page those examples of rules that consist only of Workbench files: it shows what commands find
// in the same files on disk, makes the repairs that --apply makes, and makes each repair that it offers.
func TestExamples(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // repairs are recorded
	offered := 0
	for _, rule := range rules.All() {
		if slices.ContainsFunc(txtar.Parse([]byte(rule.Bad)).Files, func(f txtar.File) bool { return !strings.HasPrefix(f.Name, "aml_config/") }) {
			continue // what else a project may refer to is looked up on disk
		}
		archive := txtar.Parse([]byte(rule.Bad))
		files := map[string]string{}
		for _, f := range archive.Files {
			files[f.Name] = string(f.Data)
		}
		t.Run(rule.ID, func(t *testing.T) {
			got := asked(t, Request{Files: files})
			engine := &check.Engine{Dir: schema.Identity(testkit.Lay(t, files))}
			var want, all []string
			for _, root := range engine.Discover(nil).Roots {
				for _, f := range engine.Checker(check.Options{}).Check(root).Findings {
					if f.Suppression == nil {
						want = append(want, engine.Rel(f.Source.Path)+" "+f.Rule)
					}
				}
			}
			for _, f := range got.Findings {
				all = append(all, f.File+" "+f.Rule)
			}
			testkit.Same(t, slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(all)))
			for i, f := range got.Findings {
				for j, title := range f.Fixes {
					offered++
					after := asked(t, Request{Files: files, Fix: i + 1, Answer: j})
					if after.Problem != "" || len(after.Made) != 1 || after.Made[0] != title || maps.Equal(after.Files, files) {
						t.Errorf("%s: %s: %q, %q", f.Rule, title, after.Made, after.Problem)
					}
				}
			}
			applied := asked(t, Request{Files: files, Safe: true})
			checker := engine.Checker(check.Options{Repair: true, Write: true})
			for _, root := range engine.Discover(nil).Roots {
				testkit.OK(t, checker.Check(root).Err)
			}
			disk := testkit.Contents(t, engine.Dir)
			for name := range disk {
				if strings.HasPrefix(filepath.ToSlash(name), ".amlfix/") {
					delete(disk, name) // kept for undo
				}
			}
			testkit.Same(t, disk, applied.Files)
		})
	}
	if offered < 30 {
		t.Errorf("only %d repairs were offered", offered)
	}
}
