package fixers_test

import (
	"fmt"
	"path/filepath"

	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

func ExampleRepair() {
	roots, err := schema.Discover([]string{"../testdata/article/aml_config/gpuvm.compute"})
	if err != nil {
		fmt.Println(err)
	}
	patch, err := fixers.Repair(schema.Load(roots[0], schema.Options{Host: "linux"}), fixers.Options{
		Recheck: rules.Check,
		Allow:   func(f finding.Finding) bool { return f.Rule == "gpu/framework" },
	})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%s", patch.Diff(fixers.DiffOptions{Name: filepath.Base})) // patch.Commit would write it
	// Output:
	// --- a/gpuvm.runconfig
	// +++ b/gpuvm.runconfig
	// @@ -2,7 +2,7 @@
	//  - $file
	//  CondaDependenciesFile: aml_config/conda_dependencies.yml
	//  EnvironmentVariables: null
	// -Framework: PySpark
	// +Framework: Python
	//  PrepareEnvironment: true
	//  SparkDependenciesFile: aml_config/spark_dependencies.yml
	//  Target: gpuvm
	// --- a/workstation.runconfig
	// +++ b/workstation.runconfig
	// @@ -2,4 +2,5 @@
	//  ArgumentVector:
	//    - "$file"
	//  Target: "workstation"
	// +Framework: "Python"
	//  PrepareEnvironment: true
}
