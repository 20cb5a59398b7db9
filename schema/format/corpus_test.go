package format_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// kindOf returns the format of a file of the corpus, or "" if it has none: files of the pre-release and environments of
// SDK v1.
func kindOf(path string, root *document.Node) format.Kind {
	base := filepath.Base(path)
	switch {
	case strings.HasSuffix(base, ".compute"):
		return format.Compute
	case strings.HasSuffix(base, ".runconfig"):
		for _, key := range []string{"environment", "script", "framework", "history", "target"} {
			if _, ok := root.Entry(key); ok {
				return format.SDKRunConfig
			}
		}
		return format.WorkbenchRunConfig
	case strings.Contains(base, "spark_dependencies"):
		return format.Spark
	case strings.HasSuffix(base, "base_dependencies.yml"), strings.HasSuffix(base, "environment.yml"):
		return ""
	}
	return format.Conda
}

// TestCorpus validates real files against the schemas. Each of the listed faults was reviewed and is real.
func TestCorpus(t *testing.T) {
	files := testkit.Files(t, testkit.Corpus(t))
	counts := map[string]int{}
	checked := map[format.Kind]int{}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		src := source.New(path, files[path])
		stream := document.Parse(src)
		if len(stream.Problems) > 0 {
			continue
		}
		kind := kindOf(path, stream.Root())
		if kind == "" {
			continue
		}
		checked[kind]++
		for _, f := range format.Validate(kind, src, stream.Root()) {
			counts[string(kind)+" "+f.Rule]++
			if f.Severity > finding.Info {
				at := src.Position(f.Span.Start)
				t.Logf("%s:%d:%d: %s %s: %s", filepath.Base(path), at.Line, at.Column, f.Severity, f.Rule, f.Message)
			}
		}
	}
	t.Log(checked)
	want := map[string]int{
		"compute schema/deprecated":             23,
		"compute schema/type":                   3, // placeholders in brackets
		"conda schema/type":                     2, // items without a value
		"sdk-runconfig schema/deprecated":       111,
		"sdk-runconfig schema/type":             1, // no space after a colon
		"sdk-runconfig schema/unknown-key":      1, // a made-up section
		"workbench-runconfig schema/deprecated": 78,
		"workbench-runconfig schema/type":       1, // a period instead of a comma
	}
	testkit.Same(t, want, counts, "findings by kind and rule")
}
