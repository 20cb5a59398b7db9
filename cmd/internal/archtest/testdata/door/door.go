// Package door breaks the rule of the one door in every known way, for TestDoors: each line marked "forbidden" is
// reported, and no other is.
package door

import (
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	. "os" // its members are reported where they are used
	sys "os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"syscall"
	_ "unsafe" // forbidden

	"github.com/gofrs/flock" // forbidden
)

func functions(name string) {
	_ = os.Remove(name)          // forbidden
	_ = sys.Mkdir(name, 0o777)   // forbidden
	_ = Rename(name, name)       // forbidden
	_ = (os.Symlink)(name, name) // forbidden
	f := os.RemoveAll            // forbidden
	_ = f(name)
	defer os.Chmod(name, 0)                                // forbidden
	go os.Truncate(name, 0)                                // forbidden
	table := map[string]func(string) error{"x": os.Remove} // forbidden
	_ = table["x"](name)
	_ = filepath.WalkDir(name, func(string, fs.DirEntry, error) error {
		return os.Link(name, name) // forbidden
	})
	_ = os.CopyFS(name, os.DirFS(name)) // forbidden
}

var remove = os.Remove // forbidden

func opens(name string, flags int) {
	_, _ = os.OpenFile(name, os.O_RDONLY, 0)
	_, _ = os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	_, _ = os.OpenFile(name, os.O_RDWR, 0)                   // forbidden
	_, _ = os.OpenFile(name, os.O_RDONLY|os.O_CREATE, 0o666) // forbidden
	_, _ = os.OpenFile(name, os.O_RDONLY|os.O_TRUNC, 0o666)  // forbidden
	_, _ = os.OpenFile(name, flags, 0)                       // forbidden
	open := os.OpenFile                                      // forbidden
	_, _ = open(name, os.O_WRONLY, 0)
	_, _ = os.Create(name)       // forbidden
	_, _ = os.CreateTemp("", "") // forbidden
	_, _ = os.Open(name)
}

type file struct{ *os.File }

type rooted struct{ *os.Root }

func methods(f *os.File, e file, r rooted, i interface{ Chmod(fs.FileMode) error }, c io.Closer) {
	_, _ = f.WriteString("a file that the door has opened")
	_ = f.Chmod(0)    // forbidden
	_ = e.Chmod(0)    // forbidden
	change := f.Chown // forbidden
	_ = change(0, 0)
	_ = (*os.File).Chmod(f, 0) // forbidden
	_ = r.Remove("x")          // forbidden
	_ = i.Chmod(0)             // forbidden
	_ = c.Close()
	_ = r.Mkdir // forbidden
	_, _ = os.OpenRoot("x")
	_, _ = r.OpenFile("x", os.O_RDONLY, 0)
	_, _ = r.OpenFile("x", os.O_RDWR, 0) // forbidden
	var remover interface{ Remove(string) error } = r.Root
	_ = remover.Remove("x") // forbidden
	_, _ = f.SyscallConn()  // forbidden
	_ = os.NewFile(3, "x")  // forbidden
}

func others(name string, r *http.Request) {
	_, _ = net.Listen("unix", name)              // forbidden
	_ = r.ParseMultipartForm(1)                  // forbidden
	debug.WriteHeapDump(3)                       // forbidden
	_ = reflect.ValueOf(r).MethodByName("Chmod") // forbidden forbidden
	_, _ = flock.New(name).TryLock()
	log.SetOutput(io.Discard)
	log.Print(name) // forbidden
}

//go:linkname unlink syscall.unlink
func unlink(string) error { return nil }
