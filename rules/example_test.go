package rules_test

import (
	"fmt"
	"path/filepath"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	_ "github.com/amlfix/amlfix/schema/format/library" // validates
)

func ExampleCheck() {
	roots, err := schema.Discover([]string{"../testdata/article"})
	if err != nil {
		fmt.Println(err)
	}
	for _, root := range roots {
		for _, f := range rules.Check(schema.Load(root, schema.Options{Host: "linux"})) {
			if f.Severity == finding.Error {
				at := f.Source.Position(f.Span.Start)
				fmt.Printf("%s:%d:%d %s, can be repaired: %v\n", filepath.Base(f.Source.Path), at.Line, at.Column, f.Rule, f.Fix != nil)
			}
		}
	}
	// Output:
	// conda_dependencies.yml:5:5 gpu/cpu-package, can be repaired: true
	// conda_dependencies.yml:9:7 gpu/cpu-wheel, can be repaired: true
	// conda_dependencies.yml:9:7 wheel/platform, can be repaired: true
	// gpuvm.compute:2:18 gpu/base-image, can be repaired: true
	// gpuvm.runconfig:5:12 gpu/framework, can be repaired: true
	// workstation.compute:5:1 gpu/nvidia-docker, can be repaired: true
	// workstation.runconfig:4:1 gpu/framework, can be repaired: true
}
