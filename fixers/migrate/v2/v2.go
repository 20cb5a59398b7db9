// Package v2 writes jobs, environments and compute targets for Azure ML's CLI v2. Keys are in the order of Azure's own
// examples. Source of the keys: the marshmallow classes of azure-ai-ml and the reference-yaml pages.
package v2

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/format"
)

// Emitter writes Azure ML v2 files: a job for each run configuration, and the environments and compute targets that
// they use.
type Emitter struct{ migrate.InAzure }

// schemaOf returns the key with the URL at which editors find Azure's schema for a kind of file.
func schemaOf(kind string) yamlout.Map {
	return yamlout.Map{{Key: "$schema", Value: "https://azuremlschemas.azureedge.net/latest/" + kind + ".schema.json"}}
}

// Format is "v2".
func (Emitter) Format() string { return "v2" }

// Title returns the name of the format for people.
func (Emitter) Title() string { return "Azure ML v2" }

// kinds are the formats of the written files by the beginnings of their names.
var kinds = []struct {
	prefix string
	kind   format.Kind
}{
	{"environment-", format.V2Environment}, {"compute-", format.V2Compute}, {"data-", format.V2Data}, {"model-", format.V2Model},
	{"endpoint-", format.V2OnlineEndpoint}, {"deployment-", format.V2OnlineDeployment}, {"schedule-", format.V2Schedule},
}

// Schema returns the format of a written file, by its name.
func (Emitter) Schema(f migrate.File) format.Kind {
	if strings.HasPrefix(f.Path, "job-") {
		_, after, _ := bytes.Cut(f.Text, []byte("\ntype: "))
		kind, _, _ := bytes.Cut(after, []byte("\n"))
		switch string(kind) {
		case "command":
			return format.V2Command
		case "spark":
			return format.V2Spark
		case "sweep":
			return format.V2Sweep
		case "pipeline":
			return format.V2Pipeline
		case "automl":
			return format.V2AutoML
		}
		return ""
	}
	for _, k := range kinds {
		if strings.HasPrefix(f.Path, k.prefix) {
			return k.kind
		}
	}
	if strings.HasSuffix(f.Path, ".yml") {
		return format.Conda
	}
	return ""
}

// Secret returns a phrase that says where v2 keeps a secret variable.
func (Emitter) Secret(_ *migrate.Migration, _ *migrate.Job, v migrate.Variable) string {
	return fmt.Sprintf("Put it into the workspace's Key Vault (`az keyvault secret set --name %s`) and read it in the script with azure-keyvault-secrets, or use the identity of the job instead.", account.Slug(v.Name))
}

// Next returns the commands that create the compute targets and submit the jobs.
func (Emitter) Next(m *migrate.Migration) (lines []string) {
	for _, kind := range []string{"compute", "data", "model"} {
		lines = append(lines, m.ForEach(kind+"-", "az ml "+kind+" create --file %s")...)
	}
	for _, j := range m.Parts {
		if j.Serves {
			continue // the deployment includes it
		}
		if file := "environment-" + partName(j) + ".yml"; slices.ContainsFunc(m.Files, func(f migrate.File) bool { return f.Path == file }) {
			lines = append(lines, "az ml environment create --file "+file)
		}
	}
	for _, s := range m.Services {
		lines = append(lines, "az ml online-endpoint create --file endpoint-"+s.Name+".yml", "az ml online-deployment create --file deployment-"+s.Name+".yml --all-traffic")
	}
	lines = append(lines, m.ForEach("job-", "az ml job create --file %s --stream")...)
	return append(lines, m.ForEach("schedule-", "az ml schedule create --file %s")...)
}

// Emit adds the files to the migration.
func (Emitter) Emit(m *migrate.Migration) error {
	e := &emission{m: m, environments: map[string]string{}, computes: map[string]string{}, kinds: map[string]string{}}
	for _, c := range m.Conda {
		e.conda(c)
	}
	for _, learns := range []bool{false, true} { // AutoML asks what data becomes
		for _, a := range m.Assets {
			if learns == (a.Kind == built.AutoML) {
				e.asset(a)
			}
		}
	}
	for _, j := range m.Jobs {
		if j.Step == nil {
			e.job(j)
		}
	}
	for _, p := range m.Pipelines {
		e.pipeline(p)
	}
	for _, j := range m.Parts {
		e.part(j)
	}
	for _, s := range m.Services {
		e.service(s)
	}
	return nil
}

// emission writes one project.
type emission struct {
	m            *migrate.Migration
	environments map[string]string // file by content
	computes     map[string]string // content by file
	kinds        map[string]string // the type of each dataset that is written, by name
}

// conda writes a conda file next to the environment files, or to the Dockerfile's folder if a Dockerfile installs it.
func (e *emission) conda(c *migrate.Conda) {
	for _, j := range c.Jobs {
		if j.Dockerfile == nil {
			e.m.Write(c.Name, c.Text)
			return
		}
	}
}

// job writes one job.
func (e *emission) job(j *migrate.Job) {
	w := &jobWriter{emission: e, j: j}
	w.source()
	var kind string
	var body yamlout.Map
	switch {
	case j.Spark:
		kind, body = "sparkJob", w.spark()
	case w.sweeps():
		kind, body = "sweepJob", w.sweep(w.command())
	default:
		kind, body = "commandJob", w.command()
	}
	body = append(append(schemaOf(kind), body...), w.names()...)
	e.m.Write("job-"+j.Name+".yml", yamlout.Bytes(w.head, body))
}

// jobWriter writes the parts of one job, and records each in the ledger.
type jobWriter struct {
	*emission
	j    *migrate.Job
	head []string
	size string // of its machine, if the migration chose it
}

// source adds a comment that says where the file comes from.
func (w *jobWriter) source() {
	s := w.j.Source
	from := s.File.Rel
	if s.Target != nil && s.Target.File != s.File {
		from += " and " + s.Target.File.Rel
	}
	if w.j.Sweep != nil {
		from += " and " + w.j.Sweep.File.Rel
	}
	w.head = []string{"Written by amlfix from " + from + "."}
	for _, d := range w.m.Open() {
		// decisions that no line of the file is about
		if slices.Contains([]string{"r", "processes", "workers", "servers", "parallel", "dockerfile", "build-context", "communicator", "nodes", "conda-file", "packages", "variables", "sampling", "early-termination", "max-trials"}, d.ID) && slices.Contains(d.Scopes, w.j.Name) {
			w.head = append(w.head, account.Marker+": "+d.Ask+" See "+account.Report)
		}
	}
}

// names returns the job's names in the studio.
func (w *jobWriter) names() (m yamlout.Map) {
	s := w.j.Source
	display := w.j.Name
	if w.j.Script != "" {
		base := w.j.Script[strings.LastIndexByte(w.j.Script, '/')+1:]
		if stem := strings.TrimSuffix(base, path.Ext(base)); stem != display {
			display += "-" + stem
		}
	}
	if s.SDK.JobName.Explicit {
		display = s.SDK.JobName.Text
		w.m.Ledger.Map(w.j.Name, "`display_name`", "", s.SDK.JobName)
	}
	m = m.Set("display_name", display).Set("experiment_name", w.m.ExperimentOf(w.j.Name, w.j.Experiment, s.File))
	if d := s.Description(); d.Explicit && d.Text != "" {
		m = m.Set("description", d.Text)
		w.m.Ledger.Map(w.j.Name, "`description`", "", d)
	}
	return w.submitted(m, w.j.Name, s.File)
}

// submitted adds the tags with which a program submits what it builds.
func (e *emission) submitted(m yamlout.Map, scope string, f *schema.File) yamlout.Map {
	if f.Of == "" {
		return m
	}
	return m.Fill("tags", e.labels(scope, "tags", f.Root().Get("tags")))
}
