package v2

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
)

// pipeline writes a pipeline with its steps as inline commands.
func (e *emission) pipeline(p *migrate.Pipeline) {
	head := []string{"Written by amlfix from " + p.File.Rel + "."}
	m := schemaOf("pipelineJob").Set("type", "pipeline")
	var inputs, jobs yamlout.Map
	e.created(p)
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
	m = m.Set("display_name", p.Name).Set("experiment_name", e.m.ExperimentOf(p.Name, p.Experiment, p.File))
	m = e.submitted(m, p.Name, p.File)
	m = m.Fill("inputs", inputs)
	var settings yamlout.Map
	if p.Reruns {
		settings = settings.Set("force_rerun", true)
	}
	// By default, SDK v1 stops at the first step that fails, and v2 continues with the others.
	m = m.Fill("settings", settings.Set("continue_on_step_failure", p.Continues))
	e.m.Write("job-"+p.Name+".yml", yamlout.Bytes(head, m.Set("jobs", jobs)))
}

// created sets the types of data that the migration writes.
func (e *emission) created(p *migrate.Pipeline) {
	for i, in := range p.Inputs {
		name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSuffix(in.Address, "@latest"), "azureml:"), ":")
		kind := e.kinds[name]
		if in.Type != "" || kind == "" {
			continue
		}
		p.Inputs[i].Type = kind
		for _, j := range p.Steps {
			for k, d := range j.Inputs {
				if d.Address == "${{parent.inputs."+in.Name+"}}" {
					j.Inputs[k].Type = kind
				}
			}
		}
	}
}

// step returns a step of a pipeline.
func (w *jobWriter) step() (m yamlout.Map) {
	j := w.j
	m = m.Set("type", "command").Fill("display_name", j.Step.Label)
	m = append(m.Set("code", w.m.Up(j.Code)), w.commandEntry())
	inputs, outputs := w.ports()
	m = append(m.Fill("inputs", inputs).Fill("outputs", outputs), w.environmentEntry())
	m = append(w.withVariables(m), inCompute(j.Target)...)
	m = m.Fill("resources", w.resources(placed{}))
	m = m.Fill("distribution", w.distribution())
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
		case d.Mode == "download" || d.Type == "mltable":
			kind := cmp.Or(d.Type, "uri_folder")
			inputs = inputs.Set(d.Name, yamlout.Map{{Key: "type", Value: kind}, {Key: "path", Value: d.Address}, {Key: "mode", Value: inputMode(d.Mode, kind)}})
		default:
			inputs = inputs.Set(d.Name, d.Address)
		}
	}
	for _, d := range w.j.Outputs {
		outputs = append(outputs, w.output(d))
	}
	return inputs, outputs
}
