package requirement

import (
	"testing"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/testkit"
)

var requirementSeeds = []string{
	"", "-", "numpy", "Keras==2.0.5", "x=1.0", "x[a, b] >= 1.2 , !=1.3.*; python_version<'3' and (os_name=='nt')", "x (>=1)",
	"azure-ml-api-sdk==0.1.0a11#0.1.0a9", "pip - azure-ml-api-sdk", "x @ https://h/n.whl ; os_name=='nt'", "x@file:y",
	"-e git+https://h/o/n.git@v1#egg=n[a]&subdirectory=s", `-e "a b" ; os_name=='nt' --pre`, "-e .[a]", "--extra-index-url https://h/s --pre",
	"-A#\"'", `-e"0[ ]" -- x`, `-e" 0"`, "-e0 0;A!='' -A", `--A=#"'`, "-f=x", "--a='b c' -d", "lightgbm --install-option=--gpu", "https://h/x-1.0%2Bcpu-py3-none-any.whl?sig=%2B#sha256=0", "https://<x y>/z",
	`C:\w x\cntk-2.1-cp35-cp35m-win_amd64.whl[a]`, "./a.whl", "git+git@h:o/n", "~", "a/b;c", "# c", "a # c", "a\u00a0b", "\xff",
	"python=3.5.2", "python 3.5.*", "x >=1.2 , <2 py35_0", "x=1.2=py35_0", "c/s::x=1|2.*", "https://h/c::x", "x[version='(>=1,<2)|3',build=a*]",
	"x=1[channel='a b']", "x ^1.*$", "x * *", "https://h/x-1-0.tar.bz2#md5", "x 1 2 3", "x::", "x#y", "x=,", "x[y]", "x['='=]",
}

func fuzzRequirement(f *testing.F, parse func(string) (Requirement, error)) {
	for _, s := range requirementSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := parse(s)
		if r.Raw != s {
			t.Fatalf("%q: raw text %q", s, r.Raw)
		}
		checkParts(t, r)
		if err != nil {
			checkError(t, s, err)
			return
		}
		checkRebuilt(t, r)
		if _, err := r.Versions(); err != nil {
			checkError(t, "= "+s, err)
		}
		checkPin(t, r)
	})
}

// checkPin checks that a requirement has the pin of its versions, however it is found.
func checkPin(t *testing.T, r Requirement) {
	t.Helper()
	versions, err := r.Versions()
	want, pinned := versions.Pin()
	got, ok := r.Pin()
	testkit.Same(t, pinned && err == nil, ok, "%q is pinned", r.Constraint)
	testkit.Same(t, want, got, "pin of %q", r.Constraint)
}

func FuzzParsePip(f *testing.F)   { fuzzRequirement(f, ParsePip) }
func FuzzParseConda(f *testing.F) { fuzzRequirement(f, ParseConda) }

func FuzzParseWheel(f *testing.F) {
	for _, s := range []string{"", "cntk-2.1-cp35-cp35m-linux_x86_64.whl", "a-1-2b-py2.py3-none-any.whl", "a--b-c-d.whl", "-----.whl", "a%2B.whl"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		w, err := wheelNamed(s)
		checkWheelParts(t, s, w, false)
		if err != nil {
			checkError(t, s, err)
			return
		}
		again, err := wheelNamed(w.String())
		if err != nil || w.String() != s {
			t.Fatalf("%q: rebuilt as %q: %v", s, w, err)
		}
		testkit.Same(t, w, again, "%q", s)
		if len(w.PythonTags()) == 0 || w.Key() != plain.PackageName(w.Key()) {
			t.Errorf("%q: contradictory facts", s)
		}
	})
}

func FuzzParseImage(f *testing.F) {
	for _, s := range []string{
		"", "a", "microsoft/mmlspark:plus-gpu-0.9.9", "microsoft/mmlspark::x", " a: b ", "localhost:5000/a/b__c--d.e:T@" + sha,
		"A/b", "a@b:c", "https://a/b", "a:b/c", "a.b/", "a. b/c", ":: ::",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, err := ParseImage(s)
		if err != nil {
			checkError(t, s, err)
			return
		}
		if m.String() != s {
			t.Errorf("%q: rebuilt as %q", s, m)
		}
		if n, err := ParseImage(m.Name()); err == nil && n.Name() != m.Name() {
			t.Errorf("%q: name %q has the name %q", s, m.Name(), n.Name())
		}
	})
}

func FuzzParseVersion(f *testing.F) {
	for _, s := range []string{"", "1", "v1!2.0.0-ALPHA_1.post2.dev3+Cu.8-0", "1.0-1", "1.0r", "1.0a.", "1.*", "1.0+", "18446744073709551615", "0.dev0"} {
		f.Add(s, "1.0rc1")
	}
	f.Fuzz(func(t *testing.T, s, u string) {
		v, err := ParseVersion(s)
		if err != nil {
			checkError(t, s, err)
			return
		}
		again, err := ParseVersion(v.String())
		if err != nil || !again.Equal(v) || again.String() != v.String() {
			t.Errorf("%q: rebuilt as %q: %q, %v", s, v, again, err)
		}
		w, err := ParseVersion(u)
		if err != nil {
			return
		}
		if v.Compare(w) != -w.Compare(v) {
			t.Errorf("%q and %q are out of order", s, u)
		}
		if before(v).compare(bottom) < 0 || before(v).compare(top) >= 0 {
			t.Errorf("%q is outside all bounds", s)
		}
		// The bounds around a version are in this order, and v is on the right side of each.
		public := v
		public.local = nil
		around := []bound{beforeAll(public), before(public), justAfter(public), afterLocals(v), afterPosts(v)}
		for i := 1; i < len(around); i++ {
			if around[i-1].compare(around[i]) > 0 {
				t.Errorf("%q: bound %d comes after bound %d", s, i-1, i)
			}
		}
		if around[1].compare(before(v)) > 0 || around[3].compare(before(v)) <= 0 {
			t.Errorf("%q is outside its own bounds", s)
		}
	})
}

func FuzzParseConstraint(f *testing.F) {
	for _, s := range []string{"", "==1.4.*,!=1.4.2", "<2.1", "~=1.4.2", ">1.7.post1", "===1+x", "=1.2", "1.2.*|>=2,<3", "(1|2),(3)", "^1$", "*", "1.0a*", ">=1.2.*"} {
		f.Add(s, "<2.1", "1.4", true)
		f.Add(s, ">=1.4rc1", "2.1rc1", false)
	}
	f.Fuzz(func(t *testing.T, a, b, version string, conda bool) {
		m := Pip
		if conda {
			m = Conda
		}
		x, err := ParseConstraint(m, a)
		if err != nil {
			checkError(t, a, err)
			return
		}
		all, none := Constraint{set: everything}, Constraint{}
		if !x.Within(all) || x.Overlaps(none) || !none.Within(x) || !x.Within(x) || x.Overlaps(all) == x.Empty() {
			t.Errorf("%v %q: wrong against all or nothing", m, a)
		}
		if pin, ok := x.Pin(); ok && x.Exact() && !x.Allows(pin) {
			t.Errorf("%v %q: its pin %s is not allowed", m, a, pin)
		}
		y, err := ParseConstraint(m, b)
		if err != nil {
			return
		}
		if x.Overlaps(y) != y.Overlaps(x) || x.Within(y) && !x.Empty() && !x.Overlaps(y) {
			t.Errorf("%v %q and %q: Overlaps and Within disagree", m, a, b)
		}
		v, err := ParseVersion(version)
		if err != nil {
			return
		}
		both := Constraint{set: x.set.intersect(y.set)}
		either := Constraint{set: x.set.union(y.set)}
		not := Constraint{set: x.set.complement()}
		if both.Allows(v) != (x.Allows(v) && y.Allows(v)) || either.Allows(v) != (x.Allows(v) || y.Allows(v)) || not.Allows(v) == x.Allows(v) {
			t.Errorf("%v %q and %q: sets disagree about %s", m, a, b, v)
		}
	})
}
