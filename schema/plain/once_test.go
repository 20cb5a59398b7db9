package plain

import (
	"sync"
	"testing"
)

// TestOnce asks for a value and an expression from many goroutines, which all get the one that was made.
func TestOnce(t *testing.T) {
	t.Parallel()
	made := 0
	value := Once[*int]{Make: func() *int { made++; return new(made) }}
	expression := Regexp{Text: "^a+$"}
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			if got := value.Get(); *got != 1 || got != value.Get() {
				t.Errorf("%d", *got)
			}
			if got := expression.Get(); !got.MatchString("aa") || got != expression.Get() {
				t.Error("another expression")
			}
		})
	}
	group.Wait()
}
