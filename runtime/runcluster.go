package runtime

import (
	"archive/zip"
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/remote"
	"github.com/amlfix/amlfix/runtime/shim"
	"github.com/amlfix/amlfix/runtime/ssh"
)

// shipDir is the folder, in the run's folder, of the archives that go to the node on which the script runs.
const shipDir = "ship"

// shimArchive is the file in the project that holds the modules of package shim for a node of the cluster.
const shimArchive = ".amlfix/azureml.zip"

// distribute has spark-submit send the project to the node on which the script runs, so that its working folder there
// looks like the project's root: files of the root go as they are, each folder as an archive under its own name. Not
// tested on YARN: the tests hold what spark-submit is asked for.
func (r *runner) distribute(spec *remote.Spec, snap *project.Snapshot) error {
	var files, archives []string
	var pack strings.Builder
	pack.WriteString("mkdir -p " + shipDir + "\n")
	for _, e := range snap.Entries {
		switch {
		case strings.Contains(e.Path, "/") || e.Path == project.OutputsDir || e.Path == ".amlfix" || e.Path == path.Clean(r.plan.Script.Value):
		case strings.ContainsAny(e.Path, ",#:?*[]{}%\\ "):
			r.say.Notice("%s: not sent to the node on which the script runs: spark-submit cannot be given a name with such a character", e.Path)
		case e.Mode.IsDir():
			archive := shipDir + "/" + e.Path + ".tgz"
			pack.WriteString("tar -czf " + ssh.Quote(archive) + " -C " + ssh.Quote(path.Join(spec.Project, e.Path)) + " . || exit 1\n")
			archives = append(archives, "../"+archive+"#"+e.Path)
		case e.Mode.IsRegular():
			files = append(files, e.Path)
		}
	}
	modules, err := shimZip()
	if err != nil {
		return err
	}
	snap.Add(shimArchive, modules)
	spec.Prepare = pack.String()
	options := []string{"--py-files", shimArchive}
	if len(files) > 0 {
		options = append(options, "--files", strings.Join(files, ","))
	}
	if len(archives) > 0 {
		options = append(options, "--archives", strings.Join(archives, ","))
	}
	for _, v := range r.plan.Env {
		if v.Secret {
			r.say.Notice("variable %s is not set on the node on which the script runs: there everybody could read it in the list of processes (%s)", v.Name, v.Origin)
			continue
		}
		if v.Name != shareVariable {
			options = append(options, "--conf", "spark.yarn.appMasterEnv."+v.Name+"="+v.Value)
		}
	}
	spec.Argv = slices.Insert(spec.Argv, 1+len(r.plan.Spark), options...)
	spec.OnStop = stopOnYARN
	return nil
}

// stopOnYARN ends the application itself: it goes on when only spark-submit ends.
const stopOnYARN = `id=$(sed -n 's/.*Submitted application \(application_[0-9]*_[0-9]*\).*/\1/p' err | head -n 1)
[ -z "$id" ] || yarn application -kill "$id" >/dev/null 2>&1`

func shimZip() ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range shim.Files() {
		name, ok := strings.CutPrefix(f.Path, shim.PythonDir+"/")
		if !ok {
			continue
		}
		out, err := w.Create(name)
		if err == nil {
			_, err = out.Write(f.Content)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: cannot be packed: %w", filepath.ToSlash(f.Path), err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("%s: cannot be packed: %w", shimArchive, err)
	}
	return b.Bytes(), nil
}
