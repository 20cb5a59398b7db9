package citest

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestWineFolders checks that, where names ignore case, a report is not written into .git under any spelling.
func TestWineFolders(t *testing.T) {
	if os.Getenv("AMLFIX_TEST_FULL") == "" {
		t.Skip("SKIPPED: part of the set test/full: set AMLFIX_TEST_FULL=1 to run it")
	}
	wine, dir := newWine(t), t.TempDir()
	testkit.Write(t, dir, ".git/hooks/x", "git\n")
	testkit.Write(t, dir, "aml_config/vm.compute", scratch["jobs/aml_config/vm.compute"])
	out := wine.run(t, dir, "--format", "json=.Git/hooks/x", "--exit-zero")
	if got := testkit.Contents(t, dir)[".git/hooks/x"]; got != "git\n" || !strings.Contains(out, ".Git/hooks/x") {
		t.Errorf("%q, and it says %s", got, out)
	}
}

// newWine sets up Wine's folder. AMLFIX_TEST_WINE names the root of a Debian with a newer Wine than this one's. Wine
// 8.0 (Debian 12) lacks a library that Go needs, which newWine provides, and cannot remove a file that was opened
// relative to a folder; without that, undo and every command that creates files fail.
func newWine(t *testing.T) foreign {
	t.Helper()
	const program = "/usr/lib/wine/wine64"
	testkit.OnDisk() // Wine hides /dev
	prefix := t.TempDir()
	w := foreign{argv: []string{program}, env: append(os.Environ(), "WINEPREFIX="+prefix, "HOME="+prefix, "XDG_RUNTIME_DIR="+prefix, "WINEDEBUG=-all", "WINEDLLOVERRIDES=mscoree,mshtml=")}
	root := os.Getenv("AMLFIX_TEST_WINE")
	if root != "" { // in its own mounts, which end with the process; Wine 10 aborts if TMPDIR is set
		const enter = `unset TMPDIR; for d in /tmp /proc; do mkdir -p "$0$d" && mount --bind $d "$0$d" || exit; done; exec chroot "$0" sh -c 'cd "$0" && exec "$@"' "$PWD" "$@"`
		w.argv = []string{"unshare", "--mount", "sh", "-c", enter, root, program}
	}
	if _, err := os.Stat(filepath.Join(root, program)); err != nil {
		t.Skip("SKIPPED: no Wine is here: apt-get install wine64, or see docs/testing.md for a later one")
	}
	w.run(t, prefix, "wineboot", "--init")
	if _, err := os.Stat(filepath.Join(prefix, "drive_c")); err != nil {
		t.Fatal("wineboot makes no drive")
	}
	t.Cleanup(func() { w.run(t, prefix, "wineboot", "--kill") })
	library := filepath.Join(prefix, "drive_c", "windows", "system32", "bcryptprimitives.dll")
	if _, err := os.Stat(library); err != nil {
		testkit.OK(t, os.WriteFile(library, forwarder("bcryptprimitives.dll", "ProcessPrng", "advapi32.SystemFunction036"), 0o644))
		w.old = true
	}
	w.argv = append(w.argv, build(t, top(t), "windows", "amd64"))
	return w
}

// forwarder returns a library for Windows on amd64 that contains no code: its only function forwards to a function of
// another library.
func forwarder(library, function, target string) []byte {
	const at, raw = 0x1000, 0x200 // of the only section: in memory, in the file
	text := library + "\x00" + function + "\x00" + target + "\x00"
	names := uint32(at + 40 + 4 + 4 + 2)
	var b []byte
	put := func(values ...any) {
		for _, v := range values {
			b, _ = binary.Append(b, binary.LittleEndian, v)
		}
	}
	section := func(size int) { // PE32+: headers, all fields in order
		put([]byte("MZ"), make([]byte, 58), uint32(64), []byte("PE\x00\x00"), uint16(0x8664), uint16(1), make([]byte, 12), uint16(240), uint16(0x2022))
		put(uint16(0x20b), uint16(0), uint32(0), uint32(raw), make([]byte, 8), uint32(at), uint64(0x180000000), uint32(at), uint32(raw), uint16(6), make([]byte, 6))
		put(uint16(6), make([]byte, 6), uint32(2*at), uint32(raw), uint32(0), uint16(3), uint16(0x160), uint64(1<<20), uint64(at), uint64(1<<20), uint64(at), uint32(0), uint32(16))
		put(uint32(at), uint32(size), make([]byte, 15*8), []byte(".edata\x00\x00"), uint32(size), uint32(at), uint32(raw), uint32(raw), make([]byte, 12), uint32(0x40000040))
		b = append(b, make([]byte, raw-len(b))...)
	}
	section(50 + len(text))
	put(make([]byte, 12), names, uint32(1), uint32(1), uint32(1), uint32(at+40), uint32(at+44), uint32(at+48)) // the export table
	put(names+uint32(len(library)+len(function)+2), names+uint32(len(library)+1), uint16(0), []byte(text))
	return append(b, make([]byte, 2*raw-len(b))...)
}
