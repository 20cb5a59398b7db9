package lsp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestAnswers makes each answer to a fix that leaves a decision open: here, whether a target without evidence of a GPU
// should have one, since its environment has a GPU build.
func TestAnswers(t *testing.T) {
	t.Parallel()
	files := article()
	files["aml_config/vm.compute"] = "type: remotedocker\naddress: vm.example.com\nusername: me\nbaseDockerImage: microsoft/mmlspark:plus-0.9.9\n"
	conda := "aml_config/conda_dependencies.yml"
	files[conda] = strings.Replace(files[conda], "tensorflow=", "tensorflow-gpu=", 1)
	e := edit(t, testkit.Lay(t, files), sees)
	e.open(conda, files[conda])
	got := map[string]map[string]string{}
	for _, a := range e.actions(conda, "quickfix") {
		if !strings.HasPrefix(a.Title, "Ignore ") {
			got[a.Title] = e.applied(files, a.Edit)
		}
	}
	cpu := strings.Replace(files[conda], "tensorflow-gpu=", "tensorflow=", 1)
	gpu := strings.Replace(files["aml_config/vm.compute"], "plus-0.9.9", "plus-gpu-0.9.9\nnvidiaDocker: true", 1)
	for title, now := range got {
		if now[conda] != cpu && now["aml_config/vm.compute"] != gpu {
			t.Errorf("%s: %v", title, now)
		}
	}
	if len(got) != 2 {
		t.Errorf("%d answers: %v", len(got), got)
	}
}

// TestManyFindings selects all of a file with many findings: only the first ones are proved and offered.
func TestManyFindings(t *testing.T) {
	t.Parallel()
	files, conda := article(), "aml_config/conda_dependencies.yml"
	var b strings.Builder
	b.WriteString("name: a\ndependencies:\n")
	for i := range 2 * mostOffered {
		fmt.Fprintf(&b, "- python3.%d\n", 10+i)
	}
	files[conda] = b.String()
	e := edit(t, testkit.Lay(t, files), sees)
	e.open(conda, files[conda])
	fixes, ignores := 0, 0
	for _, a := range e.actions(conda, "quickfix") {
		if strings.HasPrefix(a.Title, "Ignore ") {
			ignores++
		} else {
			fixes++
		}
	}
	if fixes != mostOffered || ignores != 1 {
		t.Errorf("%d fixes and %d comments, want %d and 1", fixes, ignores, mostOffered)
	}
}
