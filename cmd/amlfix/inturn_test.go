package main

import (
	"fmt"
	"testing"
)

// TestManyShare checks that the diffs of many projects that share environments can be applied one after the other with
// the same result as --apply, in whatever order the workers planned them.
//
//testkit:norace
func TestManyShare(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 4 {
		files[fmt.Sprintf("env%d.yml", i)] = "dependencies:\n  - tensorflow\n  - pip:\n    - https://cntk.ai/PythonWheel/CPU-Only/cntk-2.3-cp35-cp35m-linux_x86_64.whl\n"
	}
	for i := range 60 {
		project := fmt.Sprintf("p%02d/", i)
		files[project+"aml_config/vm.compute"] = "type: remotedocker\naddress: a\nusername: b\nbaseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9\n"
		files[project+"aml_config/vm.runconfig"] = fmt.Sprintf("ArgumentVector: [train.py]\nTarget: vm\nCondaDependenciesFile: ../env%d.yml\n", i*i%4)
		files[project+"train.py"] = ""
	}
	for range 5 {
		if !applyOne(t, "projects that share", files) {
			t.Fatal("nothing was repaired")
		}
	}
}
