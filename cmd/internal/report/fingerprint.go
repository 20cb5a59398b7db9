package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
)

// Fingerprint returns a value that identifies a finding by its rule, its file, under the name path, and the text of its
// line, but not the line's number. Findings that agree in all of these are numbered, in the order of the calls. Secrets
// are not included, nor is what a rule about secrets points to, because a hash of a short password reveals it.
func (r *Resolver) Fingerprint(f finding.Finding, path string) string {
	base := strings.Join([]string{f.Rule, path, r.lineOf(f)}, "\x00")
	if r.seen == nil {
		r.seen = map[string]int{}
	}
	r.seen[base]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", base, r.seen[base]))
	return hex.EncodeToString(sum[:16])
}

// lineOf returns the text of a finding's line that identifies it, without secrets: of a line longer than any that
// people write, only what is near, because thousands of findings may be in it.
func (r *Resolver) lineOf(f finding.Finding) string {
	const most, near = 16 << 10, 4 << 10
	line := f.Source.LineWith(f.Span.Start)
	if strings.HasPrefix(f.Rule, "secret/") {
		line.End = min(line.End, f.Span.Start)
	}
	if line.Len() > most {
		line = source.Span{Start: max(line.Start, f.Span.Start-near), End: min(line.End, f.Span.Start+near)}
	}
	return strings.TrimSpace(r.masked(f.Source, line))
}

// masked returns the text of a span with its secrets masked.
func (r *Resolver) masked(src *source.Source, at source.Span) string {
	return secret.Masked(src.Text, at, r.secretsOf(src).Spans)
}
