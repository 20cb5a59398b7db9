package v2

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/fixers/migrate/shell"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
)

// splits are the settings of ParallelRunConfig that are integers in v2, with v2's names.
var splits = [][2]string{{"process_count_per_node", "max_concurrency_per_instance"}, {"error_threshold", "error_threshold"}, {"allowed_failed_count", "mini_batch_error_threshold"}}

// parallel turns a command into a step that splits its work. Source of the keys: azure-ai-docs
// migrate-to-v2-execution-parallel-run-step.md.
func (w *jobWriter) parallel(command yamlout.Map) (m yamlout.Map) {
	j := w.j
	setting := func(name string) schema.Field { return schema.FieldAt(j.Step.File, j.Step.Parallel, name) }
	m = m.Set("type", "parallel")
	task := yamlout.Map{{Key: "type", Value: "run_function"}}
	var rest yamlout.Map
	for _, e := range command {
		switch e.Key {
		case "type", "display_name", "distribution", "resources":
		case "code", "environment":
			task = append(task, e)
		case "command":
			script, _ := j.Program()
			task = append(task, yamlout.Entry{Key: "entry_script", Value: script, Above: e.Above})
			words := rendered(j.Arguments)
			if percent := setting("allowed_failed_percent"); percent.Explicit && percent.Node.Tag() == "!!int" {
				words = append(words, "--allowed_failed_percent", percent.Text)
				w.m.Ledger.Map(j.Name, "`task.program_arguments`", "", percent)
			}
			task = task.Fill("program_arguments", strings.Join(words, " "))
		default:
			rest = append(rest, e)
		}
	}
	if !w.appends(&task, &rest) {
		w.m.Ledger.Map(j.Name, "no `append_row_to`: the script writes its results itself", "", setting("output_action"))
	}
	m = append(m, rest...)
	m = m.Set("task", task)
	if i := slices.IndexFunc(j.Inputs, func(d migrate.Data) bool { return d.Export == "" && !d.Waits && d.Mode != "" }); i >= 0 {
		m = m.Set("input_data", "${{inputs."+j.Inputs[i].Name+"}}")
	}
	size := setting("mini_batch_size")
	m = m.Set("mini_batch_size", cmp.Or(size.Text, "10")) // as in SDK v1
	w.m.Ledger.Map(j.Name, "`mini_batch_size`", "", size)
	names := splits
	if setting("allowed_failed_count").Explicit {
		w.m.Ledger.Drop(j.Name, "v2 accepts only one threshold, and `allowed_failed_count` is set", setting("error_threshold"))
		names = slices.DeleteFunc(slices.Clone(names), func(n [2]string) bool { return n[0] == "error_threshold" })
	}
	m = append(m, w.integers(j.Name, "", setting, names...)...)
	if keys := setting("partition_keys"); keys.Explicit && keys.Node.IsSequence() {
		m = m.Set("partition_keys", plainValue(keys.Node))
		w.m.Ledger.Map(j.Name, "`partition_keys`", "", keys)
	}
	if level := setting("logging_level"); level.Explicit && slices.Contains([]string{"DEBUG", "INFO", "WARNING"}, level.Text) {
		m = m.Set("logging_level", level.Text)
		w.m.Ledger.Map(j.Name, "`logging_level`", "", level)
	}
	return append(m, w.retries(setting)...)
}

// appends makes the service write what the script returns to one file, if it did before.
func (w *jobWriter) appends(task, rest *yamlout.Map) bool {
	j := w.j
	action, file := schema.FieldAt(j.Step.File, j.Step.Parallel, "output_action"), schema.FieldAt(j.Step.File, j.Step.Parallel, "append_row_file_name")
	at := slices.IndexFunc(j.Outputs, func(d migrate.Data) bool { return !d.Waits })
	if action.Text != "append_row" || at < 0 {
		return false
	}
	*task = task.Set("append_row_to", "${{outputs."+j.Outputs[at].Name+"}}")
	for _, e := range *rest {
		outputs, _ := e.Value.(yamlout.Map)
		for i, out := range outputs {
			if e.Key == "outputs" && out.Key == j.Outputs[at].Name {
				m, _ := out.Value.(yamlout.Map)
				m = m.Set("type", "uri_file")
				if folder := j.Outputs[at].Address; folder != "" {
					m = m.Set("path", strings.TrimSuffix(folder, "/")+"/"+cmp.Or(file.Text, "parallel_run_step.txt"))
				}
				outputs[i].Value = m
			}
		}
	}
	w.m.Ledger.Map(j.Name, "`append_row_to`", "the output is now a file; SDK v1 created a file in a folder", action, file)
	return true
}

// retries returns the number of machines and when to retry a batch.
func (w *jobWriter) retries(setting func(string) schema.Field) (m yamlout.Map) {
	j := w.j
	nodes := setting("node_count")
	var count int
	if nodes.Explicit && nodes.Node.Tag() == "!!int" {
		count = number(nodes.Text)
		w.m.Ledger.Map(j.Name, "`resources.instance_count`", "", nodes)
	} else {
		lost := setting("node_count" + built.NotLiteral)
		count, _ = w.m.DecideNumber(&account.Question{ID: "nodes", Scope: j.Name, Ask: "On how many nodes does the step run?", Default: "1", Example: "2", Why: "the program computes it"}, 1)
		w.m.Ledger.Decide(j.Name, "`resources.instance_count`", "nodes", lost)
	}
	m = m.Set("resources", yamlout.Map{{Key: "instance_count", Value: count}})
	return m.Fill("retry_settings", w.integers(j.Name, "retry_settings.", setting, [2]string{"run_max_try", "max_retries"}, [2]string{"run_invocation_timeout", "timeout"}))
}

// trials turns a command in a pipeline into a sweep, whose trial is a component with the search space as inputs.
func (w *jobWriter) trials(command yamlout.Map) (m yamlout.Map) {
	var inputs, outputs, kept yamlout.Map
	for _, e := range command {
		switch e.Key {
		case "display_name": // sweeps in pipelines do not have one
			continue
		case "inputs":
			for _, d := range w.j.Inputs {
				inputs = inputs.Set(d.Name, yamlout.Map{{Key: "type", Value: cmp.Or(d.Type, "uri_folder")}})
			}
			given, _ := e.Value.(yamlout.Map)
			for _, in := range given {
				written, _ := in.Value.(yamlout.Map)
				for _, part := range written {
					if part.Key == "type" {
						inputs = inputs.Set(in.Key, yamlout.Map{part})
					}
				}
			}
		case "outputs":
			for _, d := range w.j.Outputs {
				outputs = outputs.Set(d.Name, yamlout.Map{{Key: "type", Value: cmp.Or(d.Type, "uri_folder")}})
			}
		}
		kept = append(kept, e)
	}
	swept := w.sweep(kept)
	for _, e := range swept {
		if space, ok := e.Value.(yamlout.Map); ok && e.Key == "search_space" {
			for _, p := range space {
				inputs = inputs.Set(p.Key, yamlout.Map{{Key: "type", Value: drawnType(p.Value)}})
			}
		}
	}
	for _, e := range swept {
		trial, ok := e.Value.(yamlout.Map)
		if e.Key != "trial" || !ok {
			m = append(m, e)
			continue
		}
		component := yamlout.Map{{Key: "type", Value: "command"}}
		component = component.Fill("inputs", inputs).Fill("outputs", outputs)
		for _, part := range trial {
			if text, ok := part.Value.(string); ok && part.Key == "command" {
				commands := []string{strings.ReplaceAll(text, "${{search_space.", "${{inputs.")}
				for _, d := range w.j.Outputs {
					if d.File != "" {
						commands = append(commands, "cp "+shell.Quote(d.File)+" ${{outputs."+d.Name+"}}")
					}
				}
				part.Value = strings.Join(commands, " && ")
			}
			component = append(component, part)
		}
		m = m.Set("trial", component)
	}
	return m
}

// drawnType returns the type of an input for the values of a distribution.
func drawnType(distribution any) string {
	d, _ := distribution.(yamlout.Map)
	for _, e := range d {
		values, _ := e.Value.(yamlout.List)
		switch {
		case e.Key == "type" && e.Value == "randint":
			return "integer"
		case e.Key != "values":
			continue
		}
		kinds := map[string]bool{}
		for _, v := range values {
			kinds[fmt.Sprintf("%T", v)] = true
		}
		switch {
		case kinds["string"]:
			return "string"
		case !kinds["float64"]:
			return "integer"
		}
	}
	return "number"
}
