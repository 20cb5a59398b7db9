package prepare

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/amlfix/amlfix/schema/source"
)

// upload writes the files that the tools read, as a tar stream and without the secrets. If there are secrets, it writes
// only the files that may contain some.
func (p place) upload(w io.Writer, r Recipe, secrets []string) error {
	t := tar.NewWriter(w)
	if err := p.write(t, r, secrets); err != nil {
		return err
	}
	return t.Close()
}

func (p place) write(t *tar.Writer, r Recipe, secrets []string) error {
	texts := []struct{ path, text string }{
		{p.file(r, condaFile), string(r.Text)},
		{p.file(r, requirements), strings.Join(r.Pip, "\n") + "\n"},
	}
	if all := r.secrets(); len(all) > 0 {
		texts = append(texts, struct{ path, text string }{p.file(r, secretsFile), strings.Join(all, "\x00")})
	}
	for _, f := range r.Files {
		if f.Text != nil {
			texts = append(texts, struct{ path, text string }{path.Join(p.sources(), f.Path), string(f.Text)})
		}
	}
	for _, f := range texts {
		text := masked(f.text, secrets)
		h := &tar.Header{Name: strings.TrimPrefix(f.path, "/"), Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(text)), ModTime: time.Now()}
		if err := put(t, h, strings.NewReader(text)); err != nil {
			return err
		}
	}
	if len(secrets) == 0 && len(r.Files) > 0 {
		return p.send(t, r)
	}
	return nil
}

// send writes the project files other than requirements files.
func (p place) send(t *tar.Writer, r Recipe) error {
	root, err := os.OpenRoot(r.Root)
	if err != nil {
		return fmt.Errorf("%s: the project folder cannot be read any more", r.Root)
	}
	defer func() { _ = root.Close() }()
	for _, f := range r.Files {
		h := &tar.Header{Name: strings.TrimPrefix(path.Join(p.sources(), f.Path), "/"), Mode: 0o644 | int64(f.Mode&0o111), ModTime: time.Now()}
		switch {
		case f.Text != nil:
			continue
		case f.Mode.IsDir():
			h.Typeflag, h.Name, h.Mode = tar.TypeDir, h.Name+"/", 0o755
			err = put(t, h, nil)
		case f.Mode&fs.ModeSymlink != 0:
			h.Typeflag, h.Linkname, h.Mode = tar.TypeSymlink, f.Link, 0o777
			err = put(t, h, nil)
		default:
			h.Typeflag, h.Size = tar.TypeReg, f.Size
			err = r.copy(t, h, root, f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// errChanged means that a file no longer matches the environment's key.
var errChanged = errors.New("it was changed while the environment was built: start again")

func (r Recipe) copy(t *tar.Writer, h *tar.Header, root *os.Root, f File) error {
	content, err := source.OpenListed(root, f.Path)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Path, errChanged)
	}
	defer func() { _ = content.Close() }()
	if info, err := content.Stat(); err != nil || info.Size() != f.Size {
		return fmt.Errorf("%s: %w", f.Path, errChanged)
	}
	return put(t, h, content)
}

func put(t *tar.Writer, h *tar.Header, content io.Reader) error {
	err := t.WriteHeader(h)
	if err == nil && content != nil {
		_, err = io.Copy(t, content)
	}
	if err != nil {
		return fmt.Errorf("%s: cannot be sent: %w", h.Name, err)
	}
	return nil
}
