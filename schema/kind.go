package schema

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/document"
)

// classify tells what a file of a configuration folder is. The name decides
// where it is conclusive; for YAML files the content goes first, because
// "myspark_conda_dependencies.yml" is a conda file and "environment.yml" may be
// anything.
func classify(f *File) (Kind, Dialect) {
	base := strings.ToLower(path.Base(f.Rel))
	if slices.Contains(settingsNames, base) && !isConfigFolder(path.Base(f.Dir())) {
		return Settings, NoDialect
	}
	switch path.Ext(base) {
	case ".compute":
		return Compute, Workbench
	case ".runconfig":
		return RunConfig, dialect(f)
	case ".yml", ".yaml":
	default:
		return Unknown, NoDialect
	}
	if kind := v2Kind(f); kind != Unknown {
		return kind, NoDialect
	}
	root := f.Root()
	switch {
	case root.Get("dependencies") != nil:
		return CondaFile, NoDialect
	case root.Get("packages") != nil || root.Get("repositories") != nil || root.Get("configuration") != nil:
		return SparkFile, NoDialect
	case root.IsMapping() && len(root.Entries) > 0 && !strings.Contains(base, "dependencies"):
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

// The keys that tell the dialects apart; no real file mixes them.
var (
	workbenchKeys = []string{"ArgumentVector", "Target", "Framework", "CondaDependenciesFile", "TrackedRun", "PrepareEnvironment"}
	sdkKeys       = []string{"script", "environment", "framework", "target", "history", "arguments"}
)

// dialect tells which dialect a run configuration is written in: by the keys of
// its mapping, or, where it does not parse, by keys at the start of raw lines.
func dialect(f *File) Dialect {
	root := f.Root()
	if root.IsMapping() {
		isKey := func(key string) bool { return has(root, key) }
		workbench, sdk := slices.ContainsFunc(workbenchKeys, isKey), slices.ContainsFunc(sdkKeys, isKey)
		switch {
		case workbench && !sdk:
			return Workbench
		case sdk && !workbench:
			return SDKv1
		}
		pascal, camel := 0, 0
		for _, e := range root.Entries {
			if e.Key.Tag == "!!merge" {
				continue
			}
			if r, _ := utf8.DecodeRuneInString(e.Key.Value); unicode.IsUpper(r) {
				pascal++
			} else {
				camel++
			}
		}
		switch {
		case has(root, "environment"), pascal == 0 && camel > 0:
			return SDKv1
		case pascal > 0 && pascal >= camel:
			return Workbench
		case camel > 0:
			return SDKv1
		}
		return NoDialect
	}
	for _, line := range bytes.FieldsFunc(f.Source.Text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line = bytes.TrimLeft(line, " \t\"'{")
		for _, key := range workbenchKeys {
			if bytes.HasPrefix(line, []byte(key)) {
				return Workbench
			}
		}
		for _, key := range sdkKeys {
			if bytes.HasPrefix(line, []byte(key+":")) || bytes.HasPrefix(line, []byte(key+`":`)) {
				return SDKv1
			}
		}
	}
	return NoDialect
}

func has(n *document.Node, key string) bool { _, ok := n.Entry(key); return ok }
