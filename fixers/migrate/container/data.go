package container

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
)

func inputPath(name string) string  { return migrate.Inputs + name }
func outputPath(name string) string { return migrate.Outputs + name }

const sharePath = "/share"

// data mounts what the job reads and writes. Datastores and datasets belong to a workspace; outside, the data has to be
// in a folder.
func (w *writer) data() {
	for _, d := range w.j.Inputs {
		w.input(d)
	}
	for _, d := range w.j.Outputs {
		w.output(d)
	}
	if at := path.Join(w.j.Code, "outputs"); !w.m.Project.Exists(at) { // Azure ML made it; a mount does
		w.c.Mounts = append(w.c.Mounts, Mount{Name: "outputs", Host: at, Path: path.Join(Workdir, at)})
	}
	if w.j.Share {
		w.c.Mounts = append(w.c.Mounts, Mount{Name: "share", Path: sharePath})
		w.c.Variables = append(w.c.Variables, migrate.Variable{Name: migrate.ShareVariable, Value: sharePath})
		if t := w.j.Source.Target; t != nil {
			w.m.Ledger.Map(w.j.Name, "the volume share at "+sharePath, "given by "+migrate.ShareVariable, t.SharedDirectory)
		}
	}
}

func (w *writer) input(d migrate.Data) {
	s, name := d.Source, d.Name
	mount := Mount{Name: name, Path: inputPath(name), ReadOnly: !strings.HasPrefix(d.Mode, "rw"), Host: d.Folder}
	if d.Folder != "" {
		w.c.Mounts = append(w.c.Mounts, mount)
		return
	}
	question := account.Question{ID: "folder-" + name, Scope: w.j.Name, Ask: "In which folder is the data " + name + "?", Example: "data/" + name,
		Why: cmp.Or(d.Why, "it is in the workspace's storage, which containers outside Azure cannot reach: download it first (`az storage blob download-batch`)")}
	if mount.File = d.File != ""; mount.File {
		mount.Path = path.Join(mount.Path, d.File)
		question.ID, question.Ask, question.Example = "file-"+name, "Which file is the data "+name+"?", "data/"+d.File
	}
	answer, open := w.m.Decide(&question)
	mount.Open, mount.Host = open, path.Clean(answer)
	switch {
	case open:
		mount.Host = account.Marker
		w.c.about(account.Marker + ": the data " + name + " has not been downloaded yet; see " + account.Report)
	case w.m.Emitter.Format() == "k8s" && (migrate.Away(answer) || !filepath.IsLocal(mount.Host)):
		w.m.Refuse(question.ID, answer, "the pods have only the project's folder: copy the data into it, and name the folder there")
	}
	w.c.Mounts = append(w.c.Mounts, mount)
	w.m.Ledger.Decide(w.j.Name, answer, question.ID, account.Given(s.Datastore, s.Path, s.Dataset, s.DatasetID, s.Version, s.URI)...)
	w.export(d, mount.Path)
	w.m.Ledger.Map(w.j.Name, mount.Path, "a folder on the host", s.Mode)
	w.m.Ledger.Drop(w.j.Name, "the script is given the location of the data: "+mount.Path, s.OnCompute)
	w.m.Ledger.Drop(w.j.Name, "input data is not overwritten", s.Overwrite)
}

// inputAt returns the path of an input, which may be a file.
func (w *writer) inputAt(name string) string {
	for _, d := range w.j.Inputs {
		if d.Name == name && d.Folder == "" {
			return path.Join(inputPath(name), d.File)
		}
	}
	return inputPath(name)
}

func (w *writer) output(d migrate.Data) {
	s := d.Source
	mount := Mount{Name: d.Name, Host: cmp.Or(d.Folder, "outputs/"+d.Name), Path: outputPath(d.Name)}
	w.c.Mounts = append(w.c.Mounts, mount)
	result, why := "the folder `"+mount.Host+"` at "+mount.Path, "the workspace's storage is not writable from outside Azure"
	if at := s.URI.Node.Get("path").Text(); at != "" && !strings.Contains(at, "://") && !strings.Contains(at, "{{") && !strings.HasPrefix(at, "azureml:") { // one of this machine
		why = "outputs that leave Azure are kept in this folder"
	}
	if d.Folder != "" && w.j.Step == nil { // the job names it
		w.m.Ledger.Map(w.j.Name, result, "", s.URI)
	} else {
		w.m.Ledger.Map(w.j.Name, result, why, account.Given(s.Datastore, s.Path, s.URI, s.Mode)...)
	}
	w.m.Ledger.Drop(w.j.Name, "there is no workspace in which to register it", s.Register)
	w.m.Ledger.Drop(w.j.Name, "the script is given its location: "+mount.Path, s.OnCompute)
	w.m.Ledger.Drop(w.j.Name, "the folder keeps its content", s.Overwrite)
	w.export(d, mount.Path)
}

// export sets the variable that a script reads the path from.
func (w *writer) export(d migrate.Data, at string) {
	if d.Export == "" || w.has(d.Export) {
		return
	}
	w.c.Variables = append(w.c.Variables, migrate.Variable{Name: d.Export, Value: at})
	w.m.Ledger.Map(w.j.Name, "the variable "+d.Export, "", d.Source.Variable)
}

// has reports whether the container has a variable.
func (w *writer) has(variable string) bool {
	return slices.ContainsFunc(w.c.Variables, func(v migrate.Variable) bool { return v.Name == variable })
}

// variables adds the environment variables.
func (w *writer) variables() {
	for _, v := range w.j.Variables {
		if w.has(v.Name) {
			w.m.Ledger.Drop(w.j.Name, "the path of the data is passed under this name", v.Source)
			continue
		}
		w.c.Variables = append(w.c.Variables, v)
		if v.Secret {
			w.m.Ledger.Map(w.j.Name, "a variable that you set", "its value was not copied", v.Source)
		} else {
			w.m.Ledger.Map(w.j.Name, "an environment variable", "", v.Source)
		}
	}
}

// defaultShm is what SDK v1 gave a container; Docker itself gives 64 MB, which data loaders with several processes
// fill.
const defaultShm = "2g"

func (w *writer) shm() {
	j := w.j
	w.c.Shm = j.ShmSize
	if w.c.Shm == "" && (j.GPU || j.Source.Dialect == schema.SDKv1) {
		w.c.Shm = defaultShm
	}
	w.m.Ledger.Map(j.Name, "the size of /dev/shm", "", j.Source.Docker.ShmSize)
}
