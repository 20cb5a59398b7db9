package prepare

import (
	"archive/tar"
	_ "embed"
	"io"
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema/escape"
)

// Folder is an environment in a folder of a Linux machine, made and used through shell commands. On a persistent volume
// it is kept for later runs, several of which may need it at the same time.
type Folder struct {
	Spec  Spec
	Tools Tools
	Dir   string // absolute and private: letters, digits, "/", "." and "-"; its parent contains only such folders
}

//go:embed folder.sh
var folderScript string

//go:embed sweep.sh
var sweepScript string

// mark is the file that is written last: how the environment was made.
const mark = "done"

// Find returns a shell script that prints how the environment was made, or nothing if it does not exist, and records
// that it is used.
func (f Folder) Find() string {
	done := escape.Word(path.Join(f.Dir, mark))
	return "if [ -e " + done + " ]; then cat " + done + "; touch " + done + "; fi"
}

// Way returns how it is made with Tools.
func (f Folder) Way() Way { return f.Tools.way() }

// The folders of what is sent.
const (
	asItIs = "new"
	masks  = "masked" // files without their secrets, which replace the originals once the environment is made
)

// Upload writes what Argv needs as a tar stream, below the folder in.
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

// moved writes the files into another folder of the stream.
func (p place) moved(t *tar.Writer, to string, r Recipe, secrets []string) error {
	return place("/"+to).write(t, r, secrets)
}

// Argv returns the command that makes the environment, unless it exists, from the folder that Upload has filled. The
// file alive exists as long as the command runs.
func (f Folder) Argv(alive string) []string {
	p, r := f.place(), f.Spec.Recipe
	return append([]string{"sh", "-c", folderScript, "sh", f.Dir, string(f.Way()), p.dir(r), alive}, p.argv(r, f.Tools)...)
}

// Sweep returns a shell script that removes sibling environments that have not been used for a month. The script does
// not wait for the removal.
func (f Folder) Sweep() string {
	return "sh -c " + escape.Word(sweepScript) + " sh " + escape.Word(path.Dir(f.Dir)) + " >/dev/null 2>&1 </dev/null &"
}

// Start returns the arguments to put before a program that is started in the environment, however it was made.
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
