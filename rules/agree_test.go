package rules_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/testkit"
)

// everyCase calls check for the project of every case and of every bad example.
func everyCase(t *testing.T, check func(t *testing.T, p *schema.Project, found []finding.Finding)) {
	t.Helper()
	for _, name := range testkit.Glob(t, "testdata", "*.txtar") {
		text := []byte(testkit.Read(t, name))
		t.Run(filepath.Base(name), func(t *testing.T) {
			p := loadFiles(t, txtar.Parse(text))
			check(t, p, rules.Check(p))
		})
	}
	for _, rule := range rules.All() {
		t.Run(rule.ID, func(t *testing.T) {
			p := load(t, rule.Bad)
			check(t, p, rules.Check(p))
		})
	}
}

// TestAdviceAgrees checks that no two findings ask for different values in one place, and that each says what its fix
// does.
func TestAdviceAgrees(t *testing.T) {
	everyCase(t, func(t *testing.T, _ *schema.Project, found []finding.Finding) {
		wanted := map[string]finding.Finding{}
		for _, f := range found {
			if f.Fix == nil {
				continue
			}
			for _, c := range f.Fix.Changes {
				if c.Op != finding.SetScalar {
					continue
				}
				at := c.File + c.Pointer
				if other, ok := wanted[at]; ok && valueAt(other, c) != c.Value.Text {
					t.Errorf("%s wants %q and %s wants %q", other.Rule, valueAt(other, c), f.Rule, c.Value.Text)
				}
				wanted[at] = f
				if _, url, ok := strings.Cut(f.Message, "; use https://"); ok && len(f.Fix.Changes) == 1 {
					url, _, _ = strings.Cut(url, ";")
					if !strings.Contains(c.Value.Text, url) {
						t.Errorf("%s says %q and writes %q", f.Rule, url, c.Value.Text)
					}
				}
			}
		}
	})
}

// valueAt returns what a finding's fix writes where another change is made.
func valueAt(f finding.Finding, at finding.Change) string {
	for _, c := range f.Fix.Changes {
		if c.Op == finding.SetScalar && c.File == at.File && c.Pointer == at.Pointer {
			return c.Value.Text
		}
	}
	return ""
}

// TestBoundIsLeftAlone checks that no repair changes the name, version or address of a requirement that has a hash or a
// build string.
func TestBoundIsLeftAlone(t *testing.T) {
	const conda, pip = "=1.10.0=mkl_py36_0", " --hash=sha256:aa"
	var items [2][]string
	for _, name := range []string{"tensorflow", "tensorflow-mkl", "tensorflow-gpu", "faiss-cpu", "faiss-gpu", "pytorch-cpu", "caffe", "keras", "tensorflows", "sklearn"} {
		items[0] = append(items[0], name+conda, fmt.Sprintf(`"%s[version=1.10, md5=%s]"`, name, strings.Repeat("a", 32)))
	}
	for _, name := range []string{"tensorflow==1.4.0", "tensorflow-gpu==1.8.0", "onnxruntime==1.12.0", "mxnet==1.5.0", "torch==1.4.0+cpu", "cntk==2.5", "tensorflows==1.4", "cv2==3",
		"tensorflow", "xgboost-cpu==2.1.1", "mxnet-cu90==1.5.0"} {
		items[1] = append(items[1], name+pip)
	}
	for _, flavour := range []string{"CPU-Only", "GPU", "GPU-1bit-SGD"} {
		for _, end := range []string{"cp35-cp35m-linux_x86_64", "cp36-cp36m-win_amd64"} {
			items[1] = append(items[1], fmt.Sprintf("https://cntk.ai/PythonWheel/%s/cntk-2.1-%s.whl#md5=%s", flavour, end, strings.Repeat("b", 32)))
		}
	}
	for _, options := range []string{"", "cpu: vm\n", "choose: cuda=9.0 cntk=1bit-sgd cntk-licence=accepted\n"} {
		for manager, list := range items {
			for _, item := range list {
				archive := options + gpuTarget + "-- aml_config/conda_dependencies.yml --\ndependencies:\n- python=3.5.2\n"
				if manager == 1 {
					archive += "- pip:\n  - " + item + "\n"
				} else {
					archive += "- " + item + "\n"
				}
				for _, f := range rules.Check(load(t, archive)) {
					if f.Fix == nil || f.Fix.Applicability == finding.Choice {
						continue
					}
					for _, c := range f.Fix.Changes {
						for _, c := range append([]finding.Change{c}, c.Changes...) {
							if c.Op == finding.SetScalar && strings.Contains(c.File, "conda") {
								t.Errorf("%s: %s writes %q", item, f.Rule, c.Value.Text)
							}
						}
					}
				}
			}
		}
	}
}

const gpuTarget = `
-- aml_config/vm.runconfig --
ArgumentVector: [a.py]
Target: vm
Framework: Python
-- aml_config/vm.compute --
type: remotedocker
address: vm.example.com
username: me
baseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9
nvidiaDocker: true
`
