package v2_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/fixers/migrate"
	v2 "github.com/amlfix/amlfix/fixers/migrate/v2"
	"github.com/amlfix/amlfix/schema"
)

// FuzzMigrate gives arbitrary files to a migration: it ends without a panic, and
// what it writes passes this program's own schemas and accounts for every key.
func FuzzMigrate(f *testing.F) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		seed := map[string][]byte{}
		for _, file := range archive.Files {
			seed[filepath.Ext(file.Name)] = file.Data
		}
		f.Add(seed[".runconfig"], seed[".compute"], seed[".yml"], seed[".yml"])
	}
	f.Add([]byte("script: [a]\narguments: {a: b}\nenvironment: {python: {condaDependencies: {dependencies: [{pip: [{a: b}]}, [x], &a c, *a]}}}"), []byte("{}"), []byte("- a"), []byte("1"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, run, compute, conda, spark []byte) {
		in := func(name string) string { return filepath.Join(dir, "aml_config", name) }
		p := schema.Load(schema.Root{Dir: dir, Boundary: dir}, schema.Options{}).With(map[string][]byte{
			in("docker.runconfig"): run, in("docker.compute"): compute, in("conda_dependencies.yml"): conda, in("spark_dependencies.yml"): spark,
		})
		if len(p.Jobs) == 0 {
			return
		}
		m, err := migrate.New(p, v2.Emitter{}, migrate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range m.Ledger.Rows {
			if row.Fate() == 0 {
				t.Errorf("nothing is said of %s", row.Key)
			}
		}
	})
}
