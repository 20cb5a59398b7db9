package disk

import (
	"encoding/binary"
	"io/fs"
	"os"
	"strings"
	"sync"
	"syscall"

	"github.com/amlfix/amlfix/schema/plain"
)

// rooms are for what the system says about some entries at once.
var rooms = sync.Pool{New: func() any { return new([8192]byte) }}

// List returns what is in a folder, sorted by name. Errors are *os.PathError; what was read before one is returned too.
//
// It calls the system directly: os.ReadDir takes four allocations for each entry, and there are thousands of folders.
func List(dir string) (list []Entry, err error) {
	fd, err := again(func() (int, error) {
		return syscall.Open(dir, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: dir, Err: err}
	}
	defer syscall.Close(fd) //nolint:errcheck // only read from
	room, _ := rooms.Get().(*[8192]byte)
	defer rooms.Put(room)
	for {
		var n int
		n, err = again(func() (int, error) { return syscall.ReadDirent(fd, room[:]) })
		if n <= 0 {
			break
		}
		all, ok := parseEntries(list, room[:n])
		if !ok {
			return listAny(dir)
		}
		list = all
	}
	plain.SortFunc(list, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	if err != nil {
		err = &os.PathError{Op: "readdirent", Path: dir, Err: err}
	}
	return list, err
}

// Where the parts of an entry are, see getdents64(2).
const (
	sizeAt = 16
	typeAt = 18
	nameAt = 19
)

// parseEntries adds what the system returned. ok is false if the type of an entry is unusual, or not known: some file
// systems do not say it.
func parseEntries(list []Entry, data []byte) (all []Entry, ok bool) {
	if list == nil {
		list = make([]Entry, 0, len(data)/(nameAt+13)) // most names are longer
	}
	names := string(data) // one text for all
	for at := 0; at < len(data); {
		end := at + int(binary.NativeEndian.Uint16(data[at+sizeAt:]))
		name, _, _ := strings.Cut(names[at+nameAt:end], "\x00")
		inode, kind := binary.NativeEndian.Uint64(data[at:]), data[at+typeAt]
		at = end
		if name == "." || name == ".." || inode == 0 { // deleted
			continue
		}
		e := Entry{Name: name}
		switch kind {
		case syscall.DT_REG:
		case syscall.DT_DIR:
			e.Type = fs.ModeDir
		case syscall.DT_LNK:
			e.Type = fs.ModeSymlink
		default:
			return nil, false
		}
		list = append(list, e)
	}
	return list, true
}
