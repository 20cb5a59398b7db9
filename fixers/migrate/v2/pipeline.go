package v2

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
)

// pipeline writes a pipeline with its steps as inline commands.
func (e *emission) pipeline(p *migrate.Pipeline) {
	head := []string{"Written by amlfix from " + p.File.Rel + "."}
	m := yamlout.Map{}.Set("$schema", fmt.Sprintf(schemaAddress, "pipelineJob")).Set("type", "pipeline")
	var inputs, jobs, settings yamlout.Map
	for _, in := range p.Inputs {
		entry := yamlout.Entry{Key: in.Name}
		if in.Open {
			entry.Above = []string{account.Marker + ": its value is not known; see " + account.Report}
		}
		if in.Value != nil {
			entry.Value = plainValue(in.Value)
		} else {
			entry.Value = yamlout.Map{{Key: "type", Value: cmp.Or(in.Type, "uri_folder")}, {Key: "path", Value: in.Address}}
		}
		inputs = append(inputs, entry)
	}
	for _, j := range p.Steps {
		w := &jobWriter{emission: e, j: j}
		jobs = jobs.Set(j.Step.Name, w.step())
		for _, mark := range w.m.Marks(j, nil) {
			if !slices.Contains(head, mark) {
				head = append(head, mark)
			}
		}
	}
	if p.Description.Explicit {
		m = m.Set("description", p.Description.Text)
	}
	m = m.Set("display_name", p.Name).Set("experiment_name", cmp.Or(p.Experiment, e.m.Name()))
	if len(inputs) > 0 {
		m = m.Set("inputs", inputs)
	}
	if p.Reruns {
		settings = settings.Set("force_rerun", true)
		m = m.Set("settings", settings)
	}
	e.m.Write("job-"+p.Name+".yml", yamlout.Bytes(head, m.Set("jobs", jobs)))
}

// step returns a step of a pipeline.
func (w *jobWriter) step() (m yamlout.Map) {
	j := w.j
	m = m.Set("type", "command")
	if j.Step.Label != "" {
		m = m.Set("display_name", j.Step.Label)
	}
	m = append(m.Set("code", w.m.Up(j.Code)), w.commandEntry())
	inputs, outputs := w.ports()
	if len(inputs) > 0 {
		m = m.Set("inputs", inputs)
	}
	if len(outputs) > 0 {
		m = m.Set("outputs", outputs)
	}
	m = append(m, w.environmentEntry())
	m = w.withVariables(m)
	m = m.Set("compute", "azureml:"+j.Target)
	if resources := w.resources(placed{}); len(resources) > 0 {
		m = m.Set("resources", resources)
	}
	if d := w.distribution(); len(d) > 0 {
		m = m.Set("distribution", d)
	}
	switch {
	case j.Step.Parallel != nil:
		return w.parallel(m)
	case j.Step.Kind == "HyperDriveStep" && w.sweeps():
		return w.trials(m)
	}
	return m
}

// ports returns the inputs and outputs of a step.
func (w *jobWriter) ports() (inputs, outputs yamlout.Map) {
	for _, d := range w.j.Inputs {
		switch {
		case !strings.HasPrefix(d.Address, "${{"):
			inputs = append(inputs, w.input(d))
		case d.Mode == "download":
			inputs = inputs.Set(d.Name, yamlout.Map{{Key: "type", Value: cmp.Or(d.Type, "uri_folder")}, {Key: "path", Value: d.Address}, {Key: "mode", Value: "download"}})
		default:
			inputs = inputs.Set(d.Name, d.Address)
		}
	}
	for _, d := range w.j.Outputs {
		outputs = append(outputs, w.output(d))
	}
	return inputs, outputs
}
