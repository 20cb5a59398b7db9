package lsp

import (
	"bytes"
	"cmp"
	"context"
	"time"

	"go.lsp.dev/uri"

	"github.com/amlfix/amlfix/cmd/internal/lsp/jsonrpc"
	"github.com/amlfix/amlfix/cmd/internal/lsp/protocol"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// publishing shows findings whenever something may have changed, until ctx ends. Messages get as much time as the
// checks: an editor that opens many documents at once does not wait for a check after each.
func (s *Server) publishing(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		}
		s.mu.Lock()
		begun := time.Now()
		_, _ = s.guarded("the check", func() (any, error) { s.publish(); return nil, nil })
		s.mu.Unlock()
		select {
		case <-ctx.Done():
		case <-time.After(time.Since(begun)):
		}
	}
}

// publish sends what is new about the files of the open projects, or makes the editor request it.
func (s *Server) publish() {
	now := s.diagnostics()
	for path := range s.buffers {
		if now[path] == nil {
			now[path] = []protocol.Diagnostic{}
		}
	}
	asks := false
	for path := range s.shown {
		if now[path] == nil {
			now[path] = []protocol.Diagnostic{} // it has no problems any more, or is not open
		}
	}
	for path, list := range now {
		params := protocol.PublishDiagnosticsParams{URI: s.uriOf(path), Diagnostics: list}
		if d := s.buffers[path]; d != nil {
			params.Version = &d.version
		}
		text, err := jsonrpc.Marshal(params)
		if err != nil || bytes.Equal(text, s.shown[path]) {
			continue
		}
		if s.shown[path] = text; len(list) == 0 && s.buffers[path] == nil {
			delete(s.shown, path)
		}
		if s.client.pulls {
			asks = true
			continue
		}
		_ = s.out.Notify("textDocument/publishDiagnostics", params)
	}
	if asks && s.client.refresh {
		_ = s.out.Call("workspace/diagnostic/refresh", nil)
	}
}

// diagnostics returns what to show for each file of the open projects, in order.
func (s *Server) diagnostics() map[string][]protocol.Diagnostic {
	all := map[string][]protocol.Diagnostic{}
	seen := map[string]bool{}
	for _, p := range s.projects() {
		list := p.findings()
		resolver := &report.Resolver{Dir: s.engine.Dir, Project: p.root.Dir}
		grids := map[*source.Source]*grid{}
		for i, shown := range resolver.Findings(list) {
			d := s.diagnosticOf(list[i], shown, grids)
			path := list[i].Source.Path
			// Several projects may share a file and have the same findings there.
			key, err := jsonrpc.Marshal(d)
			if err != nil || seen[path+string(key)] {
				continue
			}
			seen[path+string(key)] = true
			all[path] = append(all[path], d)
		}
	}
	for _, list := range all {
		plain.SortFunc(list, func(a, b protocol.Diagnostic) int {
			return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line), cmp.Compare(a.Range.Start.Character, b.Range.Start.Character))
		})
	}
	return all
}

// diagnosticOf converts a finding for the editor. shown has secrets masked.
func (s *Server) diagnosticOf(f finding.Finding, shown report.Finding, grids map[*source.Source]*grid) protocol.Diagnostic {
	at := func(l finding.Location) protocol.Range {
		if grids[l.Source] == nil {
			grids[l.Source] = s.grid(l.Source.Path, l.Source.Text)
		}
		return grids[l.Source].ranged(l.Span)
	}
	d := protocol.Diagnostic{
		Range: at(f.Location), Severity: severityOf(f.Severity), Code: f.Rule,
		Source: "amlfix", Message: escape.Page(shown.Message),
	}
	d.CodeDescription.Href = report.RulePage(f.Rule)
	if f.Rule == "schema/deprecated" {
		d.Tags = []protocol.DiagnosticTag{protocol.TagDeprecated}
	}
	if !s.client.related {
		return d
	}
	for i, l := range f.Related {
		d.RelatedInformation = append(d.RelatedInformation, protocol.RelatedInformation{
			Location: protocol.Location{URI: s.uriOf(l.Source.Path), Range: at(l)}, Message: escape.Page(shown.Related[i].Message),
		})
	}
	return d
}

func severityOf(severity finding.Severity) protocol.DiagnosticSeverity {
	switch severity {
	case finding.Error:
		return protocol.SeverityError
	case finding.Warning:
		return protocol.SeverityWarning
	default:
		return protocol.SeverityInformation
	}
}

// diagnostic answers an editor that requests the findings of a file; those of other files are included.
func (s *Server) diagnostic(params *protocol.DocumentParams) (*protocol.DiagnosticReport, error) {
	path, _ := identityOf(params.TextDocument.URI)
	answer := &protocol.DiagnosticReport{Kind: "full", Items: []protocol.Diagnostic{}}
	now := s.diagnostics()
	for name := range s.pulled {
		if now[name] == nil {
			now[name] = []protocol.Diagnostic{} // the editor keeps the last answer
		}
	}
	for name, list := range now {
		s.pulled[name] = true
		if name == path {
			answer.Items = list
			continue
		}
		if answer.RelatedDocuments == nil {
			answer.RelatedDocuments = map[uri.URI]protocol.DiagnosticReport{}
		}
		answer.RelatedDocuments[s.uriOf(name)] = protocol.DiagnosticReport{Kind: "full", Items: list}
	}
	return answer, nil
}
