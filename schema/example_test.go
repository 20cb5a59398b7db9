package schema_test

import (
	"fmt"

	"github.com/amlfix/amlfix/schema"
)

func Example() {
	roots, err := schema.Discover([]string{"../testdata"})
	if err != nil {
		fmt.Println(err)
	}
	for _, root := range roots {
		project := schema.Load(root, schema.Options{})
		for _, job := range project.Jobs {
			fmt.Printf("%s runs on %s, framework %s (given: %v), GPU: %v\n",
				job.Name, job.TargetName.Text, job.Framework.Text, job.Framework.Explicit, job.Target.GPU())
		}
	}
	// Output:
	// gpuvm runs on gpuvm, framework PySpark (given: true), GPU: true
	// local runs on local, framework Python (given: true), GPU: false
	// workstation runs on workstation, framework PySpark (given: false), GPU: true
}
