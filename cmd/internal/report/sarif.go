package report

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"slices"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/finding"
)

// sarifReport writes one run of SARIF 2.1.0. The rules come first, so that results can refer to them by index.
type sarifReport struct {
	unrepaired
	jsonList
	opts  Options
	index map[string]int // of a rule, by its ID
}

func newSARIF(w io.Writer, opts Options) *sarifReport {
	s := &sarifReport{jsonList: newJSONList(w), opts: opts, index: map[string]int{}}
	for i, r := range opts.Rules {
		s.index[r.ID] = i
	}
	return s
}

// sarifSchema is the URL of the SARIF 2.1.0 schema published by OASIS.
const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// sourceRoot is the name of the folder to which all paths are relative. Its location is omitted, so that reports from
// two machines are equal and reveal nothing about either.
const sourceRoot = "SRCROOT"

func (s *sarifReport) begin() {
	s.print(`{"$schema":"` + sarifSchema + `","version":"2.1.0","runs":[{"tool":`)
	s.value(sarifTool{Driver: sarifDriver{
		Name: "amlfix", Version: comparableVersion(s.opts.Version()), InformationURI: ui.Homepage, Rules: sarifRules(s.opts.Rules),
	}})
	s.print(`,"columnKind":"unicodeCodePoints","originalUriBaseIds":`)
	s.value(map[string]sarifBase{sourceRoot: {Description: sarifText{"The top of the repository, or the folder that amlfix was started in."}}})
	s.print(`,"results":[`)
}

// Finding writes a result.
func (s *sarifReport) Finding(f Finding) {
	out := sarifResult{
		RuleID: f.Rule, Kind: "fail", Level: sarifLevel(f.Severity), Message: sarifText{f.Message},
		Locations: []sarifLocation{{Physical: s.physical(f.Path, f.Region)}},
	}
	if i, ok := s.index[f.Rule]; ok {
		out.RuleIndex = &i
	}
	for i, n := range f.Related {
		out.Related = append(out.Related, sarifLocation{
			ID: i + 1, Physical: s.physical(n.Path, n.Region), Message: &sarifText{n.Message},
		})
	}
	if f.Fingerprint != "" {
		out.Fingerprints = map[string]string{"amlfix/v1": f.Fingerprint}
	}
	if f.Fix != nil && f.Fix.Applicability == finding.Safe && len(f.Fix.Edits) > 0 && !slices.ContainsFunc(f.Fix.Edits, func(e Edit) bool { return e.Creates }) {
		out.Fixes = []sarifFix{s.fix(f.Fix)}
	}
	if by := f.Suppression; by != nil {
		out.Suppressions = []sarifSuppression{{Kind: string(by.Kind), Justification: by.Justification}}
	}
	s.item(s.begin, out)
}

// fix returns a fix with its replacements, a change for each file. SARIF cannot represent creating a file.
func (s *sarifReport) fix(f *Fix) sarifFix {
	out := sarifFix{Description: sarifText{f.Title}}
	for _, e := range f.Edits {
		at := s.artifact(e.Path)
		if n := len(out.Changes); n == 0 || out.Changes[n-1].Artifact != at {
			out.Changes = append(out.Changes, sarifChange{Artifact: at})
		}
		change := &out.Changes[len(out.Changes)-1]
		// The inserted text is written even if it is empty: readers rely on it.
		change.Replacements = append(change.Replacements, sarifReplacement{Deleted: sarifRegionOf(e.Region), Inserted: sarifText{e.Text}})
	}
	return out
}

func (s *sarifReport) physical(path string, r Region) sarifPhysical {
	return sarifPhysical{Artifact: s.artifact(path), Region: sarifRegionOf(r)}
}

func (s *sarifReport) artifact(path string) sarifArtifact {
	return sarifArtifact{URI: uri(based(s.opts.Base, path)), Base: sourceRoot}
}

// Close writes how the run ended.
func (s *sarifReport) Close(sum Summary) {
	s.end(s.begin)
	run := sarifInvocation{Successful: len(sum.Problems) == 0, ExitCode: sum.Exit}
	for _, p := range sum.Problems {
		run.Notifications = append(run.Notifications, sarifNotification{Level: "error", Message: sarifText{p}})
	}
	s.print(`],"invocations":`)
	s.value([]sarifInvocation{run})
	s.print("}]}\n")
	_ = s.w.Flush()
}

// comparableVersion returns a version that begins with a number, as SARIF's readers expect: builds that are not
// releases have only a word.
func comparableVersion(version string) string {
	if version == "" || version[0] < '0' || version[0] > '9' {
		return "0.0.0-" + version
	}
	return version
}

func sarifLevel(s finding.Severity) string {
	if s == finding.Info {
		return "note"
	}
	return s.String()
}

// OneLine returns v as JSON on one line, with everything escaped that could control a terminal or a CI runner: reports
// are also read in logs. It is for types that always encode.
func OneLine(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	text := bytes.TrimRight(b.Bytes(), "\n")
	if bytes.Contains(text, []byte("##")) || !ascii(text) {
		return []byte(escape.JSON(string(text)))
	}
	return text
}

// ascii reports whether a text has no byte above "~".
func ascii(text []byte) bool {
	const each = 0x0101010101010101
	for ; len(text) >= 8; text = text[8:] {
		eight := binary.LittleEndian.Uint64(text)
		if (eight|(eight&(0x7f*each)+each))&(0x80*each) != 0 {
			return false
		}
	}
	return !slices.ContainsFunc(text, func(b byte) bool { return b > '~' })
}
