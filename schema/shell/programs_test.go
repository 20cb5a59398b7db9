package shell

import "testing"

// TestProgramsOnce checks that no program has two descriptions: which of them counted would be chance.
func TestProgramsOnce(t *testing.T) {
	seen := map[string]bool{}
	for name := range programs.Get() {
		seen[name] = true
	}
	for _, names := range others.Get() {
		for _, name := range names {
			if seen[name] {
				t.Errorf("%s is described twice", name)
			}
			seen[name] = true
		}
	}
}
