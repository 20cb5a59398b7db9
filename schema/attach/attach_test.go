package attach

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestCompute(t *testing.T) {
	tests := []struct {
		name   string
		target Target
		want   string
	}{
		{"remotedocker", Target{Name: "vm", Type: RemoteDocker, Address: "203.0.113.7", Username: "demouser"}, `
address: 203.0.113.7
baseDockerImage: microsoft/mmlspark:plus-0.9.9
nativeSharedDirectory: ~/.azureml/share/
password:
sharedVolumes: true
type: remotedocker
username: demouser
`},
		{"remotedocker with GPUs", Target{Name: "vm", Type: RemoteDocker, Address: "vm.example.com:2222", Username: "me", GPU: true, Key: true}, `
address: vm.example.com:2222
baseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9
nativeSharedDirectory: ~/.azureml/share/
nvidiaDocker: true
privateKey:
sharedVolumes: true
type: remotedocker
username: me
`},
		{"cluster", Target{Name: "hdi", Type: Cluster, Address: "spark-ssh.azurehdinsight.net", Username: "sshuser"}, `
address: spark-ssh.azurehdinsight.net
password:
type: cluster
username: sshuser
yarnDeployMode: cluster
`},
		{"remote", Target{Name: "vm", Type: Remote, Address: "vm.example.com", Username: "me"}, `
address: vm.example.com
password:
type: remote
userManagedEnvironment: true
username: me
`},
		{"localdocker", Target{Name: "docker", Type: LocalDocker, Image: "example/own:1"}, `
baseDockerImage: example/own:1
nativeSharedDirectory: ~/.azureml/share/
sharedVolumes: true
type: localdocker
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			testkit.OK(t, tt.target.Check())
			files := tt.target.Files()
			testkit.Same(t, tt.want, "\n"+string(files[0].Text))
			testkit.Same(t, "aml_config/"+tt.target.Name+".compute", files[0].Name)
		})
	}
}

func TestRunConfig(t *testing.T) {
	want := `
ArgumentVector:
- $file
CondaDependenciesFile: aml_config/conda_dependencies.yml
EnvironmentVariables: null
Framework: PySpark
PrepareEnvironment: true
SparkDependenciesFile: aml_config/spark_dependencies.yml
Target: vm
TrackedRun: true
UseSampling: true
`
	target := Target{Name: "vm", Type: RemoteDocker, Address: "a", Username: "u"}
	testkit.Same(t, want, "\n"+string(target.Files()[1].Text))
	target.GPU = true
	testkit.Same(t, strings.Replace(want, "PySpark", "Python", 1), "\n"+string(target.Files()[1].Text))
}

func TestCheck(t *testing.T) {
	vm := Target{Name: "vm", Type: RemoteDocker, Address: "a", Username: "u"}
	change := func(f func(*Target)) Target { t := vm; f(&t); return t }
	tests := []struct {
		name   string
		target Target
		want   string // part of the error
	}{
		{"unknown type", change(func(t *Target) { t.Type = "docker" }), "remotedocker, cluster, remote, localdocker"},
		{"no name", change(func(t *Target) { t.Name = "" }), "--name"},
		{"a path as name", change(func(t *Target) { t.Name = "../evil" }), "../evil"},
		{"a hidden file as name", change(func(t *Target) { t.Name = ".vm" }), ".vm"},
		{"a flag as name", change(func(t *Target) { t.Name = "-vm" }), "-vm"},
		{"a device as name", change(func(t *Target) { t.Name = "NUL" }), `"NUL"`},
		{"a device with an extension as name", change(func(t *Target) { t.Name = "com1.gpu" }), "device"},
		{"no address", change(func(t *Target) { t.Address = "" }), "--address"},
		{"no user", change(func(t *Target) { t.Username = "" }), "--username"},
		{"an address for this computer", change(func(t *Target) { t.Type = LocalDocker }), "this computer"},
		{"GPUs without a container", change(func(t *Target) { t.Type, t.GPU = Cluster, true }), "--gpu"},
		{"an image without a container", change(func(t *Target) { t.Type, t.Image = Remote, "x" }), "--image"},
		{"a second line in the URL", change(func(t *Target) { t.Address = "a\nnvidiaDocker: true" }), "control"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.target.Check(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Check() = %v, want something with %q", err, tt.want)
			}
		})
	}
	for _, name := range []string{"vm", "com", "com10", "console", "nul1", "lpt-1"} {
		if err := change(func(t *Target) { t.Name = name }).Check(); err != nil {
			t.Errorf("Check() = %v for a correct target", err)
		}
	}
}

func TestScalar(t *testing.T) {
	for text, want := range map[string]string{
		"me": "me", "vm.example.com": "vm.example.com", "203.0.113.7": "203.0.113.7", "a@b": "a@b", "host:22": "host:22",
		"12345": "'12345'", "1e5": "'1e5'", "true": "'true'", "yes": "'yes'", "null": "'null'", "~": "'~'", "2018-01-01": "'2018-01-01'",
		"1:30": "'1:30'", "#a": "'#a'", "a:": "'a:'", "@a": "'@a'", "it's": "it's", "'x": "'''x'", "[VM]": "'[VM]'", "*a": "'*a'", "0x1F": "'0x1F'",
	} {
		testkit.Same(t, want, scalar(text), "scalar(%q)", text)
	}
}

func FuzzFiles(f *testing.F) {
	f.Add("vm", "203.0.113.7", "demouser", "")
	f.Add("1", "true", "0o17", "a:b")
	f.Fuzz(func(t *testing.T, name, address, user, image string) {
		target := Target{Name: name, Type: RemoteDocker, Address: address, Username: user, Image: image}
		if target.Check() != nil {
			return
		}
		var got struct {
			Address         string `yaml:"address"`
			Username        string `yaml:"username"`
			BaseDockerImage string `yaml:"baseDockerImage"`
		}
		testkit.OK(t, yaml.Unmarshal(target.Files()[0].Text, &got))
		if got.Address != address || got.Username != user || image != "" && got.BaseDockerImage != image {
			t.Errorf("%q, %q, %q is read as %+v", address, user, image, got)
		}
	})
}

func TestMissing(t *testing.T) {
	root := t.TempDir()
	testkit.Same(t, environmentFiles(), names(Missing(root)))
	name := filepath.Join(root, condaFile)
	testkit.OK(t, errors.Join(os.Mkdir(filepath.Dir(name), 0o777), os.WriteFile(name, nil, 0o666)))
	testkit.Same(t, []string{sparkFile}, names(Missing(root)))
}

func names(files []disk.File) (list []string) {
	for _, f := range files {
		list = append(list, f.Name)
	}
	return list
}
