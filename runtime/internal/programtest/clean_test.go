//go:build linux

package programtest_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestOutputsAreFetched checks that outputs that cannot be written here are announced on every kind of target, and can
// be fetched once there is room.
func TestOutputsAreFetched(t *testing.T) {
	t.Parallel()
	_, there, image := machines(t)
	dir := project(t, there, jobs+"-- save.py --\nopen('outputs/model', 'w').write('weights')\n", "$IMAGE", image)
	inWay := filepath.Join(dir, "outputs", "model")
	testkit.OK(t, os.MkdirAll(inWay, 0o755))
	got := do(t, there, dir, "run", "-c", "remotedocker", "save.py")
	id := recorded(t, dir).ID.String()
	if got.code != 125 || !strings.Contains(got.err, "they are kept in the container amlfix-"+id+" on root@"+there.ssh.Address()+": `amlfix runs fetch "+id+"` tries again") {
		t.Errorf("%+v", got)
	}
	if list := do(t, there, dir, "runs", "list"); !strings.Contains(list.out, "succeeded, outputs missing") {
		t.Errorf("%+v", list)
	}
	if show := do(t, there, dir, "runs", "show"); !strings.Contains(show.out, "succeeded, outputs missing after ") || !strings.Contains(show.out, "amlfix runs fetch "+id+" tries again") {
		t.Errorf("%+v", show)
	}
	if kept := do(t, there, dir, "runs", "clean", "--older", "0h"); kept.code != 0 || !strings.Contains(kept.err, "so its record stays") {
		t.Errorf("%+v", kept)
	}
	if still := do(t, there, dir, "runs", "fetch"); still.code != 3 || !strings.Contains(still.err, "outputs are still missing: outputs/model") {
		t.Errorf("%+v", still)
	}
	testkit.OK(t, os.Remove(inWay))
	if got := do(t, there, dir, "runs", "fetch"); got.code != 0 || !strings.Contains(got.err, "; 1 file (7 B) in outputs/\n") {
		t.Errorf("%+v", got)
	}
	testkit.Same(t, map[string]string{"model": "weights"}, testkit.Contents(t, filepath.Join(dir, "outputs")))
	if list := do(t, there, dir, "runs", "list"); strings.Contains(list.out, "missing") {
		t.Errorf("%+v", list)
	}
	nothingLeft(t, there, id)
}

// TestOutputsAreLost checks that outputs are no longer announced once what held them is gone, and that their record can
// be removed.
func TestOutputsAreLost(t *testing.T) {
	t.Parallel()
	here, there, image := machines(t)
	for config, lose := range map[string]func(record.Entry){
		"container": func(e record.Entry) {
			here.engine.Do(t, http.MethodDelete, "/containers/amlfix-"+e.ID.String())
		},
		"local": func(e record.Entry) { testkit.OK(t, os.RemoveAll(e.Handle.Folder)) },
		"remote": func(e record.Entry) {
			testkit.OK(t, os.RemoveAll(filepath.Join(there.ssh.HomeOf("worker"), ".amlfix", "runs", e.ID.String())))
		},
	} {
		dir := project(t, there, jobs+"-- save.py --\nopen('outputs/model', 'w').write('weights')\n", "$IMAGE", image)
		testkit.OK(t, os.MkdirAll(filepath.Join(dir, "outputs", "model"), 0o755))
		if got := do(t, there, dir, "run", "-c", config, "save.py"); got.code != 125 || !strings.Contains(got.err, "they are kept in ") {
			t.Errorf("%s: %+v", config, got)
		}
		lose(recorded(t, dir))
		for range 2 {
			if got := do(t, there, dir, "runs", "fetch", recorded(t, dir).ID.String()); got.code != 3 || !strings.HasSuffix(got.err, " no longer exists, and the outputs are lost with it\n") {
				t.Errorf("%s: %+v", config, got)
			}
		}
		if folder := recorded(t, dir).Handle.Folder; folder != "" {
			if _, err := os.Stat(filepath.Dir(folder)); err == nil {
				t.Errorf("%s: %s is left behind", config, filepath.Dir(folder))
			}
		}
		if list := do(t, there, dir, "runs", "list"); !strings.Contains(list.out, "succeeded, outputs lost") {
			t.Errorf("%s: %+v", config, list)
		}
		if got := do(t, there, dir, "runs", "clean", "--older", "0h"); !strings.Contains(got.err, "removed the record") {
			t.Errorf("%s: %+v", config, got)
		}
	}
}

// TestOrphans checks that the remains of runs without a record are removed for one project at a time, after inspection,
// and never the only copy of outputs. With --all this applies to a whole engine, which is private to this test.
func TestOrphans(t *testing.T) {
	t.Parallel()
	m := machine{engine: enginetest.StartOwn(t, "orphans")}
	image := m.engine.Python(t)
	above := t.TempDir()
	dir := func(name string) string {
		testkit.OK(t, os.Rename(project(t, m, strings.ReplaceAll(jobs, "$ADDRESS", "vm")+"-- save.py --\nopen('outputs/model', 'w').write('weights')\n", "$IMAGE", image), filepath.Join(above, name)))
		return filepath.Join(above, name)
	}
	holding, idle := dir("holding"), dir("idle")
	testkit.OK(t, os.MkdirAll(filepath.Join(holding, "outputs", "model"), 0o755))
	if got := do(t, m, holding, "run", "-c", "container", "save.py"); got.code != 125 {
		t.Fatalf("%+v", got)
	}
	kept := recorded(t, holding).ID.String()
	testkit.OK(t, os.RemoveAll(filepath.Join(holding, ".amlfix")))
	const left = "20261122-101112-0dd1e5"
	for _, name := range []string{"amlfix-" + left, docker.EnvironmentName("left"), "amlfix-" + left + "-tools-probe"} {
		m.engine.Do(t, http.MethodPost, "/containers/create?name="+name, fmt.Sprintf(`{"Image": %q, "Cmd": ["true"], "Labels": {%q: %q, %q: %q}}`, image, docker.Label, left, docker.ProjectLabel, docker.ProjectMark(idle)))
	}
	for _, tt := range []struct {
		dir, args string
		code      int
		said      []string
	}{
		{above, "--orphans", 2, []string{"there are 2 projects below this folder"}},
		{idle, "--orphans --dry-run", 0, []string{"would remove container amlfix-" + left}},
		{idle, "--orphans", 0, []string{"removed container amlfix-" + left, "removed container amlfix-env-left of run " + left, "removed container amlfix-" + left + "-tools-probe"}},
		{idle, "--orphans", 0, []string{"of other projects: --all includes them"}},
		{holding, "--orphans", 0, []string{"container amlfix-" + kept + " of run " + kept + " is not removed, because it contains the only copy of outputs: copy them from amlfix-" + kept + ":/azureml-run/outputs"}},
		{above, "--orphans --all", 0, []string{"container amlfix-" + kept + " of run " + kept + " is not removed"}},
	} {
		got := do(t, m, tt.dir, append([]string{"runs", "clean"}, strings.Fields(tt.args)...)...)
		for _, said := range tt.said {
			if got.code != tt.code || !strings.Contains(got.err, said) {
				t.Errorf("%s in %s: exit %d\n%s\nwant %s", tt.args, tt.dir, got.code, got.err, said)
			}
		}
	}
	m.engine.NothingLeft(t, left)
	m.engine.Do(t, http.MethodDelete, "/containers/amlfix-"+kept+"?force=1")
}

// TestKilledWhilePreparing kills amlfix while it makes an environment: the container is removed with the run.
func TestKilledWhilePreparing(t *testing.T) {
	t.Parallel()
	m := machine{engine: enginetest.Start(t)}
	dir := project(t, m, jobs+"-- aml_config/conda_dependencies.yml --\ndependencies: [slow]\n-- a.py --\n", "$IMAGE", m.engine.Conda(t), "$ADDRESS", "vm")
	cmd := command(t, m, dir, "run", "-c", "container", "a.py")
	var stderr testkit.Buffer
	cmd.Stderr = &stderr
	testkit.OK(t, cmd.Start())
	stderr.Await(t, enginetest.StandInMark) // conda has started
	testkit.OK(t, cmd.Process.Kill())
	_ = cmd.Wait()
	id := recorded(t, dir).ID.String()
	if left := m.engine.Containers(t, id); len(left) != 1 {
		t.Errorf("%q", left)
	}
	if got := do(t, m, dir, "runs", "clean"); got.code != 0 || got.err != "amlfix: removed what run "+id+" had left\n" {
		t.Errorf("%+v", got)
	}
	m.engine.NothingLeft(t, id)
}

// TestEnvironmentsAreCleaned lists environments with their sizes and removes them: those used by the project's runs, or
// all. It does not remove an image that someone else derived from one.
func TestEnvironmentsAreCleaned(t *testing.T) {
	t.Parallel()
	m := machine{engine: enginetest.StartOwn(t, "environments")}
	base := m.engine.Python(t)
	const used, other, derived, built = "amlfix/env:used", "amlfix/env:other", "somebody/else:1", "amlfix/build:1"
	m.engine.Derive(t, built, base, map[string]string{"/built": "x"}, "LABEL io.amlfix.build=1")
	for _, name := range []string{used, other, derived} {
		m.engine.Derive(t, name, base, map[string]string{"/lib.py": strings.Repeat("x", 2000)}, "LABEL io.amlfix.env="+strings.TrimPrefix(name, "amlfix/env:"), "LABEL io.amlfix.env.base="+base, "LABEL io.amlfix.env.base.id="+base)
	}
	dir := project(t, m, strings.ReplaceAll(jobs, "$ADDRESS", "vm"), "$IMAGE", base)
	run, err := record.Create(record.Record{ID: runid.MustParse("20261122-101112-abcdef"), Project: dir, Kind: "docker", Tracked: true, Image: &record.Image{Name: used}})
	testkit.OK(t, err)
	testkit.OK(t, run.Enter(progress.Done))
	run.Close()
	size := regexp.MustCompile(`[0-9.]+ kB`) // of a file of 2 kB: 2.0, or 4.8 in containerd's store, which counts blocks
	for _, tt := range []struct{ args, out, said string }{
		{"--environments --dry-run", used, "would remove environment " + used},
		{"--environments --yes", used + " ", "removed environment " + used},
		{"--environments --yes", "", "2 environments (at least ? kB) that no run of this project on this machine has used: --all includes them"},
		{"--environments --dry-run --all", built + " ", "would remove environment " + built},
		{"--environments --yes --all", "? kB", "removed environment " + other},
		{"--environments --yes --all", "", "nothing to remove"},
	} {
		got := do(t, m, dir, append([]string{"runs", "clean"}, strings.Fields(tt.args)...)...)
		if got.code != 0 || !strings.Contains(size.ReplaceAllString(got.out, "? kB"), tt.out) || !strings.Contains(size.ReplaceAllString(got.err, "? kB"), tt.said) {
			t.Errorf("%s: %+v", tt.args, got)
		}
	}
	m.engine.Do(t, http.MethodDelete, "/images/"+derived)
}
