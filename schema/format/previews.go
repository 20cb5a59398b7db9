package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format/literal"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
)

// What the 2021 previews had, which is still in many repositories, and what replaces it. The sources are the samples of
// the preview, Azure/azureml-v2-preview, and today's reference.
func previewKeys() map[string]string {
	return map[string]string{
		"docker":                 "write image: followed by its name",
		"spec":                   "write type",
		"local_path":             "write path",
		"asset_path":             "write path",
		"data":                   "write path",
		"dataset":                "write path",
		"priority":               "write tier: dedicated or tier: low_priority",
		"folder":                 "write path, and type: uri_folder",
		"directory":              "write path, and type: uri_folder",
		"file":                   "write path, and type: uri_file",
		"scale_type":             "write type: default here, and instance_count outside it",
		"process_count_per_node": "write process_count_per_instance",
		"deployments":            "write each deployment to a file of its own, with endpoint_name",
		"job_type":               "write type",
		"infrastructure":         "remove the line, or for Kubernetes write compute",
		"traffic":                "write defaults, with deployment_name",
		"max_total_runs":         "write max_total_trials",
		"max_concurrent_runs":    "write max_concurrent_trials",
		"model_format":           "write type: mlflow_model, custom_model or triton_model",
		"max_duration_minutes":   "write timeout, in seconds",
	}
}

func previewValues() map[string]string {
	return map[string]string{
		"component":         "remove the line, or write the type of the component",
		"component_job":     "remove the line, or write the type of the component",
		"command_component": "write command",
		"command_job":       "write command",
		"pipeline_job":      "write pipeline",
		"sweep_job":         "write sweep",
		"mount":             "write ro_mount, or rw_mount for an output",
	}
}

// mounted reports whether a value is what the previews called the mode of an input that is mounted. Spark mounts none.
func mounted(p *place, value string) bool {
	job := p.moved("inputs")
	return job != nil && strings.EqualFold(value, "mount") && !job.has("entry")
}

// moved returns the job or component of which a place is the mode of one of the inputs, or outputs; otherwise nil.
func (p *place) moved(group string) *place {
	if p.name != "mode" || p.parent == nil || p.parent.parent == nil || p.parent.parent.name != group {
		return nil
	}
	return p.parent.parent.parent
}

// preview returns what replaces a key that only the previews had; "" for other keys, or if the current key is present.
func preview(p *place, key string) string {
	if p.declares() {
		value := "VALUE"
		if i := p.first("default"); i >= 0 {
			if n := p.entries[i].value.Resolve(); n.Kind == document.Scalar && n.Style == document.Plain && !n.IsNull() && !secret.Contains(n.Value) {
				value = shorten(n.Value)
			}
		}
		return fmt.Sprintf("only a component declares inputs; a job gives a value: write %s: %s", shorten(p.name), value)
	}
	if is := annotationOf(p.schema).Is; key == "type" && strings.HasSuffix(is, "endpoint") {
		return "only the previews of 2021 had it; remove the line"
	}
	if key == "spec" && p.schema.Properties["type"] == nil || key == "traffic" && p.schema.Properties["defaults"] == nil {
		return ""
	}
	words := previewKeys()[key]
	for _, now := range []string{"path", "tier"} { // other mappings had keys of the same name
		if strings.HasPrefix(words, "write "+now) && p.schema.Properties[now] == nil {
			return ""
		}
	}
	if words == "" {
		return ""
	}
	return "only the previews of 2021 had it; " + words
}

// declares reports whether a job's input is written as a component's, without a value: its keys are one fault.
func (p *place) declares() bool {
	return p.schema.Properties["value"] != nil && len(p.schema.Properties) == 1 && !p.has("value")
}

// previewed reports whether a key that only the previews had is reported in place of one that is missing.
func (p *place) previewed(name string) bool {
	for key, words := range previewKeys() {
		if wanted := strings.FieldsFunc(words, func(r rune) bool { return r == ' ' || r == ',' || r == ':' })[1]; wanted == name && p.schema.Properties[key] == nil && p.has(key) && preview(p, key) != "" {
			return true
		}
	}
	return false
}

// outdated sets the fix of a key of the previews that v2 has no other name for: the line is removed, or the image comes
// out of the mapping around it.
func (v *validation) outdated(f *finding.Finding, p *place, e entry, words string) {
	below := place{parent: p, name: "image", key: e.key, value: e.value, shared: p.shared || e.shared}
	if strings.HasSuffix(words, "; remove the line") && v.root.Has("$schema") { // without one, the line says what the file is
		below.name = e.name
		v.remove(f, &below, finding.Safe)
	} else if n := e.value.Resolve(); e.name == "docker" && !p.has("image") && n.Get("image").IsString() && p.schema.Properties["image"] != nil {
		v.unwrap(f, &below, n)
	}
}

// remove sets the fix that removes the entry p with its line.
func (v *validation) remove(f *finding.Finding, p *place, how finding.Applicability) {
	if !p.shared && p.value.Kind == document.Scalar && p.value.Anchor() == "" {
		f.Fix = finding.NewFix(how, "remove "+quote(p.name), finding.Change{Op: finding.RemoveEntry, File: v.src.Path, Pointer: p.pointer()})
	}
}

// single returns the only value of a mapping, or the target of a compute in the previews' form, if text is expected
// instead; "" for others.
func single(s *literal.Schema, n *document.Node) string {
	value := n.Get("target")
	if n.Kind == document.Mapping && len(n.Entries()) == 1 {
		value = n.Entries()[0].Value
	}
	if n.Kind != document.Mapping || !value.IsString() {
		return ""
	}
	text := value.Text()
	if s.Pattern != nil && !s.Pattern.Get().MatchString(text) {
		return ""
	}
	return text
}

// unwrap offers to write the value of a mapping's only entry instead of the mapping, for the finding f, if the entry is
// one that the previews had for a name or a path.
func (v *validation) unwrap(f *finding.Finding, p *place, n *document.Node) {
	if p.key == nil || p.shared || n != p.value || len(n.Entries()) != 1 || n.Properties != n.Span.Start {
		return
	}
	if !slices.Contains([]string{"target", "local_path", "directory", "path", p.name}, n.Entries()[0].Key.Value) {
		return
	}
	value := n.Entries()[0].Value
	raw, old, key := string(v.src.Slice(value.Span)), source.Span{Start: p.key.Span.End, End: n.Span.End}, ""
	if !strings.HasPrefix(strings.TrimLeft(string(v.src.Text[old.Start:n.Span.Start]), " \t"), ":") {
		return // "? key" on a line of its own
	}
	around := string(v.src.Text[old.Start:value.Span.Start]) + string(v.src.Text[value.Span.End:old.End])
	if value.Kind == document.Scalar && value.Properties == value.Span.Start && !strings.ContainsAny(raw, "\r\n") && !strings.Contains(around, "#") {
		if p.key.Value != p.name {
			old.Start, key = p.key.Span.Start, p.name
		}
		f.Fix = finding.NewFix(finding.Safe, fmt.Sprintf("write %s: %s", shorten(p.name), shorten(raw)), finding.Splice(v.src, old, key+": "+raw))
	}
}
