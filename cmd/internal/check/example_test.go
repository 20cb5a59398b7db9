package check_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

const target = `type: remotedocker
address: vm.example.com
username: me
baseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9
`

const job = `ArgumentVector: [train.py]
Target: vm
Framework: Python
CondaDependenciesFile: aml_config/conda_dependencies.yml
`

const conda = `dependencies:
  - python=3.5.2
  - tensorflow=1.4.1
`

// show checks the projects below the engine's folder, and prints all findings but infos.
func show(engine *check.Engine) {
	for _, root := range engine.Discover(nil).Roots {
		for _, f := range engine.Checker(check.Options{}).Check(root).Findings {
			if f.Severity > finding.Info {
				fmt.Println(engine.Rel(f.Source.Path), f.Severity, f.Rule)
			}
		}
	}
}

// An editor checks unsaved text: the project's files are on disk, and the editor has a newer text of one of them.
func Example() {
	dir, err := os.MkdirTemp("", "amlfix-example-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	folder := filepath.Join(schema.Identity(dir), "aml_config")
	_ = os.Mkdir(folder, 0o755)
	for name, text := range map[string]string{"vm.compute": target, "vm.runconfig": job, "conda_dependencies.yml": conda} {
		_ = os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600)
	}
	engine := &check.Engine{Dir: filepath.Dir(folder)}
	fmt.Println("saved:")
	show(engine)
	engine.Texts = map[string][]byte{filepath.Join(folder, "vm.compute"): []byte(target + "nvidiaDocker: true\n")}
	fmt.Println("on the screen:")
	show(engine)
	// Output:
	// saved:
	// aml_config/conda_dependencies.yml error gpu/cpu-package
	// aml_config/vm.compute error gpu/nvidia-docker
	// on the screen:
	// aml_config/conda_dependencies.yml error gpu/cpu-package
}

// A page in a browser has no disk: a project can consist only of texts, including its settings, and so can its repair.
func ExampleChecker_Check() {
	dir := schema.Identity(filepath.Join("no", "such", "folder"))
	path := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	engine := &check.Engine{Dir: dir, Texts: map[string][]byte{
		path("aml_config/vm.compute"):             []byte(target),
		path("aml_config/vm.runconfig"):           []byte(job),
		path("aml_config/conda_dependencies.yml"): []byte(conda),
		path(".amlfix.yaml"):                      []byte("severity: {gpu/cpu-package: warning}\n"),
	}}
	show(engine)
	for _, root := range engine.Discover(nil).Roots {
		result := engine.Checker(check.Options{Repair: true}).Check(root)
		for _, a := range result.Patch.Applied {
			fmt.Printf("%s:%d: %s\n", engine.Rel(a.Path), a.Line, a.Title)
		}
		for _, f := range result.Patch.Files {
			fmt.Printf("%s: %d bytes in place of %d\n", engine.Rel(f.Path), len(f.New), len(f.Old))
		}
	}
	// Output:
	// aml_config/conda_dependencies.yml warning gpu/cpu-package
	// aml_config/vm.compute error gpu/nvidia-docker
	// aml_config/conda_dependencies.yml:3: use "tensorflow-gpu"
	// aml_config/vm.compute:4: set nvidiaDocker to true
	// aml_config/conda_dependencies.yml: 56 bytes in place of 52
	// aml_config/vm.compute: 126 bytes in place of 107
}
