package plain_test

import (
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/amlfix/amlfix/schema/plain"
)

// TestMemo checks that concurrent callers get the results of their texts and of no others, and that the number of kept
// results is bounded.
func TestMemo(t *testing.T) {
	memo := plain.Memo[int]{Longest: 8}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 5000 {
				text := strconv.Itoa(i)
				result, known, room := memo.Get(text)
				switch {
				case known && (result != i || room):
					t.Errorf("Get(%s) = %d, %t, %t", text, result, known, room)
				case room:
					memo.Put(text, i)
				}
			}
		})
	}
	all.Wait()
	count := 0
	for i := range 5000 {
		if result, known, _ := memo.Get(strconv.Itoa(i)); known {
			count++
			if result != i {
				t.Errorf("%d became %d", i, result)
			}
		}
	}
	if count < 500 || count > 1024 {
		t.Errorf("%d results are kept", count)
	}
	if _, known, room := memo.Get(strings.Repeat("x", 9)); known || room {
		t.Errorf("a long text: %t, %t", known, room)
	}
}

// TestMemoOf checks that a result is worked out once.
func TestMemoOf(t *testing.T) {
	memo, calls := plain.Memo[int]{Longest: 8}, 0
	length := func(text string) int { calls++; return len(text) }
	for range 3 {
		if got := memo.Of("abc", length); got != 3 {
			t.Errorf("Of = %d", got)
		}
	}
	if calls != 1 {
		t.Errorf("%d calls", calls)
	}
}
