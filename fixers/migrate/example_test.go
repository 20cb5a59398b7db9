package migrate_test

import (
	"fmt"

	"github.com/amlfix/amlfix/fixers/migrate"
	v2 "github.com/amlfix/amlfix/fixers/migrate/v2"
	"github.com/amlfix/amlfix/schema"
)

func ExampleNew() {
	roots, err := schema.Discover([]string{"../../testdata/article"})
	if err != nil {
		fmt.Println(err)
	}
	m, err := migrate.New(schema.Load(roots[0], schema.Options{}), v2.Emitter{}, migrate.Options{
		Configs: []string{"gpuvm"}, Script: "train.py", Out: "azureml",
	})
	if err != nil {
		fmt.Println(err)
	}
	for _, f := range m.Files { // m.Commit would write them
		fmt.Println(f.Path)
	}
	for _, d := range m.Open() {
		fmt.Println(d.Ask, d.How())
	}
	// Output:
	// MIGRATION.md
	// compute-gpu-cluster.yml
	// docker-gpu/Dockerfile
	// docker-gpu/conda_dependencies.yml
	// environment-gpu.yml
	// job-gpuvm.yml
}
