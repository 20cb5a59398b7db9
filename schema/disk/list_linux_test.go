package disk

import (
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestParseEntries: nothing is guessed where a file system does not say what an entry is.
func TestParseEntries(t *testing.T) {
	entry := func(inode, kind byte, name string) []byte {
		data := make([]byte, 24+len(name)/8*8)
		data[0], data[sizeAt], data[typeAt] = inode, byte(len(data)), kind
		copy(data[nameAt:], name)
		return data
	}
	got, ok := parseEntries(nil, append(append(entry(1, syscall.DT_DIR, ".."), entry(0, syscall.DT_REG, "gone")...), entry(1, syscall.DT_REG, "a")...))
	if d := cmp.Diff([]Entry{{Name: "a"}}, got); d != "" || !ok {
		t.Error(d, ok)
	}
	if _, ok = parseEntries(nil, append(entry(1, syscall.DT_REG, "a"), entry(1, syscall.DT_UNKNOWN, "b")...)); ok {
		t.Error("an entry of an unknown type is taken for a file")
	}
}
