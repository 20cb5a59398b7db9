package format

import (
	"cmp"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format/literal"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// Validate validates the first document of a file against the schema of kind and returns the findings, sorted: one for
// each fault, at the key or value at fault. root is nil for an empty document. For an unknown kind, it returns nothing.
// It is safe for concurrent use.
//
// It reports the rules schema/* and, for aliases that expand without bounds, yaml/syntax. It checks only the form: not
// whether a file exists or an image is suitable. The pointers of fixes are those of root's document, number 0; if root
// was parsed from repaired text, the fixes must not be used.
func Validate(kind Kind, src *source.Source, root *document.Node) []finding.Finding {
	v := &validation{kind: kind, src: src, root: root}
	s := schemaFor(kind, root)
	switch {
	case s == nil:
		return nil
	case root.IsNull() && kind == Settings: // nothing is set
	case root.IsNull():
		v.emptyRoot()
	case root.Kind != document.Mapping:
		v.wrongRoot()
	default:
		v.mapping(s)
	}
	if kind.v2() {
		for i := range v.findings {
			v.findings[i].Message = plain.Fit(v.findings[i].Message, maxMessage)
		}
	}
	return finding.Sort(v.findings)
}

// validation is the state of validating one document.
type validation struct {
	resolver
	kind     Kind
	src      *source.Source
	root     *document.Node
	findings []finding.Finding
	places   map[string]*place // by the library's instance location
	picked   []picked
	counts   map[string]int // of the findings, by rule
	// expressions is what used returns, made on first use.
	expressions map[string][]int
	// reported are the keys of entries that were reported as a whole, see lost.
	reported []*document.Node
}

// sdk reports whether SDK v1 reads the file: it accepts keys in any spelling and ignores the case of value names.
func (v *validation) sdk() bool { return v.kind == SDKRunConfig || v.kind == SDKEnvironment }

// foldsCase reports whether the file's parser ignores the case of value names.
func (v *validation) foldsCase() bool { return v.sdk() || v.kind.v2() }

// mapping validates a document whose root is a mapping. Most documents are valid, and a walk over the nodes shows that
// at a tenth of the cost of converting them for the library.
func (v *validation) mapping(s *literal.Schema) {
	if v.kind == WorkbenchRunConfig {
		v.jsonRoot()
	}
	mark := len(v.findings)
	if v.conforms(s, nil, v.root) {
		return
	}
	v.findings = v.findings[:mark]
	clear(v.counts)
	if v.kind.v2() && v.otherType(s) {
		return
	}
	if at, reason := boundlessAlias(v.root); at != nil {
		v.report(RuleSyntax, finding.Error, at.Span, reason)
		return
	}
	v.places = map[string]*place{}
	value := v.convert(&place{schema: s, value: v.root}, "")
	faults := v.check(s, value)
	plain.SortFunc(faults, func(a, b literal.Fault) int {
		return cmp.Or(cmp.Compare(v.start(a), v.start(b)), cmp.Compare(a.Keyword, b.Keyword))
	})
	for _, fault := range faults {
		v.fault(fault)
	}
}

// start returns the offset of a fault's value.
func (v *validation) start(f literal.Fault) int {
	if p := v.places[f.Location]; p != nil {
		return p.value.Span.Start
	}
	return 0
}

// full reports whether the maximum number of findings of a rule is reached.
func (v *validation) full(rule string) bool { return v.counts[rule] >= finding.MaxPerFile }

// report adds a finding without a fix and returns it. It is called from many places, each of which would get its code.
//
//go:noinline
func (v *validation) report(rule string, severity finding.Severity, span source.Span, message string) *finding.Finding {
	if v.counts == nil {
		v.counts = map[string]int{}
	}
	v.counts[rule]++
	v.findings = append(v.findings, finding.Finding{Rule: rule, Severity: severity,
		Location: finding.Location{Source: v.src, Span: span, Message: message}})
	return &v.findings[len(v.findings)-1]
}

// maxMessage is the maximum length of a message about a v2 file, in characters, because it may repeat long keys and
// values.
const maxMessage = 200
