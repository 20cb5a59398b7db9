package requirement

import (
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

func mustVersion(t *testing.T, s string) Version {
	t.Helper()
	v, err := ParseVersion(s)
	if err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	return v
}

// TestVersionOrder compares each pair in an ascending list; each line has spellings of the same version.
func TestVersionOrder(t *testing.T) {
	ascending := [][]string{
		{"0.dev0", "0.0.dev"},
		{"0a0"},
		{"0", "0.0.0", "v0"},
		{"1.dev456", "1.0-DEV456"},
		{"1.0a1.dev1"},
		{"1.0a1", "1.0-alpha.1", "1.0.ALPHA_1"},
		{"1.0a1+local"},
		{"1.0a1.post0.dev1"},
		{"1.0a1.post0", "1.0a1-0"},
		{"1.0a2.dev456"},
		{"1.0a12.dev456"},
		{"1.0a12"},
		{"1.0b1.dev456"},
		{"1.0b2", "1.0beta2"},
		{"1.0b2.post345.dev456"},
		{"1.0b2.post345", "1.0b2-345", "1.0b2.rev345"},
		{"1.0rc1.dev456"},
		{"1.0rc1", "1.0c1", "1.0.pre1", "1.0-preview-1"},
		{"1.0", "1", "1.0.0", " v1.00 "},
		{"1.0+abc.5"},
		{"1.0+abc.7"},
		{"1.0+cpu"},
		{"1.0+cpu.a"},
		{"1.0+cpu.1"},
		{"1.0+5", "1.0+05"},
		{"1.0+5.0"},
		{"1.0.post456.dev34"},
		{"1.0.post456", "1.0-456", "1.0-r456"},
		{"1.0.post456+x"},
		{"1.0.0.1.dev0"},
		{"1.0.0.1"},
		{"1.1.dev1"},
		{"1.1"},
		{"1.4.1"},
		{"1.10"},
		{"20200821"},
		{"999999999999999999.0"},
		{"1!0.1", "01!0.1"},
		{"2!0.0.1"},
	}
	for i, a := range ascending {
		for j, b := range ascending {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			for _, s := range a {
				for _, u := range b {
					testkit.Same(t, want, mustVersion(t, s).Compare(mustVersion(t, u)), "%q compared with %q", s, u)
				}
			}
		}
	}
}

func TestVersionString(t *testing.T) {
	for in, want := range map[string]string{
		"1.4.0": "1.4.0", "v1.04": "1.4", "1.0.ALPHA_1": "1.0a1", "1.0c2-3": "1.0rc2.post3", "0.1.0a11": "0.1.0a11",
		"1!2.0.dev": "1!2.0.dev0", "1.0b6.post1": "1.0b6.post1", "1.0+Cu-8_0": "1.0+cu.8.0", "1.0.0rc": "1.0.0rc0", "1.0a.": "1.0a0", "1.0a-.dev": "1.0a0.dev0",
	} {
		v := mustVersion(t, in)
		if v.String() != want {
			t.Errorf("%q: %q, want %q", in, v, want)
		}
		if !mustVersion(t, v.String()).Equal(v) {
			t.Errorf("%q is not equal to %q", v, in)
		}
	}
	v := mustVersion(t, "1.4.0rc1+cpu.1")
	testkit.Same(t, []uint64{1, 4, 0}, v.Release())
	if v.Local() != "cpu.1" || !v.Prerelease() || mustVersion(t, "1.0.post1").Prerelease() {
		t.Errorf("wrong facts about %s", v)
	}
	testkit.Same(t, "0", (Version{}).String(), "zero version")
}

func TestParseVersionErrors(t *testing.T) {
	for _, f := range []failure{
		{"", 0, "", "expected a number"},
		{"v", 1, "", "expected a number"},
		{"learn", 0, "l", "expected a number"},
		{"1.", 1, ".", "'.' is not allowed"},
		{"1..2", 1, ".", "'.' is not allowed"},
		{"1.*", 1, ".", "'.' is not allowed"},
		{"1.0 2", 3, " ", "a space"},
		{"1!", 2, "", "expected a number"},
		{"1.0+", 4, "", "local version"},
		{"1.0+a..b", 6, ".", "local version"},
		{"1.0.2k", 5, "k", "'k' is not allowed"},
		{"2.0.beta15.0", 10, ".", "'.' is not allowed"},
		{"0.7.dev7_2", 8, "_", "'_' is not allowed"},
		{"1.0-", 3, "-", "'-' is not allowed"},
		{"1.1234567890123456789", 2, "1234567890123456789", "too large"},
		{"1.0+a.1234567890123456789", 6, "1234567890123456789", "too large"},
		{"1.0a1234567890123456789", 4, "1234567890123456789", "too large"},
	} {
		_, err := ParseVersion(f.in)
		checkFailure(t, f, err)
	}
}
