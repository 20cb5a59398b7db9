package lsp

import (
	"encoding/json"
	"path/filepath"
	"slices"

	"github.com/amlfix/amlfix/cmd/internal/lsp/jsonrpc"
	"github.com/amlfix/amlfix/cmd/internal/lsp/protocol"
	"github.com/amlfix/amlfix/schema"
)

// The commands of the lenses. Editors that support them run them; others show them as text.
const (
	commandShow = "amlfix.show" // with the position of the evidence
	commandRun  = "amlfix.run"  // with the file, as an argument of `amlfix run`
)

// codeLens shows above a job or target whether it is meant to use a GPU, and why, and offers to run it.
func (s *Server) codeLens(params *protocol.DocumentParams) ([]protocol.CodeLens, error) {
	list := []protocol.CodeLens{}
	_, p, f := s.opened(params.TextDocument.URI)
	if f == nil {
		return list, nil
	}
	var shown []*schema.Target
	for _, t := range s.targetsIn(p, f) {
		if !slices.Contains(shown, t) {
			shown = append(shown, t)
			list = append(list, s.gpuLens(t))
		}
	}
	pipeline := f.V2 == "job" && f.Root().Get("jobs").IsMapping()
	if pipeline || slices.ContainsFunc(p.result.Project.Jobs, func(j *schema.Job) bool {
		return j.File == f && (j.Dialect != schema.V2 || j.Node == f.Root() && f.V2 == "job")
	}) {
		list = append(list, protocol.CodeLens{Command: protocol.Command{Title: "Run", Command: commandRun, Arguments: arguments(f.Path)}})
	}
	return list, nil
}

// targetsIn returns the targets that a file defines or on which its jobs run.
func (s *Server) targetsIn(p *project, f *schema.File) (list []*schema.Target) {
	for _, t := range p.result.Project.Targets {
		if t.File == f {
			list = append(list, t)
		}
	}
	for _, j := range p.result.Project.Jobs {
		if j.File == f && j.Target != nil {
			list = append(list, j.Target)
		}
	}
	return list
}

func (s *Server) gpuLens(t *schema.Target) protocol.CodeLens {
	title, command := "GPU target: no evidence", protocol.Command{Command: commandShow}
	if t.GPU() {
		why := t.Evidence[0]
		title = "GPU target: yes, according to " + filepath.Base(why.Source.Path)
		if why.Message != "" {
			title = "GPU target: yes, " + why.Message
		}
		command.Arguments = arguments(protocol.Location{URI: s.uriOf(why.Source.Path), Range: s.grid(why.Source.Path, why.Source.Text).ranged(why.Span)})
	}
	command.Title = title
	return protocol.CodeLens{Command: command}
}

func arguments(list ...any) (out []json.RawMessage) {
	for _, v := range list {
		if text, err := jsonrpc.Marshal(v); err == nil {
			out = append(out, text)
		}
	}
	return out
}
