package migrate_test

import (
	"errors"
	"path/filepath"
	"runtime/debug"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/compose"
	"github.com/amlfix/amlfix/fixers/migrate/kubernetes"
	"github.com/amlfix/amlfix/fixers/migrate/skypilot"
	v1 "github.com/amlfix/amlfix/fixers/migrate/v1"
	v2 "github.com/amlfix/amlfix/fixers/migrate/v2"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

var emitters = []migrate.Emitter{v2.Emitter{}, v1.Emitter{}, compose.Emitter{}, kubernetes.Emitter{}, skypilot.Emitter{}}

// FuzzMigrate migrates arbitrary files to each format: it must not panic, and the output must pass amlfix's own schemas
// and account for every key. It is not in the packages of the formats because their tests link the vendors' parsers,
// whose code would then be instrumented too.
func FuzzMigrate(f *testing.F) {
	names, err := filepath.Glob("*/testdata/*.txtar")
	testkit.OK(f, err)
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		testkit.OK(f, err)
		seed := map[string][]byte{}
		for _, file := range archive.Files {
			seed[filepath.Ext(file.Name)] = file.Data
		}
		f.Add(seed[".runconfig"], seed[".compute"], seed[".yml"], seed[".yml"], uint8(0))
	}
	for emitter := range uint8(len(emitters)) {
		f.Add([]byte("Target: docker\nArgumentVector: [$file, --x]\n"), []byte("type: localdocker\nbaseDockerImage: microsoft/mmlspark:plus-0.9.9\n"),
			[]byte("dependencies: [python=3.5.2, {pip: [tensorflow==1.4.0]}]\n"), []byte("configuration: {}\n"), emitter)
	}
	f.Add([]byte("script: [a]\narguments: {a: b}\nenvironment: {python: {condaDependencies: {dependencies: [{pip: [{a: b}]}, [x], &a c, *a]}}}"), []byte("{}"), []byte("- a"), []byte("1"), uint8(1))
	defer debug.SetGCPercent(debug.SetGCPercent(800))
	dir := filepath.FromSlash("/nowhere/project") // not on disk: all files are in memory
	f.Fuzz(func(t *testing.T, run, compute, conda, spark []byte, emitter uint8) {
		if len(run)+len(compute)+len(conda)+len(spark) > 4096 {
			t.Skip("longer files take longer, and hold nothing that short ones cannot")
		}
		in := func(name string) string { return filepath.Join(dir, "aml_config", name) }
		p := schema.Load(schema.Root{Dir: dir, Boundary: dir}, schema.Options{}).With(map[string][]byte{
			in("docker.runconfig"): run, in("docker.compute"): compute, in("conda_dependencies.yml"): conda, in("spark_dependencies.yml"): spark,
		})
		if len(p.Jobs) == 0 {
			return
		}
		m, err := migrate.New(p, emitters[int(emitter)%len(emitters)], migrate.Options{})
		if _, ok := errors.AsType[*migrate.ConfigError](err); ok {
			return // a job that this format cannot express
		}
		testkit.OK(t, err)
		for _, row := range m.Ledger.Rows {
			if row.Disposition() == 0 {
				t.Errorf("nothing is reported about %s", row.Key)
			}
		}
	})
}
