package requirement

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// bare removes what a table need not repeat: the input, the positions, and details without any.
func bare(r Requirement) Requirement {
	r.Raw = ""
	r.NamePart, r.ConstraintPart, r.BuildPart = Part{}, Part{}, Part{}
	d := *r.Details
	d.ExtrasPart, d.ChannelPart, d.URLPart = Part{}, Part{}, Part{}
	d.PathPart, d.OptionValuePart = Part{}, Part{}
	if d.Wheel != nil {
		w := bareWheel(*d.Wheel)
		d.Wheel = &w
	}
	if r.Details = &d; reflect.ValueOf(d).IsZero() {
		r.Details = nil
	}
	return r
}

func bareWheel(w Wheel) Wheel {
	return Wheel{Dist: w.Dist, Version: w.Version, Build: w.Build, Python: w.Python, ABI: w.ABI, Platform: w.Platform}
}

// checkParts fails unless every part is within the input and covers its field, and what requirements share is empty.
func checkParts(t *testing.T, r Requirement) {
	t.Helper()
	for _, f := range []struct {
		field, text string
		part        Part
	}{
		{"Name", r.Name, r.NamePart}, {"Constraint", r.Constraint, r.ConstraintPart}, {"Build", r.Build, r.BuildPart},
		{"Channel", r.Channel, r.ChannelPart}, {"URL", r.URL, r.URLPart},
		{"Path", r.Path, r.PathPart}, {"OptionValue", r.OptionValue, r.OptionValuePart},
	} {
		checkPart(t, r.Raw, f.field, f.text, f.part)
	}
	if p := r.ExtrasPart; !p.Empty() && (r.Raw[p.Start] != '[' || r.Raw[p.End-1] != ']') || p.Empty() != (r.Extras == nil) {
		t.Errorf("%q: ExtrasPart %v does not cover brackets", r.Raw, p)
	}
	if r.Wheel != nil {
		checkWheelParts(t, r.Raw, *r.Wheel, true)
	}
	if !reflect.ValueOf(none).IsZero() {
		t.Fatalf("%q: shared details were changed: %+v", r.Raw, none)
	}
}

func checkPart(t *testing.T, s, field, text string, p Part) {
	t.Helper()
	if p.Start < 0 || p.End < p.Start || p.End > len(s) {
		t.Fatalf("%q: part of %s out of bounds: %v", s, field, p)
	}
	if s[p.Start:p.End] != text {
		t.Errorf("%q: part of %s covers %q, want %q", s, field, s[p.Start:p.End], text)
	}
}

func checkWheelParts(t *testing.T, s string, w Wheel, escaped bool) {
	t.Helper()
	for _, f := range []struct {
		text string
		part Part
	}{
		{w.Dist, w.DistPart}, {w.Version, w.VersionPart}, {w.Build, w.BuildPart}, {w.Python, w.PythonPart}, {w.ABI, w.ABIPart}, {w.Platform, w.PlatformPart},
	} {
		if text, bad := unescape(s, f.part.Start, f.part.End, escaped); bad != f.part.End || text != f.text {
			t.Errorf("%q: part %v of the wheel name covers %q, want %q", s, f.part, text, f.text)
		}
	}
}

// checkError fails unless err is a usable *ParseError about s.
func checkError(t *testing.T, s string, err error) *ParseError {
	t.Helper()
	e, ok := errors.AsType[*ParseError](err)
	if !ok {
		t.Fatalf("%q: error %v (%T) is no *ParseError", s, err, err)
	}
	if e.Offset < 0 || e.End < e.Offset || e.End > len(s) || e.Reason == "" {
		t.Fatalf("%q: error out of bounds: %+v", s, e)
	}
	return e
}

// failure is a row of an error table: the offending bytes are marked by their text.
type failure struct {
	in     string
	offset int
	text   string // s[Offset:End]
	reason string // part of the reason
}

func checkFailure(t *testing.T, f failure, err error) {
	t.Helper()
	if err == nil {
		t.Errorf("%q: no error, want one about %q", f.in, f.reason)
		return
	}
	e := checkError(t, f.in, err)
	got := failure{f.in, e.Offset, f.in[e.Offset:e.End], f.reason}
	if diff := cmp.Diff(f, got, cmp.AllowUnexported(failure{})); diff != "" {
		t.Errorf("%q: %v (-want +got):\n%s", f.in, e, diff)
	}
	if !strings.Contains(e.Reason, f.reason) {
		t.Errorf("%q: reason %q does not mention %q", f.in, e.Reason, f.reason)
	}
}
