package lsp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/amlfix/amlfix/schema/testkit"
)

const pipelineFile = `$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
inputs:
  epochs: 3
compute: azureml:gpus
jobs:
  train:
    type: command
    inputs:
      epochs: ${{parent.inputs.epochs}}
    command: python train.py --epochs ${{inputs.epochs}}
    code: src
    environment:
      image: mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu20.04
`

const computeFile = `$schema: https://azuremlschemas.azureedge.net/latest/amlCompute.schema.json
name: gpus
type: amlcompute
size: Standard_NC6s_v3
`

// pipeline returns an editor for a v2 project, with both of its files open.
func pipeline(t *testing.T) (*editor, map[string]string) {
	files := map[string]string{"job.yml": pipelineFile, "compute.yml": computeFile, "src/train.py": ""}
	e := edit(t, testkit.Lay(t, files), sees)
	e.open("job.yml", pipelineFile)
	e.open("compute.yml", computeFile)
	return e, files
}

// behind returns the position of a cursor after a piece of a text.
func behind(text, piece string) (line, character uint32) {
	before, _, _ := strings.Cut(text, piece)
	before += piece
	line = uint32(strings.Count(before, "\n"))
	return line, uint32(len(before) - strings.LastIndex(before, "\n") - 1)
}

func TestHover(t *testing.T) {
	t.Parallel()
	e, _ := pipeline(t)
	for _, c := range []struct{ file, text, piece, want string }{
		{"compute.yml", computeFile, "siz", "**size**: "},
		{"compute.yml", computeFile, "Standard_NC6s_v3", "V100"},
		{"job.yml", pipelineFile, "openmpi4.1.0", "source: "},
		{"job.yml", pipelineFile, "openmpi4.1.0", "standard support ended in 2025-05"},
		{"job.yml", pipelineFile, "comput", "**compute**: "},
	} {
		line, character := behind(c.text, c.piece)
		var hover struct {
			Contents struct {
				Value string `json:"value"`
			} `json:"contents"`
		}
		e.ask("textDocument/hover", at(e, c.file, line, character), &hover)
		if !strings.Contains(hover.Contents.Value, c.want) {
			t.Errorf("%s in %s: %q, want %q in it", c.piece, c.file, hover.Contents.Value, c.want)
		}
	}
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	e, _ := pipeline(t)
	e.open("aml_config/a.compute", "")
	e.open("aml_config/a.runconfig", "")
	e.open("aml_config/conda_dependencies.yml", "")
	for i, c := range []struct{ file, text, behind, want string }{
		{"aml_config/a.compute", "typ", "", "type"},
		{"aml_config/a.compute", "type: remote", "", "remotedocker"},
		{"aml_config/a.compute", "type: localdocker\nnvidiaDocker: ", "", "true"},
		{"aml_config/a.compute", "type: localdocker\nbaseDockerImage: plus-gpu-0.9", "", "microsoft/mmlspark:plus-gpu-0.9.9"},
		{"aml_config/a.runconfig", "ArgumentVector: [a.py]\nTarget: ", "", "a"},
		{"aml_config/conda_dependencies.yml", "dependencies:\n  - python=3.6\n  - pip:\n    - tensorflow-g", "", "tensorflow-gpu"},
		{"compute.yml", computeFile + "siz", "", ""},
		{"compute.yml", strings.Replace(computeFile, "Standard_NC6s_v3", "nc24", 1), "nc24", "Standard_NC24ads_A100_v4"},
		{"job.yml", pipelineFile + "sett", "", "settings"},
		{"job.yml", pipelineFile + "model_prov", "", ""},
		{"job.yml", strings.Replace(pipelineFile, "epochs: ${{parent.inputs.epochs}}", "epochs: ${{par", 1), "${{par", "${{parent.inputs.epochs}}"},
		{"job.yml", strings.Replace(pipelineFile, "azureml:gpus", "az", 1), "compute: az", "azureml:gpus"},
	} {
		e.change(c.file, i+2, c.text)
		line, character := behind(c.text, cmp.Or(c.behind, c.text))
		var list protocol.CompletionList
		e.ask("textDocument/completion", at(e, c.file, line, character), &list)
		var labels []string
		for _, item := range list.Items {
			labels = append(labels, item.Label)
		}
		if c.want == "" && len(labels) > 0 || c.want != "" && !slices.Contains(labels, c.want) {
			t.Errorf("%q: %q, want %q", c.text, labels, c.want)
		}
	}
}

// TestNavigation navigates from where things are named to where they are defined and back.
func TestNavigation(t *testing.T) {
	t.Parallel()
	e, _ := pipeline(t)
	shown := func(list []protocol.Location) (lines []string) {
		for _, l := range list {
			lines = append(lines, fmt.Sprintf("%s:%d:%d", e.name(l.URI), l.Range.Start.Line+1, l.Range.Start.Character+1))
		}
		return lines
	}
	var list []protocol.Location
	line, character := behind(pipelineFile, "parent.inputs.epo")
	e.ask("textDocument/definition", at(e, "job.yml", line, character), &list)
	testkit.Same(t, []string{"job.yml:4:3"}, shown(list))
	line, character = behind(pipelineFile, "azureml:g")
	e.ask("textDocument/definition", at(e, "job.yml", line, character), &list)
	testkit.Same(t, []string{"compute.yml:2:7"}, shown(list))
	line, character = behind(pipelineFile, "python train.p")
	e.ask("textDocument/definition", at(e, "job.yml", line, character), &list)
	testkit.Same(t, []string{"src/train.py:1:1"}, shown(list))
	line, character = behind(pipelineFile, "inputs:\n  epo")
	params := at(e, "job.yml", line, character)
	params["context"] = map[string]any{"includeDeclaration": true}
	e.ask("textDocument/references", params, &list)
	testkit.Same(t, []string{"job.yml:4:3", "job.yml:10:32"}, shown(list))
}

func TestRename(t *testing.T) {
	t.Parallel()
	e, files := pipeline(t)
	line, character := behind(pipelineFile, "inputs:\n  epo")
	params := at(e, "job.yml", line, character)
	params["newName"] = "rounds"
	var change protocol.WorkspaceEdit
	e.ask("textDocument/rename", params, &change)
	want := strings.Replace(strings.Replace(pipelineFile, "  epochs: 3", "  rounds: 3", 1), "parent.inputs.epochs", "parent.inputs.rounds", 1)
	testkit.Same(t, want, e.applied(files, &change)["job.yml"])

	line, character = behind(pipelineFile, "azureml:g")
	params = at(e, "job.yml", line, character)
	params["newName"] = "gpu_cluster"
	change = protocol.WorkspaceEdit{}
	e.ask("textDocument/rename", params, &change)
	renamed := e.applied(files, &change)
	testkit.Same(t, strings.Replace(pipelineFile, "azureml:gpus", "azureml:gpu_cluster", 1), renamed["job.yml"])
	testkit.Same(t, strings.Replace(computeFile, "name: gpus", "name: gpu_cluster", 1), renamed["compute.yml"])

	old := article()
	e = edit(t, testkit.Lay(t, old), sees)
	e.open("aml_config/vm.runconfig", old["aml_config/vm.runconfig"])
	line, character = behind(old["aml_config/vm.runconfig"], "Target: v")
	params = at(e, "aml_config/vm.runconfig", line, character)
	params["newName"] = "gpuvm"
	change = protocol.WorkspaceEdit{}
	e.ask("textDocument/rename", params, &change)
	now := e.applied(old, &change)
	testkit.Same(t, gpuTarget, now["aml_config/gpuvm.compute"])
	testkit.Has(t, now["aml_config/vm.runconfig"], "Target: gpuvm\n")

	testkit.Write(t, e.dir, "aml_config/other.compute", []byte(gpuTarget))
	params["newName"] = "other"
	if _, err := e.conn.Call(t.Context(), "textDocument/rename", params, nil); err == nil {
		t.Error("a target was renamed to another one")
	}
}

// TestEditorThatOnlyEdits checks that an editor that cannot create and rename files gets no edit that does.
func TestEditorThatOnlyEdits(t *testing.T) {
	t.Parallel()
	shared := article()
	shared["aml_config/cpu.compute"] = "type: localdocker\nbaseDockerImage: microsoft/mmlspark:plus-0.9.9\n"
	shared["aml_config/cpu.runconfig"] = strings.Replace(shared["aml_config/vm.runconfig"], "Target: vm", "Target: cpu", 1)
	for capabilities, creates := range map[string]bool{sees: true, strings.Replace(sees, `, "resourceOperations": ["create", "rename", "delete"]`, "", 1): false} {
		e := edit(t, testkit.Lay(t, shared), capabilities)
		e.openAll()
		made := false
		for name := range shared {
			for _, a := range e.actions(name) {
				made = made || slices.ContainsFunc(a.Edit.DocumentChanges, func(c protocol.DocumentChange) bool { _, is := c.(*protocol.CreateFile); return is })
			}
		}
		if made != creates {
			t.Errorf("%s: an action that creates a file: %v", capabilities, made)
		}
		line, character := behind(shared["aml_config/vm.runconfig"], "Target: v")
		params := at(e, "aml_config/vm.runconfig", line, character)
		params["newName"] = "gpuvm"
		if _, err := e.conn.Call(t.Context(), "textDocument/rename", params, nil); (err == nil) != creates {
			t.Errorf("%s: renaming a target: %v", capabilities, err)
		}
	}
}

// TestRenameOfComponents renames what a component declares, with all that a pipeline says about it, and assets with the
// same name.
func TestRenameOfComponents(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"env.yml":  "$schema: https://azuremlschemas.azureedge.net/latest/environment.schema.json\nname: train\nversion: 1\nimage: a:1\n",
		"comp.yml": "$schema: https://azuremlschemas.azureedge.net/latest/commandComponent.schema.json\nname: train\nversion: 1\ninputs:\n  rate: {type: number}\n  x: {type: number, default: 1}\noutputs:\n  out: {type: uri_folder}\ncommand: ls ${{inputs.rate}} ${{inputs.x}} ${{outputs.out}}\nenvironment: azureml:train:1\n",
		"pipe.yml": "$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json\ntype: pipeline\ncompute: azureml:gpus\njobs:\n  a:\n    component: comp.yml\n    inputs: {rate: 1}\n  b:\n    component: azureml:train:1\n    inputs: {rate: 2}\n  c:\n    component: azureml:elsewhere:1\n    inputs: {data: \"${{parent.jobs.a.outputs.out}}\"}\n",
	}
	e := edit(t, testkit.Lay(t, files), sees)
	for name, text := range files {
		e.open(name, text)
	}
	for _, c := range []struct{ file, piece, name, old, new string }{
		{"comp.yml", "  ra", "lr", "rate", "lr"},
		{"pipe.yml", "{ra", "lr", "rate", "lr"},
		{"comp.yml", "  ou", "model", "out", "model"},
		{"env.yml", "name: t", "env", "environment: azureml:train|name: train\nversion: 1\nimage", "environment: azureml:env|name: env\nversion: 1\nimage"},
		{"comp.yml", "name: t", "comp", "component: azureml:train|name: train\nversion: 1\ninputs", "component: azureml:comp|name: comp\nversion: 1\ninputs"},
	} {
		line, character := behind(files[c.file], c.piece)
		params := at(e, c.file, line, character)
		params["newName"] = c.name
		var change protocol.WorkspaceEdit
		e.ask("textDocument/rename", params, &change)
		want := map[string]string{}
		for name, text := range files {
			for i, old := range strings.Split(c.old, "|") {
				if new := strings.Split(c.new, "|")[i]; len(c.old) > 4 {
					text = strings.ReplaceAll(text, old, new)
				} else {
					text = regexp.MustCompile(`\b`+old+`\b`).ReplaceAllString(text, new)
				}
			}
			want[name] = text
		}
		testkit.Same(t, want, e.applied(files, &change), c)
	}
	for piece, name := range map[string]string{"{ra": "x", "{rat": "a-b", "{dat": "other"} {
		line, character := behind(files["pipe.yml"], piece)
		params := at(e, "pipe.yml", line, character)
		params["newName"] = name
		if _, err := e.conn.Call(t.Context(), "textDocument/rename", params, nil); err == nil {
			t.Errorf("%s: renamed to %s", piece, name)
		}
	}
}

// TestOutlineAndLenses reads a file's outline, lenses and links.
func TestOutlineAndLenses(t *testing.T) {
	t.Parallel()
	old := article()
	e := edit(t, testkit.Lay(t, old), sees)
	name := "aml_config/vm.runconfig"
	e.open(name, old[name])
	of := map[string]any{"textDocument": map[string]any{"uri": e.uri(name)}}
	var symbols []protocol.DocumentSymbol
	e.ask("textDocument/documentSymbol", of, &symbols)
	var names []string
	for _, s := range symbols {
		names = append(names, s.Name)
	}
	testkit.Same(t, []string{"ArgumentVector", "Target", "Framework", "CondaDependenciesFile"}, names)
	const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	if got := named("a-" + token); strings.Contains(got, token) {
		t.Errorf("a secret is shown: %s", got)
	}
	var lenses []protocol.CodeLens
	e.ask("textDocument/codeLens", of, &lenses)
	var titles []string
	for _, l := range lenses {
		titles = append(titles, l.Command.Title)
	}
	if len(titles) != 2 || !strings.HasPrefix(titles[0], "GPU target: yes, ") || titles[1] != "Run" {
		t.Errorf("%q", titles)
	}
	var links []protocol.DocumentLink
	e.ask("textDocument/documentLink", of, &links)
	var targets []string
	for _, l := range links {
		targets = append(targets, e.name(*l.Target))
	}
	testkit.Same(t, []string{"train.py", "aml_config/conda_dependencies.yml"}, targets)
	e, _ = pipeline(t)
	of = map[string]any{"textDocument": map[string]any{"uri": e.uri("job.yml")}}
	if e.ask("textDocument/codeLens", of, &lenses); len(lenses) == 0 || lenses[len(lenses)-1].Command.Title != "Run" {
		t.Errorf("a pipeline: %+v", lenses)
	}
}

// TestHostileText checks that an editor, which may run in a terminal, gets nothing that controls one or hides text.
func TestHostileText(t *testing.T) {
	t.Parallel()
	const bad = `\e[2J\u202e\x9b\r\n`
	text := strings.Replace(pipelineFile, "epochs: 3\ncompute: azureml:gpus", `"epochs`+bad+`": 3`+"\n"+`compute: "azureml:gpus`+bad+`"`+"\n"+`"comput`+bad+`": a`, 1)
	e := edit(t, testkit.Lay(t, map[string]string{"job.yml": text, "compute.yml": strings.Replace(computeFile, "gpus", `"gpus`+bad+`"`, 1), "src/train.py": ""}), sees)
	e.open("job.yml", text)
	of := map[string]any{"textDocument": map[string]any{"uri": e.uri("job.yml")}}
	var got, one json.RawMessage
	e.ask("textDocument/diagnostic", of, &got)
	e.ask("textDocument/documentSymbol", of, &one)
	got = append(got, one...)
	for _, piece := range []string{"\"comput", "azureml:gp", "parent.inputs."} {
		line, character := behind(text, piece)
		e.ask("textDocument/hover", at(e, "job.yml", line, character), &one)
		got = append(got, one...)
		e.ask("textDocument/completion", at(e, "job.yml", line, character), &one)
		got = append(got, regexp.MustCompile(`"(filterText|newText)":"[^"]*"`).ReplaceAll(one, nil)...)
	}
	for _, sign := range []string{`\u001b`, "\u202e", "\u009b", `\r`} {
		if bytes.Contains(got, []byte(sign)) {
			t.Errorf("%q is passed on: %s", sign, got)
		}
	}
}
