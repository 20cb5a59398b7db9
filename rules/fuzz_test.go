package rules_test

import (
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
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
		for _, found := range rules.Check(p) {
			if found.Message == "" || found.Span.Start < 0 || found.Span.End < found.Span.Start || found.Span.End > len(found.Source.Text) {
				t.Fatalf("%s: %q at %v of %d bytes", found.Rule, found.Message, found.Span, len(found.Source.Text))
			}
		}
	})
}
