package migrate

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// actionRuns returns what a file with parameters of the GitHub action aml-run submits: a run configuration, or what a
// program or pipeline makes, in an experiment. Paths start at the repository's folder. Source:
// github.com/Azure/aml-run, code/main.py.
func actionRuns(top, file, text string) (list []submission) {
	if filepath.Dir(file) != filepath.Join(top, ".cloud", ".azure") || filepath.Ext(file) != ".json" {
		return nil
	}
	all := []*document.Node{document.Parse(source.New(file, []byte(text))).Root().Resolve()}
	if all[0].IsSequence() { // several runs
		all = all[0].Items
	}
	for _, n := range all {
		at := func(key, usual string) string {
			return filepath.Join(top, filepath.FromSlash(cmp.Or(n.Get(key).Text(), usual)))
		}
		s := submission{file: file, line: 1, experiment: n.Get("experiment_name").Text()}
		if s.experiment == "" {
			continue
		}
		if s.of = at("runconfig_yaml_file", "code/train/run_config.yml"); !schema.SurelyRun(s.of) {
			s.of = at("runconfig_python_file", "code/train/run_config.py")
		}
		s.config = strings.TrimSuffix(filepath.Base(s.of), filepath.Ext(s.of))
		pipeline := at("pipeline_yaml_file", "code/train/pipeline.yml")
		list = append(list, s, submission{file: file, line: 1, experiment: s.experiment, pipeline: way(top, pipeline)})
	}
	return list
}
