package schema

import (
	"bytes"
	"slices"
	"strings"
)

// Pairs of top-level keys: every file that v2ByKeys or surelyRun recognizes has one, so the beginning of a file rules
// out nearly all others. "type" counts only with a v2 value, "image" only with an Azure ML image.
var v2Pairs = [][2]string{
	{"endpoint_name", ""}, {"auth_mode", "name"}, {"trigger", "create_job"}, {"trigger", "create_monitor"}, {"trigger", "import_data"},
	{"type", ""}, {"command", "environment"}, {"command", "compute"}, {"name", "conda_file"}, {"name", "image"}, {"name", "resource_id"},
	{"name", "inference_config"}, {"name", "replication_locations"}, {"name", "managed_network"}, {"target", "credentials"}, {"target", "script"}, {"dependencies", ""},
}

// v2Types are the values of "type" that v2ByKeys recognizes, without the _job of the previews.
var v2Types = []string{"amlcompute", "automl", "azure_blob", "azure_data_lake_gen1", "azure_data_lake_gen2", "azure_file", "command", "computeinstance", "custom_model",
	"finetuning", "kubernetes", "mlflow_model", "mltable", "one_lake", "parallel", "pipeline", "spark", "sweep", "synapsespark", "triton_model",
	"uri_file", "uri_folder", "virtualmachine"}

// v2Likely reports whether the beginning of a file may be that of a v2 file that names no schema, or of a run
// configuration of SDK v1; more says that the file is longer. Its keys are indented like the first; in JSON they may be
// anywhere.
func v2Likely(head []byte, more bool) bool {
	var seen [24]bool
	first, flow := firstIndent(head)
	entries := bytes.Lines(head)
	if flow {
		entries = bytes.FieldsFuncSeq(head, func(r rune) bool { return r == '{' || r == '[' || r == ',' || r == '\n' })
	}
	for line := range entries {
		if flow {
			line = bytes.TrimLeft(line, " \t\r")
		}
		line, ok := bytes.CutPrefix(line, first)
		if !ok {
			continue
		}
		line = bytes.TrimLeft(line, "\"'")
		n := bytes.IndexByte(line, ':')
		if n <= 0 || n > 24 {
			continue
		}
		i := slices.Index(v2Telling, string(bytes.TrimRight(line[:n], "\"' ")))
		if i < 0 {
			continue
		}
		value, _, _ := bytes.Cut(line[n+1:], []byte("#"))
		telling := true
		switch string(bytes.TrimRight(line[:n], "\"' ")) {
		case "type":
			_, telling = slices.BinarySearch(v2Types, strings.TrimSuffix(strings.ToLower(string(bytes.Trim(value, " \t\r\n\"',}"))), "_job"))
		case "dependencies":
			telling = bytes.Contains(head, []byte("azureml"))
		case "image":
			telling = bytes.Contains(value, []byte("azureml"))
		}
		seen[i] = seen[i] || telling
	}
	has := func(key string) bool { return key == "" || seen[slices.Index(v2Telling, key)] }
	return more && !flow && has("command") || slices.ContainsFunc(v2Pairs, func(pair [2]string) bool { return has(pair[0]) && has(pair[1]) })
}

// firstIndent returns the spaces before the first key of a text; none in flow style, where they have no meaning. Lines
// of Jinja before it do not count.
func firstIndent(text []byte) (spaces []byte, flow bool) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	for line := range bytes.Lines(text) {
		rest := bytes.TrimLeft(line, " \t")
		switch {
		case len(bytes.TrimSpace(rest)) == 0, rest[0] == '#', rest[0] == '%', bytes.HasPrefix(rest, []byte("---")), jinja(rest):
		case rest[0] == '{', rest[0] == '[':
			return nil, true
		default:
			return line[:len(line)-len(rest)], false
		}
	}
	return nil, false
}

// jinja reports whether a line begins with a block, a comment or a value of Jinja.
func jinja(line []byte) bool {
	return len(line) > 1 && line[0] == '{' && strings.IndexByte("%#{", line[1]) >= 0
}

// v2Telling are the keys of v2Pairs.
var v2Telling = []string{"auth_mode", "command", "compute", "conda_file", "create_job", "create_monitor", "credentials", "dependencies", "endpoint_name", "environment", "image", "import_data",
	"inference_config", "managed_network", "name", "replication_locations", "resource_id", "script", "target", "trigger", "type"}
