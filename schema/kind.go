package schema

import (
	"path"
	"slices"
	"strings"
)

// classify determines what a file is. The name decides if it is conclusive; for YAML files the content comes first,
// because "myspark_conda_dependencies.yml" is a conda file and "environment.yml" may be anything.
func classify(f *File) (Kind, Dialect) {
	base := strings.ToLower(path.Base(f.Rel))
	if slices.Contains(settingsNames, base) && !isConfigFolder(path.Base(f.Dir())) {
		return Settings, NoDialect
	}
	switch path.Ext(base) {
	case ".compute":
		return Compute, Workbench
	case ".runconfig":
		if f.Root().Get("parallel_run_config").Resolve().IsMapping() {
			return Unknown, NoDialect // what ParallelRunConfig.load_yaml reads, which is no run configuration
		}
		return RunConfig, dialect(f)
	case "": // as RunConfiguration.save and "az ml folder attach" write them
		if isConfigFolder(path.Base(f.Dir())) && isSDKRunConfig(f, f.Scores()) {
			return RunConfig, SDKv1
		}
		if path.Base(f.Rel) == tableName {
			f.V2 = "mltable"
			return V2File, NoDialect
		}
		return Unknown, NoDialect
	case ".yml", ".yaml", ".json":
	default:
		return Unknown, NoDialect
	}
	scores, configured := f.Scores(), isConfigFolder(path.Base(f.Dir()))
	sdk := isSDKRunConfig(f, scores)
	// Outside SDK v1's folders, its keys in a v2 file are faults.
	if f.V2 = v2Kind(f); f.V2 != "" && (scores.V2 >= scores.SDKv1 || !configured && !sdk) {
		return f.V2.file(), NoDialect
	}
	if f.V2 = ""; path.Ext(base) == ".json" {
		return Unknown, NoDialect
	}
	if sdk && (configured || surelyRun(f.Root())) {
		return RunConfig, SDKv1
	}
	root := f.Root()
	switch {
	case root.Get("dependencies") != nil:
		return CondaFile, NoDialect
	case root.Get("packages") != nil || root.Get("repositories") != nil || root.Get("configuration") != nil:
		return SparkFile, NoDialect
	case root.IsMapping() && len(root.Entries()) > 0 && !strings.Contains(base, "dependencies"):
		return Unknown, NoDialect
	case strings.Contains(base, "base_dependencies"):
		return Unknown, NoDialect
	case strings.Contains(base, "conda"):
		return CondaFile, NoDialect
	case strings.Contains(base, "spark"):
		return SparkFile, NoDialect
	}
	return Unknown, NoDialect
}
