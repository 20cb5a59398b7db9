package schema

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
)

// Scores count the keys of a file that point to each generation of Azure ML. One key proves nothing: "command" is a key
// of SDK v1 and of v2, and "Target" is a key of Workbench and of SDK v1, which reads keys in any case.
type Scores struct{ Workbench, SDKv1, V2 int }

// String lists the scores.
func (s Scores) String() string {
	return fmt.Sprintf("Workbench %d, SDK v1 %d, v2 %d", s.Workbench, s.SDKv1, s.V2)
}

// Scores counts the top-level keys of the file. If it does not parse, those are the words at the beginning of a line
// that a colon follows.
func (f *File) Scores() (s Scores) {
	if root := f.Root().Resolve(); root.IsMapping() {
		for _, e := range root.Entries() {
			if e.Key.Tag() != "!!merge" {
				s.vote(e.Key.Value, root)
			}
		}
	} else {
		for _, key := range f.keys() {
			s.vote(key, f.Root())
		}
	}
	if f.addressInText() != "" {
		s.V2 += 10
	}
	return s
}

// isWorkbenchKey, isSDKKey, isV2Key and isCommonKey report whether a key is one of a generation, or one of both
// Workbench and SDK v1. Those of Workbench are read in this case only, those of SDK v1 also as node_count and
// NodeCount. A switch is several times as fast as a search in a list.
func isWorkbenchKey(key string) bool {
	switch key {
	case "ArgumentVector", "CondaDependenciesFile", "SparkDependenciesFile", "TrackedRun", "PrepareEnvironment", "UseSampling",
		"DataSourceSubstitutions", "CondaFile", "ManagedEnvironment":
		return true
	}
	return false
}

func isSDKKey(key string) bool {
	switch key {
	case "script", "arguments", "communicator", "autoPrepareEnvironment", "maxRunDurationSeconds", "nodeCount", "history", "spark", "hdi",
		"tensorflow", "mpi", "pytorch", "paralleltask", "batchai", "amlcompute", "amlCompute", "aisupercomputer", "kubernetescompute", "dataReferences",
		"outputData", "sourceDirectoryDataStore", "jobName", "credentialPassthrough", "applicationEndpoints", "docker", "datacaches":
		return true
	}
	return false
}

func isV2Key(key string) bool {
	switch key {
	case "compute", "code", "experiment_name", "display_name", "inputs", "outputs", "jobs", "resources", "distribution", "conda_file",
		"entry", "size", "min_instances", "max_instances", "component", "is_deterministic":
		return true
	}
	return false
}

func isCommonKey(key string) bool {
	return key == "target" || key == "framework" || key == "environmentVariables"
}

func (s *Scores) vote(key string, root *document.Node) {
	switch {
	case isWorkbenchKey(key):
		s.Workbench += 3
		return
	case isV2Key(key):
		s.V2 += 2
		return
	case key == "Description":
		s.Workbench++
		return
	case key == "Target", key == "Framework", key == "EnvironmentVariables": // as below, and in nearly all such files
		s.SDKv1, s.Workbench = s.SDKv1+1, s.Workbench+1
		return
	case key == "command":
		s.SDKv1, s.V2 = s.SDKv1+1, s.V2+1
		return
	}
	switch camel := plain.CamelCase(key); {
	case camel == "environment":
		s.voteEnvironment(key == camel, root.Get(key).Resolve())
	case isSDKKey(camel) && key == camel:
		s.SDKv1 += 3
	case isSDKKey(camel):
		s.SDKv1 += 2
	case isCommonKey(key):
		s.SDKv1 += 2
	case isCommonKey(camel):
		s.SDKv1++
		if strings.Contains(key, "_") {
			s.V2 += 2
		} else {
			s.Workbench++
		}
	}
}

// voteEnvironment examines the environment: the same key holds different things in SDK v1 and in v2.
func (s *Scores) voteEnvironment(exact bool, value *document.Node) {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return sdkGet(value, name) != nil })
	}
	switch {
	case value == nil:
		s.SDKv1 += 2
	case value.IsMapping() && has("python", "docker", "spark", "environmentVariables"):
		s.SDKv1 += 4
	case value.IsMapping() && (value.Get("image") != nil || value.Get("conda_file") != nil || value.Get("build") != nil):
		s.V2 += 3
	case value.IsString() && (strings.HasPrefix(value.Text(), "azureml:") || strings.HasPrefix(value.Text(), "file:")):
		s.V2 += 3
	case value.IsMapping(), !exact:
		s.SDKv1 += 2
	default:
		s.SDKv1, s.V2 = s.SDKv1+1, s.V2+1
	}
}

// keys returns the top-level keys of the file, or, where it does not parse, the words at the beginnings of lines that a
// colon follows.
func (f *File) keys() (keys []string) {
	root := f.Root().Resolve()
	if !root.IsMapping() {
		return rawKeys(f.Source.Text)
	}
	for _, e := range root.Entries() {
		if e.Key.Tag() != "!!merge" {
			keys = append(keys, e.Key.Value)
		}
	}
	return keys
}

// rawKeys returns the words at the beginnings of lines that a colon follows.
func rawKeys(text []byte) (keys []string) {
	for _, line := range bytes.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line = bytes.TrimLeft(line, " \t\"'{\ufeff")
		n := bytes.IndexFunc(line, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) })
		if n <= 0 {
			continue
		}
		if rest := bytes.TrimLeft(line[n:], `"'`); bytes.HasPrefix(rest, []byte(":")) || isWorkbenchKey(string(line[:n])) {
			keys = append(keys, string(line[:n]))
		}
	}
	return keys
}

// dialect returns the dialect of a run configuration: the one to which more of its keys belong, or, if that does not
// decide, the one that fits their first letters.
func dialect(f *File) Dialect {
	switch s := f.Scores(); {
	case s.Workbench > s.SDKv1:
		return Workbench
	case s.SDKv1 > s.Workbench:
		return SDKv1
	}
	pascal, camel := 0, 0
	for _, key := range f.keys() {
		if r, _ := utf8.DecodeRuneInString(key); unicode.IsUpper(r) {
			pascal++
		} else {
			camel++
		}
	}
	switch {
	case pascal > 0 && pascal >= camel:
		return Workbench
	case camel > 0:
		return SDKv1
	}
	return NoDialect
}

// surelySDK is the lowest score at which a YAML file of a configuration folder may be an SDK v1 run configuration: a
// script, a target and an environment score more.
const surelySDK = 6

// isSDKRunConfig reports whether a YAML file is an SDK v1 run configuration, which may have any name: it says what
// runs, and where. SDK v1 environments share keys with it, but do not say that.
func isSDKRunConfig(f *File, s Scores) bool {
	if s.SDKv1 < surelySDK || s.SDKv1 <= s.V2+2 || s.SDKv1 <= s.Workbench {
		return false
	}
	root := f.Root()
	has := func(key string) bool { return sdkGet(root, key) != nil }
	if !root.IsMapping() { // it does not parse
		has = func(key string) bool { return slices.Contains(f.keys(), key) }
	}
	return has("target") && (has("script") || has("command"))
}

// surelyRun reports whether a document outside the configuration folders is a run configuration of SDK v1: besides what
// runs, and where, it has keys that no other program knows. RunConfiguration.load takes a file of any name, as do the
// GitHub actions for SDK v1.
func surelyRun(root *document.Node) bool {
	has := func(n *document.Node, key string) bool { return sdkGet(n, key) != nil }
	python := sdkGet(sdkGet(root, "environment"), "python")
	return has(root, "target") && (has(root, "script") || has(root, "command")) && (has(root, "framework") && has(root, "communicator") ||
		has(python, "condaDependenciesFile") || has(python, "condaDependencies") || has(python, "userManagedDependencies"))
}
