package requirement

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

func mustConstraint(t *testing.T, m Manager, s string) Constraint {
	t.Helper()
	c, err := ParseConstraint(m, s)
	if err != nil {
		t.Fatalf("%v %q: %v", m, s, err)
	}
	return c
}

func TestAllows(t *testing.T) {
	for _, test := range []struct {
		manager    Manager
		constraint string
		yes, no    string // versions, separated by spaces
	}{
		{Pip, "", "0.dev0 1 9!9 1.0+x 1.0.post1", ""},
		{Pip, "==1.4", "1.4 1.4.0 1.4+cpu 1.4.0+5", "1.4.1 1.4rc1 1.4.post1 1.4.dev0 1.40"},
		{Pip, "==1.4+cpu", "1.4+cpu 1.4.0+CPU", "1.4 1.4+cpu.1 1.4+gpu"},
		{Pip, "===1.4", "1.4", "1.4+cpu 1.4.1"},
		{Pip, "==1.4.*", "1.4 1.4.9 1.4rc1 1.4.dev0 1.4.post1 1.4+cpu 1.4.0.0.1", "1.3.9 1.5.dev0 1.40 1!1.4"},
		{Pip, "==1.0.*", "1 1.0.1 1.0a1", "1.1"},
		{Pip, "!=1.4", "1.4.1 1.4rc1 1.4.post1", "1.4 1.4+cpu"},
		{Pip, "!=1.4.*", "1.3 1.5 1.5.dev0", "1.4 1.4.2 1.4a1"},
		{Pip, "<2.1", "2.0 2.0.9 2.0.post1 2.0+x", "2.1 2.1rc1 2.1.dev0 2.1.1"},
		{Pip, "<2.1rc2", "2.1rc1 2.1.dev0 2.0", "2.1rc2 2.1"},
		{Pip, "<2.1.post1", "2.1 2.1rc1 2.1.post0", "2.1.post1 2.1.post1.dev0"},
		{Pip, "<=2.1", "2.1 2.1+x 2.1rc1", "2.1.post1 2.1.1"},
		{Pip, ">1.7", "1.7.1 1.7.0.0.1 1.8.dev0", "1.7 1.7.post1 1.7+x 1.7rc1"},
		{Pip, ">1.7.post1", "1.7.post2 1.7.1", "1.7.post1 1.7.post1+x"},
		{Pip, ">1.7rc1", "1.7rc2 1.7 1.7rc2.dev0", "1.7rc1 1.7rc1+x 1.7rc1.post1"},
		{Pip, ">1.7.dev1", "1.7.dev2 1.7a1", "1.7.dev1 1.7.dev1+x"},
		{Pip, ">=1.7", "1.7 1.7+x 1.7.post1", "1.7rc1 1.6"},
		{Pip, "~=1.4.2", "1.4.2 1.4.9 1.4.2.post1", "1.4.1 1.5 1.4.2rc1 1.5.dev0"},
		{Pip, "~=1.4", "1.4 1.9", "2.0 2.0.dev0 1.3"},
		{Pip, "~=1.4.2rc1", "1.4.2rc1 1.4.9", "1.4.2b1 1.5"},
		{Pip, " >= 1.2 , <2, != 1.5.* ", "1.2 1.4 1.6", "1.1 1.5.3 2"},
		{Pip, "==1.0,==2.0", "", "1.0 2.0"},
		{Pip, ">2,<1", "", "1 1.5 2 3"},

		{Conda, "", "0 1.0", ""},
		{Conda, "*", "0 1.0", ""},
		{Conda, "=*", "0 1.0", ""},
		{Conda, "=1.4", "1.4 1.4.2 1.4rc1 1.4.dev0 1.4.post1", "1.40 1.5 1.3"},
		{Conda, "1.4.*", "1.4 1.4.2", "1.40 1.5"},
		{Conda, "1.4*", "1.4 1.4.2", "1.5"},
		{Conda, "=1.4.*", "1.4 1.4.2", "1.5"},
		{Conda, "==1.4.*", "1.4 1.4.2", "1.5"},
		{Conda, "1.4", "1.4 1.4.0", "1.4.1 1.4+cpu 1.4rc1"},
		{Conda, "==1.4", "1.4 1.4.0", "1.4.1"},
		{Conda, "=0.1.0a9", "0.1.0a9 0.1.0a9.post1 0.1.0a9.dev1", "0.1.0a10 0.1.0"},
		{Conda, "!=1.4", "1.4.1 1.3", "1.4"},
		{Conda, "!=1.4.*", "1.3 1.5", "1.4 1.4.1"},
		{Conda, "<2.1", "2.0 2.1rc1 2.1.dev0", "2.1"},
		{Conda, "<=2.1", "2.1 2.1rc1", "2.1+x 2.1.post1"},
		{Conda, ">1.7", "1.7.post1 1.7.1 1.7+x", "1.7 1.7rc1"},
		{Conda, ">=1.7.*", "1.7 1.8", "1.6"},
		{Conda, "~=1.4.2", "1.4.2 1.4.9", "1.5 1.4.1"},
		{Conda, ">=1.2,<1.3|>=2 , !=2.1", "1.2.5 2.0 2.2", "1.3 1.9 2.1"},
		{Conda, "(1.2|1.3),!=1.3", "1.2", "1.3 1.4"},
		{Conda, "1.1|1.2|1.1", "1.1 1.2", "1.15"},
	} {
		c := mustConstraint(t, test.manager, test.constraint)
		for s := range strings.FieldsSeq(test.yes) {
			if !c.Allows(mustVersion(t, s)) {
				t.Errorf("%v %q does not allow %s", test.manager, test.constraint, s)
			}
		}
		for s := range strings.FieldsSeq(test.no) {
			if c.Allows(mustVersion(t, s)) {
				t.Errorf("%v %q allows %s", test.manager, test.constraint, s)
			}
		}
		if c.Empty() != (test.yes == "") {
			t.Errorf("%v %q: empty %v", test.manager, test.constraint, c.Empty())
		}
	}
}

func TestPin(t *testing.T) {
	for _, test := range []struct {
		manager    Manager
		constraint string
		pin        string // empty: none
		exact      bool
	}{
		{Pip, "==1.4.0", "1.4.0", true},
		{Pip, "===1.4.0", "1.4.0", true},
		{Pip, "==1.4.*", "1.4", false},
		{Pip, "==1.*,==1.4.*,>1", "1.4", false},
		{Pip, "==1.4.*,==1.*", "1.4", false},
		{Pip, "==1.4.*,==1.4.2", "1.4.2", true},
		{Pip, "==1.4,!=1.3", "1.4", true},
		{Pip, "==1.4,==1.5", "", false},
		{Pip, "~=1.4.2", "", false},
		{Pip, ">=1.4", "", false},
		{Pip, "!=1.4", "", false},
		{Pip, "", "", false},
		{Conda, "=3.5.2", "3.5.2", false},
		{Conda, "=3.7.*", "3.7", false},
		{Conda, "3.5.2", "3.5.2", true},
		{Conda, "==3.5.2", "3.5.2", true},
		{Conda, "3.*", "3", false},
		{Conda, "3.5.2|3.6", "", false},
		{Conda, "*", "", false},
		{Conda, ">=3.5", "", false},
	} {
		c := mustConstraint(t, test.manager, test.constraint)
		v, ok := c.Pin()
		got := ""
		if ok {
			got = v.String()
		}
		if got != test.pin || c.Exact() != test.exact {
			t.Errorf("%v %q: pin %q, exact %v; want %q, %v", test.manager, test.constraint, got, c.Exact(), test.pin, test.exact)
		}
	}
	for _, text := range []string{"=", "==", "=1", "==1", "=1.", "==1.", "==.1", "=1..2", "==01.2", "===1.2", "==1.2.*", "= 1.2", "==1.2 ", "==1.2,<2", "==99999999999999999999"} {
		for _, manager := range []Manager{Pip, Conda} {
			for _, build := range []string{"", "py35_0"} {
				checkPin(t, Requirement{Manager: manager, Constraint: text, Build: build, Details: &none})
			}
		}
	}
}

func TestRanges(t *testing.T) {
	for _, test := range []struct {
		manager           Manager
		constraint, outer string
		overlaps, within  bool
	}{
		{Pip, "", "<2.1", true, false},
		{Pip, "==1.4.0", "<2.1", true, true},
		{Pip, "==2.1", "<2.1", false, false},
		{Pip, "==2.*", "<2.1", true, false},
		{Pip, "==2.0.*", "<2.1", true, true},
		{Pip, "<2.1", "<2.1", true, true},
		{Pip, "<=2.0", "<2.1", true, true},
		{Pip, "<=2.1", "<2.1", true, false},
		{Pip, ">=1.5", "<2.1", true, false},
		{Pip, ">=2.1", "<2.1", false, false},
		{Pip, ">=2.1.dev0", "<2.1", false, false},
		{Pip, "<2.1.dev0", "<2.1", true, true},
		{Pip, "==1.3.0", "==1.3.*", true, true},
		{Pip, "~=1.3.0", "==1.3.*", true, true},
		{Pip, ">=1.3,<1.5", "==1.3.*", true, false},
		{Pip, "!=1.4", "==1.4", false, false},
		{Pip, ">1.4,<=1.4.post3", "==1.4", false, true},
		{Pip, ">1.4,<1.4.post3", "", false, true},
		{Pip, "==1.4+cpu", "==1.4", true, true},
		{Pip, "==1.4", "==1.4+cpu", true, false},
		{Pip, "<=1.4.dev1", "<1.4.dev2", true, true},
		{Pip, "<=1.4rc1", "<1.4rc1.post0.dev0", true, true},
		{Pip, ">1.4rc1", ">=1.4rc2.dev0", true, true},
		{Pip, "==1.0,==2.0", "<1", false, true},
		{Pip, ">=1", "", true, true},
		{Conda, "=2.0", "<2.1", true, true},
		{Conda, "=2", "<2.1", true, false},
		{Conda, "<2.1", "<2.1", true, true},
		{Conda, "1.3|1.4", ">=1.3,<1.5", true, true},
		{Conda, "1.3|1.5", ">=1.3,<1.5", true, false},
	} {
		c, outer := mustConstraint(t, test.manager, test.constraint), mustConstraint(t, test.manager, test.outer)
		if got := c.Overlaps(outer); got != test.overlaps {
			t.Errorf("%v %q overlaps %q: %v", test.manager, test.constraint, test.outer, got)
		}
		if got := outer.Overlaps(c); got != test.overlaps {
			t.Errorf("%v %q overlaps %q: %v, but not the other way round", test.manager, test.outer, test.constraint, got)
		}
		if got := c.Within(outer); got != test.within {
			t.Errorf("%v %q within %q: %v", test.manager, test.constraint, test.outer, got)
		}
	}
}

func TestParseConstraintErrors(t *testing.T) {
	for _, test := range []struct {
		manager Manager
		failure
	}{
		{Pip, failure{"=1.0", 0, "=", "two equals signs"}},
		{Pip, failure{"1.0", 0, "1", "expected a comparison"}},
		{Pip, failure{">1.18.*", 6, "*", "== and != only"}},
		{Pip, failure{"==1.0a1.*", 8, "*", "numbers of a version only"}},
		{Pip, failure{"~=1", 2, "1", "two numbers"}},
		{Pip, failure{">=1.0+cpu", 2, "1.0+cpu", "local version"}},
		{Pip, failure{"===foobar", 3, "f", "expected a number"}},
		{Pip, failure{"==*", 2, "*", "expected a number"}},
		{Pip, failure{"==1.0 2", 6, "2", "comma or the end"}},
		{Pip, failure{"==1.0,", 6, "", "expected a comparison"}},
		{Pip, failure{"==" + strings.Repeat("1,==", 64) + "1", 256, "==1", "too many"}},
		{Conda, failure{"1.0.2k", 5, "k", "'k' is not allowed"}},
		{Conda, failure{"^1$", 0, "^1$", "regular expression"}},
		{Conda, failure{"1.*.2", 1, ".", "'.' is not allowed"}},
		{Conda, failure{"=1.0b", 1, "1.0b", "too short"}},
		{Conda, failure{"=1.0+a", 1, "1.0+a", "too short"}},
		{Conda, failure{"==1.*,!=1.2", 0, "==1.*", "two things"}},
		{Conda, failure{">1*", 2, "*", "is not allowed here"}},
		{Conda, failure{"~=1.2.*", 6, "*", "is not allowed here"}},
		{Conda, failure{"~=1", 2, "1", "two numbers"}},
		{Conda, failure{"~=1|2", 2, "1", "two numbers"}},
		{Conda, failure{"~=1.2.post1", 2, "1.2.post1", "plain numbers"}},
		{Conda, failure{"1.2 py35", 3, " ", "a space is not allowed"}},
		{Conda, failure{"1.2,", 4, "", "missing"}},
		{Conda, failure{"(1.2", 4, "", "expected ')'"}},
		{Conda, failure{strings.Repeat("(", 33) + "1", 32, "(", "too many nested round brackets"}},
		{Conda, failure{strings.Repeat("1|", 64) + "1", 128, "1", "too many"}},
	} {
		_, err := ParseConstraint(test.manager, test.in)
		checkFailure(t, test.failure, err)
	}
}

func TestRequirementVersions(t *testing.T) {
	for _, test := range []struct {
		manager     Manager
		in, yes, no string
	}{
		{Conda, "x=1.2", "1.2.3", "1.3"},
		{Conda, "x=1.2=py35_0", "1.2", "1.2.3"},
		{Conda, "x = 1.2 = py35_0", "1.2", "1.2.3"},
		{Conda, "x=1.2.*=py35_0", "1.2.3", "1.3"},
		{Conda, "x=1.2,!=1.2.1=py35_0", "1.2.3", "1.2.1"},
		{Conda, "x[version='=1.2',build=py35_0]", "1.2.3", "1.3"},
		{Conda, "x=1.2[build=py35_0]", "1.2.3", "1.3"},
		{Conda, "x=1.2,<1.3=py35_0", "1.2.3", "1.3"},
		{Conda, "x 1.2", "1.2", "1.2.3"},
		{Conda, "x", "1.2", ""},
		{Pip, "x[y] (>=1.2) ; os_name=='nt'", "1.2", "1.1"},
	} {
		r, err := test.manager.Parse(test.in)
		testkit.OK(t, err)
		c, err := r.Versions()
		if err != nil {
			t.Fatalf("%q: %v", test.in, err)
		}
		if !c.Allows(mustVersion(t, test.yes)) || test.no != "" && c.Allows(mustVersion(t, test.no)) {
			t.Errorf("%q: allows %s: %v; allows %s: %v", test.in, test.yes, c.Allows(mustVersion(t, test.yes)), test.no, test.no != "")
		}
	}
	if r, err := ParsePip("x=1.0"); err != nil {
		t.Error(err)
	} else if _, err := r.Versions(); err == nil {
		t.Error("the versions of x=1.0 were evaluated for pip")
	}
}

// TestSetsAgainstSamples checks Overlaps and Within with sample versions: one in both sets is an overlap, and one only
// in the first set means that Within is false.
func TestSetsAgainstSamples(t *testing.T) {
	var samples []Version
	for _, release := range []string{"1.3", "1.4", "1.4.0.0.1", "1.4.0.1", "1.4.0.2", "1.4.1", "1.5", "2"} {
		for _, pre := range []string{"", "a1", "rc1", "rc2"} {
			for _, post := range []string{"", ".post0", ".post1", ".post2"} {
				for _, dev := range []string{"", ".dev0", ".dev1", ".dev2"} {
					for _, local := range []string{"", "+cpu", "+cpu.1"} {
						samples = append(samples, mustVersion(t, release+pre+post+dev+local))
					}
				}
			}
		}
	}
	for _, m := range []Manager{Pip, Conda} {
		operators := []string{"==", "!=", "<", "<=", ">", ">="}
		if m == Conda {
			operators = append(operators, "=")
		}
		var texts []string
		for _, op := range operators {
			for _, v := range []string{"1.4", "1.4.0.1", "1.4rc1", "1.4.post1", "1.4.dev1", "1.4rc1.post1.dev1"} {
				texts = append(texts, op+v)
			}
		}
		texts = append(texts, "==1.4.*", "!=1.4.*", "~=1.4.1", "", ">1.4,<1.4.1", "==1.4+cpu", "==1.4,==1.5")
		for _, a := range texts {
			x := mustConstraint(t, m, a)
			for _, b := range texts {
				y := mustConstraint(t, m, b)
				overlaps, within := false, true
				for _, v := range samples {
					overlaps = overlaps || x.Allows(v) && y.Allows(v)
					within = within && (!x.Allows(v) || y.Allows(v))
				}
				if overlaps && !x.Overlaps(y) {
					t.Errorf("%v: %q and %q share a version, but do not overlap", m, a, b)
				}
				if !within && x.Within(y) {
					t.Errorf("%v: %q leaves %q, but is within", m, a, b)
				}
				// The samples are dense enough to check the other direction too.
				if !overlaps && x.Overlaps(y) {
					t.Errorf("%v: %q and %q share no version, but overlap", m, a, b)
				}
				if within && !x.Within(y) {
					t.Errorf("%v: %q is inside %q, but not within", m, a, b)
				}
			}
		}
	}
}
