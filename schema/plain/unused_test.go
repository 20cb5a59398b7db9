package plain

import "testing"

func TestNames(t *testing.T) {
	names := Names{Sep: "-", Fold: true}
	for _, c := range [][2]string{{"a", "a"}, {"a-2", "a-2"}, {"A", "A-3"}, {"a", "a-4"}, {"a-2", "a-2-2"}, {"b", "b"}, {"", ""}, {"", "-2"}} {
		if got := names.Take(c[0]); got != c[1] {
			t.Errorf("Take(%q) is %q, want %q", c[0], got, c[1])
		}
	}
	exact := Names{Sep: "_"}
	if exact.Take("a"); exact.Take("A") != "A" {
		t.Error("names that differ by case are the same")
	}
	for range 200_000 { // a search for each would take minutes
		exact.Take("a")
	}
}
