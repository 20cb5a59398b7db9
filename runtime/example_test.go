package runtime_test

import (
	"fmt"

	"github.com/amlfix/amlfix/runtime"
	"github.com/amlfix/amlfix/schema"
)

// A plan says what a run would do, and which line of which file each part comes from. Nothing is started.
func ExampleNewPlan() {
	roots, err := schema.Discover([]string{"../testdata/article"})
	if err != nil {
		panic(err)
	}
	job := schema.Load(roots[0], schema.Options{}).Jobs[0]
	plan, err := runtime.NewPlan(job, runtime.Options{Project: roots[0].Dir, Script: "train.py", Args: []string{"--epochs", "3"}})
	if err != nil {
		panic(err)
	}
	fmt.Println(plan.Kind.Value, plan.Target.Value, "by", plan.Target.Origin)
	for _, line := range plan.Lines() {
		if line.Name == "image" || line.Name == "gpus" || line.Name == "argument" {
			fmt.Println(line)
		}
	}
	// Output:
	// docker gpuvm by aml_config/gpuvm.runconfig:8
	// image        microsoft/mmlspark:plus-0.9.9  (aml_config/gpuvm.compute:2)
	// gpus         all  (aml_config/gpuvm.compute:4)
	// argument     train.py  (aml_config/gpuvm.runconfig:2, $file is the script of the command line)
	// argument     --epochs  (command line)
	// argument     3  (command line)
}
