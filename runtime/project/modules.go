package project

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// modulesLimit is how many bytes of Python modules are packed: the archive is for programs, not for data.
const modulesLimit = 64 << 20

// Modules packs the project's Python modules into an archive that Python can import from; the archive's root is the
// project's. The error names the file that cannot be read.
func (s Snapshot) Modules() ([]byte, error) {
	root, err := os.OpenRoot(s.Root)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be opened: %w", s.Root, plain.Cause(err))
	}
	defer func() { _ = root.Close() }()
	var packed bytes.Buffer
	archive, size := zip.NewWriter(&packed), int64(0)
	for _, e := range s.Entries {
		if !e.Mode.IsRegular() || !strings.HasSuffix(e.Path, ".py") {
			continue
		}
		if size += e.Size; size > modulesLimit {
			return nil, fmt.Errorf("%s: the project's Python modules are larger than %d MB, too much for Spark's workers: list what they do not need in .amlignore", e.Path, modulesLimit>>20)
		}
		if err := pack(archive, root, e); err != nil {
			return nil, fmt.Errorf("%s: cannot be read: %w", e.Path, plain.Cause(err))
		}
	}
	err = archive.Close()
	return packed.Bytes(), err
}

func pack(archive *zip.Writer, root *os.Root, e Entry) error {
	f, err := source.OpenListed(root, e.Path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	w, err := archive.CreateHeader(&zip.FileHeader{Name: e.Path, Method: zip.Deflate, Modified: e.ModTime})
	if err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	return err
}
