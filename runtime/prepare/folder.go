package prepare

import (
	"archive/tar"
	_ "embed"
	"io"
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema/escape"
)

// Folder is an environment in a folder of a machine of Linux, made and used by commands of its shell. On a volume that
// stays, it is kept for later runs, several of which may need it at the same time.
type Folder struct {
	Spec  Spec
	Tools Tools
	Dir   string // absolute, and nobody else's: letters, digits, "/", "." and "-"; its parent holds folders of this kind alone
}

//go:embed folder.sh
var folderScript string

//go:embed sweep.sh
var sweepScript string

// mark is written last: how the environment was made.
const mark = "done"

// Find is a shell script that prints how the environment was made, nothing when it is not there, and notes that it is used.
func (f Folder) Find() string {
	done := escape.Word(path.Join(f.Dir, mark))
	return "if [ -e " + done + " ]; then cat " + done + "; touch " + done + "; fi"
}

// Way is how it is made with Tools.
func (f Folder) Way() Way { return f.Tools.way() }

// The folders of what is sent.
const (
	asItIs = "new"
	masks  = "masked" // files without their secrets, which replace others when the environment is there
)

// Upload writes what Argv needs as a tar stream, below a folder.
func (f Folder) Upload(w io.Writer, in string) error {
	t, r := tar.NewWriter(w), f.Spec.Recipe
	secrets := r.secrets()
	if err := f.place().moved(t, path.Join(in, asItIs), r, nil); err != nil {
		return err
	}
	if err := put(t, &tar.Header{Name: path.Join(in, masks) + "/", Typeflag: tar.TypeDir, Mode: 0o755}, nil); err != nil {
		return err
	}
	if len(secrets) > 0 {
		if err := f.place().moved(t, path.Join(in, masks), r, secrets); err != nil {
			return err
		}
	}
	return t.Close()
}

func (f Folder) place() place { return place(f.Dir) }

// moved is write into another folder.
func (p place) moved(t *tar.Writer, to string, r Recipe, secrets []string) error {
	return place("/"+to).write(t, r, secrets)
}

// Argv is the command that makes the environment, unless it is there, in the folder that Upload has filled. The file
// alive is there for as long as it works.
func (f Folder) Argv(alive string) []string {
	p, r := f.place(), f.Spec.Recipe
	return append([]string{"sh", "-c", folderScript, "sh", f.Dir, string(f.Way()), p.dir(r), alive}, p.argv(r, f.Tools)...)
}

// Sweep is a shell script that removes environments beside this one which nobody has used for a month. It does not wait
// for that.
func (f Folder) Sweep() string {
	return "sh -c " + escape.Word(sweepScript) + " sh " + escape.Word(path.Dir(f.Dir)) + " >/dev/null 2>&1 </dev/null &"
}

// Start is what comes before a program that is started in the environment, however that was made.
func (f Folder) Start(way Way) []string {
	p := f.place()
	var b strings.Builder
	b.WriteString("unset CONDA_PREFIX CONDA_DEFAULT_ENV VIRTUAL_ENV\n")
	set := func(name, value string) { b.WriteString(name + "=" + value + "; export " + name + "\n") }
	set("PATH", path.Join(p.prefix(), "bin")+":$PATH")
	set("PYSPARK_PYTHON", path.Join(p.prefix(), "bin/python"))
	if way != ByConda {
		set("VIRTUAL_ENV", p.prefix())
		return []string{"sh", "-c", b.String() + `exec "$@"`, "sh"}
	}
	set("CONDA_PREFIX", p.prefix())
	set("CONDA_DEFAULT_ENV", p.prefix())
	return []string{"sh", "-c", b.String() + p.starting(), p.activating()}
}
