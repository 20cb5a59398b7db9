package migrate

import (
	"cmp"
	"path"
	"path/filepath"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// actionRuns returns what a file with parameters of the GitHub action aml-run submits: a run configuration, or what a
// program makes, in an experiment. Paths start at the repository's folder. Source: github.com/Azure/aml-run,
// code/main.py.
func actionRuns(top, file, text string) (list []submission) {
	if path.Dir(way(top, file)) != ".cloud/.azure" {
		return nil
	}
	root := document.Parse(source.New(file, []byte(text))).Root().Resolve()
	all := []*document.Node{root}
	if root.IsSequence() { // several runs
		all = root.Items()
	}
	for _, n := range all {
		s := submission{file: file, line: 1, experiment: n.Get("experiment_name").Text()}
		if s.experiment == "" {
			continue
		}
		s.of = filepath.Join(top, cmp.Or(n.Get("runconfig_yaml_file").Text(), "code/train/run_config.yml"))
		if !schema.SurelyRun(s.of) {
			s.of = filepath.Join(top, cmp.Or(n.Get("runconfig_python_file").Text(), "code/train/run_config.py"))
		}
		s.config = stem(s.of)
		list = append(list, s)
	}
	return list
}
