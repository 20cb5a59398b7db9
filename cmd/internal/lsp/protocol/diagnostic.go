package protocol

import "go.lsp.dev/uri"

// PublishDiagnosticsParams are those of textDocument/publishDiagnostics. The version is nil if the document is not
// open.
type PublishDiagnosticsParams struct {
	URI         uri.URI      `json:"uri"`
	Version     *int32       `json:"version,omitzero"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// DiagnosticReport is the result of textDocument/diagnostic, and in it what is shown for another document.
type DiagnosticReport struct {
	Kind             string                       `json:"kind"` // "full"
	Items            []Diagnostic                 `json:"items"`
	RelatedDocuments map[uri.URI]DiagnosticReport `json:"relatedDocuments,omitzero"`
}

// Diagnostic is a finding.
type Diagnostic struct {
	Range           Range              `json:"range"`
	Severity        DiagnosticSeverity `json:"severity"`
	Code            string             `json:"code"`
	CodeDescription struct {
		Href string `json:"href"`
	} `json:"codeDescription"`
	Source             string               `json:"source"`
	Message            string               `json:"message"`
	Tags               []DiagnosticTag      `json:"tags,omitzero"`
	RelatedInformation []RelatedInformation `json:"relatedInformation,omitzero"`
}

// DiagnosticSeverity is how severe a finding is.
type DiagnosticSeverity int

// The severities.
const (
	SeverityError       DiagnosticSeverity = 1
	SeverityWarning     DiagnosticSeverity = 2
	SeverityInformation DiagnosticSeverity = 3
)

// DiagnosticTag makes the editor show a finding in a special way.
type DiagnosticTag int

// TagDeprecated strikes the text out.
const TagDeprecated DiagnosticTag = 2

// RelatedInformation is another place that is a reason for a finding.
type RelatedInformation struct {
	Location Location `json:"location"`
	Message  string   `json:"message"`
}
