package attach

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/plain"
)

// folder is the folder of Workbench's files, relative to the project's root.
const folder = "aml_config"

// The environment files that a run configuration refers to.
const (
	condaFile = folder + "/conda_dependencies.yml"
	sparkFile = folder + "/spark_dependencies.yml"
)

// Files returns the compute target and the run configuration, with paths relative to the project's root. t must have
// passed Check.
func (t Target) Files() []disk.File {
	return []disk.File{
		{Name: path.Join(folder, t.Name+".compute"), Text: []byte(t.compute())},
		{Name: path.Join(folder, t.Name+".runconfig"), Text: []byte(t.runConfig())},
	}
}

// environmentFiles returns the paths of the files that the run configuration refers to and that Files does not create,
// because only the user knows their contents.
func environmentFiles() []string { return []string{condaFile, sparkFile} }

// Missing returns the environment files that do not exist below root, with the text for a project that needs no
// packages yet.
func Missing(root string) (files []disk.File) {
	for i, p := range environmentFiles() {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(p))); err != nil {
			files = append(files, disk.File{Name: p, Text: []byte(templates[i])})
		}
	}
	return files
}

// templates are the environment files of an empty Workbench project, without Workbench's own packages, which no index
// has any more.
var templates = [...]string{`# The packages that conda installs for jobs in containers and on other machines.
name: project_environment
dependencies:
  - python=3.5.2
`, `# The Spark configuration and packages for jobs that use Spark.
configuration: {}
repositories: []
packages: []
`}

// pair is a key and its value as written.
type pair struct{ key, value string }

func (t Target) compute() string {
	pairs := []pair{{"type", t.Type}}
	if t.remote() {
		secret := "password"
		if t.Key {
			secret = "privateKey"
		}
		pairs = append(pairs, pair{"address", scalar(t.Address)}, pair{"username", scalar(t.Username)}, pair{secret, ""})
	}
	if t.Container() {
		pairs = append(pairs,
			pair{"baseDockerImage", scalar(t.image())},
			pair{"nativeSharedDirectory", "~/.azureml/share/"},
			pair{"sharedVolumes", "true"})
	}
	if t.GPU {
		pairs = append(pairs, pair{"nvidiaDocker", "true"})
	}
	switch t.Type {
	case Cluster:
		pairs = append(pairs, pair{"yarnDeployMode", "cluster"})
	case Remote:
		pairs = append(pairs, pair{"userManagedEnvironment", "true"})
	}
	return write(pairs)
}

func (t Target) image() string {
	switch {
	case t.Image != "":
		return t.Image
	case t.GPU:
		return DefaultGPUImage
	}
	return DefaultImage
}

func (t Target) runConfig() string {
	framework := "PySpark"
	if t.GPU {
		framework = "Python"
	}
	return write([]pair{
		{"ArgumentVector", "\n- $file"},
		{"CondaDependenciesFile", condaFile},
		{"EnvironmentVariables", "null"},
		{"Framework", framework},
		{"PrepareEnvironment", "true"},
		{"SparkDependenciesFile", sparkFile},
		{"Target", scalar(t.Name)},
		{"TrackedRun", "true"},
		{"UseSampling", "true"},
	})
}

// write returns the pairs in the original's style, in alphabetical order.
func write(pairs []pair) string {
	plain.SortFunc(pairs, func(a, b pair) int { return strings.Compare(a.key, b.key) })
	var b strings.Builder
	for _, p := range pairs {
		b.WriteString(p.key + ":")
		if p.value != "" && p.value[0] != '\n' {
			b.WriteByte(' ')
		}
		b.WriteString(p.value + "\n")
	}
	return b.String()
}

// scalar returns text as a YAML string: plain, as in the original, or in quotes if a parser would read it as something
// else.
func scalar(text string) string {
	var n yaml.Node
	err := yaml.Unmarshal([]byte("v: "+text+"\n"), &n)
	if err == nil && len(n.Content) == 1 && len(n.Content[0].Content) == 2 {
		v := n.Content[0].Content[1]
		if v.Kind == yaml.ScalarNode && v.ShortTag() == "!!str" && v.Value == text && v.Style == 0 && !pyYAMLWord(text) {
			return text
		}
	}
	return plain.SingleQuoted(text)
}

// pyYAMLWord reports whether text is a boolean or a base-60 number to the Python parser of these files although yaml.v3
// reads it as a string.
func pyYAMLWord(text string) bool {
	switch strings.ToLower(text) {
	case "yes", "no", "on", "off":
		return true
	}
	digits := strings.Trim(text, "0123456789")
	return strings.Trim(digits, ":._+-") == "" || strings.HasPrefix(digits, ":") && strings.Trim(text, "0123456789:._") == ""
}
