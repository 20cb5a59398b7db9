package rules_test

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// FuzzCheck runs all rules over a project with arbitrary file contents: none may make a rule panic, hang, or point
// outside the text.
func FuzzCheck(f *testing.F) {
	for _, rule := range rules.All() {
		f.Add([]byte(rule.Bad), []byte(rule.Good))
	}
	f.Add([]byte("type: docker\nnvidiaDocker:true\npassword:\tx"), []byte("environment: {docker: {enabled: \"no\", baseImage: 1:30}}\nscript: a"))
	f.Add([]byte("dependencies: [tensorflow-gpu==, pip: [mxnet-cu90, https://a:b@c/?sig=d]]"), []byte("ArgumentVector: [yes]\nTarget: a\nEnvironmentVariables: {A_KEY: b}"))
	f.Fuzz(func(t *testing.T, one, two []byte) {
		dir := filepath.FromSlash("/nowhere/aml_config")
		p := schema.Load(schema.Root{Dir: filepath.Dir(dir)}, schema.Options{GPU: []string{"a"}, Host: "windows"}).With(map[string][]byte{
			filepath.Join(dir, "a.compute"):               one,
			filepath.Join(dir, "a.runconfig"):             two,
			filepath.Join(dir, "b.runconfig"):             one,
			filepath.Join(dir, "conda_dependencies.yml"):  one,
			filepath.Join(dir, "spark_dependencies.yml"):  two,
			filepath.Join(dir, "other_dependencies.yaml"): two,
		})
		checkPlaces(t, p)
	})
}

// FuzzJob does the same for a file of v2, the conda file that it names and the script that it runs.
func FuzzJob(f *testing.F) {
	for _, rule := range rules.All() {
		for _, example := range []string{rule.Bad, rule.Good} {
			seed := map[string][]byte{}
			for _, file := range txtar.Parse([]byte(example)).Files {
				kind := path.Ext(file.Name)
				if strings.Contains(file.Name, "conda") {
					kind = "conda"
				}
				if seed[kind] == nil {
					seed[kind] = file.Data
				}
			}
			if bytes.Contains(seed[".yml"], []byte("$schema")) {
				f.Add(seed[".yml"], seed["conda"], seed[".py"])
			}
		}
	}
	root := f.TempDir() // only its folders are on disk
	testkit.OK(f, os.Mkdir(filepath.Join(root, "src"), 0o700))
	f.Fuzz(func(t *testing.T, job, conda, script []byte) {
		files := map[string][]byte{filepath.Join(root, "job.yml"): job, filepath.Join(root, "conda.yml"): conda}
		for _, name := range []string{"train.py", "src/train.py", "src/score.py"} {
			files[filepath.Join(root, filepath.FromSlash(name))] = script
		}
		checkPlaces(t, schema.Load(schema.Root{Dir: root}, schema.Options{Host: "windows"}).With(files))
	})
}

// checkPlaces checks that all findings of a project have a message, and a place in the text.
func checkPlaces(t *testing.T, p *schema.Project) {
	t.Helper()
	for _, found := range rules.Check(p) {
		if found.Message == "" || found.Span.Start < 0 || found.Span.End < found.Span.Start || found.Span.End > len(found.Source.Text) {
			t.Fatalf("%s: %q at %v of %d bytes", found.Rule, found.Message, found.Span, len(found.Source.Text))
		}
	}
}
