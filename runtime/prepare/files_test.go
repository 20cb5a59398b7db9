package prepare

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

// jobWith returns a project whose conda file, in aml_config, has these items under pip, with additional files.
func jobWith(items string, more map[string]string) map[string]string {
	files := map[string]string{
		"aml_config/docker.compute":         "type: localdocker\nbaseDockerImage: a\n",
		"aml_config/docker.runconfig":       "Target: docker\nFramework: Python\n",
		"aml_config/conda_dependencies.yml": "dependencies:\n- python=3.6\n- pip:\n" + items,
	}
	maps.Copy(files, more)
	return files
}

func TestGather(t *testing.T) {
	for _, tt := range []struct {
		name, items string
		more        map[string]string
		want        []string
		folders     int
		err         string
		line        int
	}{
		{name: "nothing", items: "  - numpy\n  - --index-url https://x\n  - https://x/a-1-py3-none-any.whl\n  - /wheels/a-1-py3-none-any.whl\n  - -r https://x/r.txt\n  - --find-links /wheels\n"},
		{name: "a list and what it names", items: "  - -r ../requirements.txt\n  - --constraint=limits.txt\n", more: map[string]string{
			"requirements.txt": "numpy # -r nosuch.txt\n# -r nosuch\n-r more/\\\nothers.txt\n./wheels/b-1-py3-none-any.whl\n-c https://x/c.txt\n", "more/others.txt": "-r ../requirements.txt\nsix\n",
			"aml_config/limits.txt": "six<2\n", "aml_config/wheels/b-1-py3-none-any.whl": "b", "unnamed.txt": ""},
			want: []string{"aml_config/limits.txt", "aml_config/wheels/b-1-py3-none-any.whl", "more/others.txt", "requirements.txt"}},
		{name: "a wheel", items: "  - ../wheels/b-1-py3-none-any.whl\n", more: map[string]string{"wheels/b-1-py3-none-any.whl": "b"}, want: []string{"wheels/b-1-py3-none-any.whl"}},
		{name: "a folder", items: "  - -e ../pkg\n  - -f ../wheels\n", more: map[string]string{".amlignore": "*.tmp\n", "pkg/setup.py": "", "pkg/x.tmp": "", "pkg/in/a.py": "", "pkgs/b.py": "", "wheels/w.whl": ""},
			want: []string{"pkg", "pkg/in", "pkg/in/a.py", "pkg/setup.py", "wheels", "wheels/w.whl"}, folders: 2},
		{name: "the project", items: "  - -e ..\n", more: map[string]string{"setup.py": "", "outputs/o": "", ".amlfix/runs/x": ""}, folders: 1,
			want: []string{"aml_config", "aml_config/conda_dependencies.yml", "aml_config/docker.compute", "aml_config/docker.runconfig", "outputs", "setup.py"}},
		{name: "missing", items: "  - numpy\n  - -r nosuch.txt\n", err: "there is no aml_config/nosuch.txt in the project, so the environment cannot be built: add it, or correct its name", line: 5},
		{name: "from the root", items: "  - -r requirements.txt\n", more: map[string]string{"requirements.txt": ""}, line: 4,
			err: "there is no aml_config/requirements.txt in the project, so the environment cannot be built: paths are relative to the folder of the conda file, write ../requirements.txt"},
		{name: "outside", items: "  - -r ../../r.txt\n", err: "../../r.txt is outside the project, so the environment cannot be built with it: copy it into the project", line: 4},
		{name: "missing in a list", items: "  - -r r.txt\n", more: map[string]string{"aml_config/r.txt": "-c nosuch.txt\n"}, err: "aml_config/r.txt: there is no aml_config/nosuch.txt in the project", line: 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			job := load(t, jobWith(tt.items, tt.more))
			r, root := NewRecipe(job.Environment), filepath.Dir(filepath.Dir(job.File.Path))
			folders, err := r.Gather(job.Environment, root)
			var named *NamedError
			if tt.err != "" {
				if !errors.As(err, &named) || !strings.HasPrefix(named.Text, tt.err) || job.Environment.File.Source.Position(named.Node.Span.Start).Line != tt.line {
					t.Errorf("%v", err)
				}
				return
			}
			var got []string
			for _, f := range r.Files {
				got = append(got, f.Path)
			}
			if d := cmp.Diff(tt.want, got); d != "" || err != nil || len(folders) != tt.folders {
				t.Errorf("%v, %d folders, %s", err, len(folders), d)
			}
			if tt.want != nil && (r.Dir != "aml_config" || r.Root != root) {
				t.Errorf("%q, %q", r.Dir, r.Root)
			}
		})
	}
}

// TestKeyOfFiles checks that only the files named in the conda file affect the environment's key.
func TestKeyOfFiles(t *testing.T) {
	job := load(t, jobWith("  - -r ../r.txt\n  - -e ../pkg\n", map[string]string{"r.txt": "six\n", "pkg/setup.py": "1", "other.py": "1"}))
	root := filepath.Dir(filepath.Dir(job.File.Path))
	key := func() string {
		r := NewRecipe(job.Environment)
		if _, err := r.Gather(job.Environment, root); err != nil {
			t.Fatal(err)
		}
		return r.Key("base")
	}
	first := key()
	for _, step := range []struct {
		name    string
		changes bool
	}{{"other.py", false}, {"r.txt", true}, {"pkg/setup.py", true}, {"pkg/new.py", true}} {
		before := key()
		testkit.OK(t, os.WriteFile(filepath.Join(root, step.name), []byte("changed\n"), 0o600))
		if changed := key() != before; changed != step.changes {
			t.Errorf("%s: the key has changed: %v", step.name, changed)
		}
	}
	if first == key() || first == NewRecipe(job.Environment).Key("base") {
		t.Error("keys do not tell files apart")
	}
}

// FuzzGather checks that no requirements file makes amlfix read or name anything outside the project.
func FuzzGather(f *testing.F) {
	for _, s := range []string{"-r r.txt", "-c ../../etc/passwd", "-e .", "file:../../x", "./a/../../..", "-r \"a b\"", "-f ../..", "-r \\", "--requirement=/etc/passwd", "-e file:.#egg=x"} {
		f.Add(s)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		testkit.OK(t, os.WriteFile(filepath.Join(dir, "list.txt"), []byte(text), 0o600))
		g := &gatherer{root: dir, base: "sub", found: map[string]File{}}
		defer g.close()
		_ = g.add(".", "list.txt", true)
		for name := range g.found {
			if !filepath.IsLocal(filepath.FromSlash(name)) {
				t.Errorf("%q names %q", text, name)
			}
		}
	})
}
