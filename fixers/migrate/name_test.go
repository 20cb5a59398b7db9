package migrate_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/escape"
)

// TestReportOfHostileNames checks that names of files are inert in MIGRATION.md.
func TestReportOfHostileNames(t *testing.T) {
	dir := filepath.FromSlash("/nowhere/project")
	for _, name := range []string{"a<img src=x onerror=alert(1)>", "a\n# heading\n", "a](http://x)[b", "![x](y)", "`a`", "a|b", "<!--", "**a**", "a\\`b", "a\u009b2J", "\u202eb", "##vso[task.x]"} {
		for _, emitter := range emitters {
			in := func(ext string) string { return filepath.Join(dir, "aml_config", name+ext) }
			p := schema.Load(schema.Root{Dir: dir, Boundary: dir}, schema.Options{}).With(map[string][]byte{
				in(".runconfig"): []byte("Target: " + "vm" + "\nFramework: PySpark\nCondaDependenciesFile: c.yml\n"),
				filepath.Join(dir, "aml_config", "vm.compute"): []byte("type: remotedocker\naddress: h\nusername: u\npassword: " + "correct-horse" + "\nbaseDockerImage: microsoft/mmlspark:plus-0.9.9\n"),
				in(".yml"): []byte("not: a\nconda: file\n"),
			})
			m, err := migrate.New(p, emitter, migrate.Options{})
			if err != nil {
				continue // a format that the project cannot be written in
			}
			for _, f := range m.Files {
				if f.Path != account.Report {
					continue
				}
				for line := range strings.SplitSeq(string(f.Text), "\n") {
					if shown := escape.Terminal(line); shown != line {
						t.Errorf("%q, %T: controls a terminal or a CI: %q", name, emitter, line)
					}
					if strings.ContainsAny(line, "<>") || strings.Contains(line, "](") || strings.HasPrefix(line, "# heading") || strings.Contains(line, "**a**") {
						t.Errorf("%q, %T: %s", name, emitter, line)
					}
				}
			}
		}
	}
}
