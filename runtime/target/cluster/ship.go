package cluster

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/project"
	sshjob "github.com/amlfix/amlfix/runtime/remote"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/runtime/shim"
	"github.com/amlfix/amlfix/runtime/spark"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/runtime/target"
	"github.com/amlfix/amlfix/schema/escape"
)

// What is sent to the nodes of the cluster is in a folder of the run's folder, along with the scripts that run the job.
const (
	shipDir    = "ship"
	headName   = "yarn.sh" // spark.HeadScript
	headScript = shipDir + "/" + headName
	driverName = "amlfix_driver.py" // spark.DriverScript
)

// spread makes spark-submit send the project to the nodes of the cluster, so that the working directories there look
// like the project's root: it sends files in the root unchanged, each folder as an archive under its own name, and
// anything that cannot be passed to spark-submit by name in one archive that the driver unpacks.
func spread(p plan.Plan, spec *sshjob.Spec, snap *project.Snapshot) error {
	if !partOf(p).YARN {
		return nil
	}
	var files, archives, rest, entries []string
	var pack strings.Builder
	own, _, _ := strings.Cut(shim.PythonDir, "/")
	pack.WriteString("mkdir -p " + shipDir + " && mv " + escape.Word(path.Join(spec.Project, own, headName)) + " " + headScript + " || exit 1\n")
	if partOf(p).Distributed {
		pack.WriteString("mv " + escape.Word(path.Join(spec.Project, own, driverName)) + " " + shipDir + " && : > " + shipDir + "/store || exit 1\n")
	}
	tar := func(name, from, what string) {
		archive := shipDir + "/" + name + ".tgz"
		pack.WriteString("tar -czf " + escape.Word(archive) + " -C " + escape.Word(from) + " -- " + what + " || exit 1\n")
		archives = append(archives, "../"+archive+"#"+name)
	}
	tar(own, path.Join(spec.Project, own), ".")
	for _, e := range snap.Entries {
		if strings.Contains(e.Path, "/") || e.Path == project.OutputsDir {
			continue
		}
		entries = append(entries, e.Path)
		switch {
		case !e.Mode.IsDir() && !e.Mode.IsRegular() || strings.ContainsAny(e.Path, ",#:?*[]{}%\\ "):
			rest = append(rest, escape.Word("./"+e.Path))
		case e.Mode.IsDir():
			tar(e.Path, path.Join(spec.Project, e.Path), ".")
		default:
			files = append(files, e.Path)
		}
	}
	if len(rest) > 0 {
		tar(spark.RestDir, spec.Project, strings.Join(rest, " "))
	}
	options := []string{"--archives", strings.Join(append(archives, p.SparkSetting("spark.yarn.dist.archives")...), ",")} // an option overrides a setting
	if files = append(files, p.SparkSetting("spark.yarn.dist.files")...); len(files) > 0 {
		options = append(options, "--files", strings.Join(files, ","))
	}
	if p.SparkSetting(executorPath) == nil {
		options = append(options, "--conf", executorPath+"="+shim.PythonDir)
	}
	snap.Add(path.Join(own, headName), spark.HeadScript)
	spec.Prepare = pack.String()
	spec.OnStop, spec.OnKill = stopping(p.RunID)
	at := 1 + len(p.Spark)
	if !partOf(p).Distributed {
		spec.Argv = slices.Insert(spec.Argv, at, options...)
		return nil
	}
	return distribute(p, spec, snap, append(options, masterEnv(p)...), entries)
}

// executorPath is the setting that lists where the Python of Spark's workers looks for modules.
const executorPath = "spark.executorEnv." + target.PythonPath

// distribute has amlfix's own driver run the script on a node of the cluster, and a script on the head node fetch what
// the driver leaves.
func distribute(p plan.Plan, spec *sshjob.Spec, snap *project.Snapshot, options, entries []string) error {
	store := spark.Store(p.RunID)
	job := spark.Job{Store: store, Entries: entries, Env: map[string]string{}}
	for _, a := range p.Argv {
		job.Argv = append(job.Argv, a.Value)
	}
	for _, v := range p.Env {
		if v.Name != target.PythonPath { // Spark adds its own folders to the value in masterEnv
			job.Env[v.Name] = v.Value
		}
	}
	text, err := job.Encode()
	if err != nil {
		return err
	}
	snap.Add(spark.JobFile, text)
	own, _ := path.Split(spark.JobFile)
	snap.Add(own+driverName, spark.DriverScript)
	spec.Argv = slices.Concat([]string{"/bin/sh", "../" + headScript, "submit", store}, spec.Argv[:1+len(p.Spark)], options, []string{"../" + shipDir + "/" + driverName})
	return nil
}

// checkYARN checks for the Hadoop programs without which a job on YARN runs, but less well.
func checkYARN(ctx context.Context, p plan.Plan, line *ssh.Line) (results []preflight.Result) {
	look := func(name, want string) {
		var missing *sshjob.StartError
		if _, err := sshjob.Find(ctx, line, name); errors.As(err, &missing) {
			results = append(results, preflight.Result{Topic: preflight.Program, Status: preflight.Doubtful, Text: "there is no program " + name + " on " + line.Name(), Next: want})
		}
	}
	if partOf(p).YARN {
		look("yarn", "without it a job that does not end when it is asked to cannot be stopped")
	}
	if partOf(p).Distributed {
		look("hdfs", "without it what the script prints and its outputs/ stay on the cluster")
	}
	return results
}

// masterEnv also sets the variables that are not secret for the driver's Java, where everyone can read them in the
// process list. The script gets all variables from its description.
func masterEnv(p plan.Plan) (options []string) {
	for _, v := range p.Env {
		if !v.Secret {
			options = append(options, "--conf", "spark.yarn.appMasterEnv."+v.Name+"="+v.Value)
		}
	}
	return options
}

// stopping returns scripts for stopping the application, which continues if only spark-submit ends. The first asks
// amlfix's driver, if there is one, to end the script; the second ends the application itself. They do nothing for a
// job that is not on YARN.
func stopping(runID runid.ID) (stop, kill string) {
	ask := func(what string) string {
		return "[ ! -e " + headScript + " ] || sh " + headScript + " " + what + " " + escape.Word(spark.Store(runID)) + " </dev/null"
	}
	return ask("stop"), ask("kill")
}
