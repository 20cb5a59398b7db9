package citest

import (
	"context"
	"encoding/binary"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

// wine is the program for Windows under Debian's wine64.
type wine struct {
	program, exe, dir string
	env               []string
}

// run starts amlfix.exe, and returns all that it prints.
func (w wine) run(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, w.program, append([]string{w.exe}, args...)...)
	cmd.Dir, cmd.Env = w.dir, w.env
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return string(out)
}

// TestWine runs the program for Windows: it finds, repairs and restores what the
// program of this system does. Wine 8.0 (Debian 12) lacks two things, see
// docs/testing.md: a library, which the test provides, and the removal of a file
// that was opened below a folder, without which undo ends with an error.
func TestWine(t *testing.T) {
	if os.Getenv("AMLFIX_TEST_FULL") == "" {
		t.Skip("SKIPPED: part of the set test/full: set AMLFIX_TEST_FULL=1 to run it")
	}
	w, here := newWine(t), t.TempDir()
	faulty := map[string]string{
		"aml_config/vm.compute":             strings.Replace(scratch["jobs/aml_config/vm.compute"], "nvidiaDocker: true\n", "", 1),
		"aml_config/vm.runconfig":           "# \u00e9\r\nFramework: python\r\nTarget: vm\r\n",
		"aml_config/conda_dependencies.yml": scratch["jobs/aml_config/conda_dependencies.yml"],
		".git/hooks/x":                      "git\n",
	}
	for name, text := range faulty {
		testkit.Write(t, w.dir, name, text)
		testkit.Write(t, here, name, text)
	}
	files := func(dir string) map[string]string {
		all := map[string]string{}
		err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				all[name] = testkit.Read(t, dir, name)
			}
			return err
		})
		testkit.OK(t, err)
		return all
	}
	native := build(t, top(t), runtime.GOOS, runtime.GOARCH)
	both := func(args ...string) {
		t.Helper()
		cmd := exec.Command(native, args...)
		cmd.Dir, cmd.Env = here, append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir())
		want, _ := cmd.CombinedOutput() // findings are no success
		testkit.Same(t, string(want), w.run(t, args...), "%v", args)
		testkit.Same(t, files(here), files(w.dir), "after %v", args)
	}
	both()
	both("--diff")
	both("--format", "json=.Git/hooks/x", "--exit-zero") // the same folder there
	both("--apply")
	if cmp.Equal(faulty, files(w.dir)) {
		t.Error("nothing was repaired")
	}
	if out := w.run(t, "undo"); strings.Contains(out, "Invalid function") {
		t.Logf("this Wine cannot remove what was opened below a folder: %s", out)
	} else if !strings.Contains(out, "restored") {
		t.Errorf("undo says %s", out)
	}
	testkit.Same(t, faulty, files(w.dir), "after undo")
}

// newWine makes Wine's folder, and gives it the library that Go needs and Wine
// 8.0 does not have.
func newWine(t *testing.T) wine {
	t.Helper()
	w := wine{program: "/usr/lib/wine/wine64", dir: t.TempDir()}
	if _, err := os.Stat(w.program); err != nil {
		t.Skip("SKIPPED: no Wine is here: apt-get install wine64")
	}
	prefix := t.TempDir()
	w.env = append(os.Environ(), "WINEPREFIX="+prefix, "WINEDEBUG=-all", "WINEDLLOVERRIDES=mscoree,mshtml=")
	boot := exec.Command(w.program, "wineboot", "--init")
	boot.Env = w.env
	if out, err := boot.CombinedOutput(); err != nil {
		t.Fatalf("wineboot: %v\n%s", err, out)
	}
	t.Cleanup(func() {
		end := exec.Command("/usr/lib/wine/wineserver64", "--kill") // that of this folder
		end.Env = w.env
		_ = end.Run()
	})
	library := filepath.Join(prefix, "drive_c", "windows", "system32", "bcryptprimitives.dll")
	if _, err := os.Stat(library); err != nil {
		testkit.OK(t, os.WriteFile(library, forwarder("bcryptprimitives.dll", "ProcessPrng", "advapi32.SystemFunction036"), 0o644))
	}
	w.exe = build(t, top(t), "windows", "amd64")
	return w
}

// forwarder returns a library for Windows on amd64 without any code: it has one
// function, which is one of another library.
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
	section := func(size int) { // PE32+: headers, all fields in their order
		put([]byte("MZ"), make([]byte, 58), uint32(64), []byte("PE\x00\x00"), uint16(0x8664), uint16(1), make([]byte, 12), uint16(240), uint16(0x2022))
		put(uint16(0x20b), uint16(0), uint32(0), uint32(raw), make([]byte, 8), uint32(at), uint64(0x180000000), uint32(at), uint32(raw), uint16(6), make([]byte, 6))
		put(uint16(6), make([]byte, 6), uint32(2*at), uint32(raw), uint32(0), uint16(3), uint16(0x160), uint64(1<<20), uint64(at), uint64(1<<20), uint64(at), uint32(0), uint32(16))
		put(uint32(at), uint32(size), make([]byte, 15*8), []byte(".edata\x00\x00"), uint32(size), uint32(at), uint32(raw), uint32(raw), make([]byte, 12), uint32(0x40000040))
		b = append(b, make([]byte, raw-len(b))...)
	}
	section(50 + len(text))
	put(make([]byte, 12), names, uint32(1), uint32(1), uint32(1), uint32(at+40), uint32(at+44), uint32(at+48)) // the table of exports
	put(names+uint32(len(library)+len(function)+2), names+uint32(len(library)+1), uint16(0), []byte(text))
	return append(b, make([]byte, 2*raw-len(b))...)
}
