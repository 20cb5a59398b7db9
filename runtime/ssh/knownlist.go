package ssh

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/skeema/knownhosts"
	xknownhosts "golang.org/x/crypto/ssh/knownhosts"

	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/plain"
)

// knownList is what the known_hosts files say.
type knownList struct {
	db      *knownhosts.HostKeyDB
	files   map[string]string // the file that a copy was made of
	skipped []string          // lines that cannot be read, as FILE:LINE
}

func newHostKeys(e endpoint) (*hostKeys, error) {
	k := &hostKeys{e: e}
	if err := k.read(e.knownHosts); err != nil {
		return nil, &Error{Problem: KnownHostsBroken, Host: e.String(), Err: err}
	}
	return k, nil
}

// read reads the files. As with OpenSSH, a line that cannot be read counts for nothing: it may have a kind of key that
// is too old or too new. The library reads only whole files, so it gets a copy without the line. But no key is accepted
// while a line that revokes one cannot be read.
func (k *knownList) read(files []string) error {
	files = slices.Clone(files)
	var copies *disk.Dir
	defer func() {
		if copies != nil {
			_ = copies.Destroy()
		}
	}()
	for {
		var err error
		if k.db, err = knownhosts.NewDB(files...); err == nil {
			return nil
		}
		m := brokenText.Get().FindStringSubmatch(err.Error())
		if m == nil || !slices.Contains(files, m[1]) {
			return brokenFile(err)
		}
		name, file := m[1], cmp.Or(k.files[m[1]], m[1])
		place := file + ":" + m[2]
		text, read := os.ReadFile(name)
		line, _ := strconv.Atoi(m[2])
		lines := bytes.SplitAfter(text, []byte("\n"))
		switch {
		case read != nil || line > len(lines):
			return errors.New(place + " is not a host's name and key")
		case bytes.Contains(lines[line-1], []byte("@revoked")):
			return errors.New(place + " revokes a key that cannot be read")
		}
		lines[line-1] = []byte("\n") // the others keep their numbers
		if copies == nil {
			if copies, err = disk.TempNamed("amlfix-known-hosts-" + disk.TempName()); err != nil {
				return fmt.Errorf("%s is not a host's name and key, and no copy without it can be made: %w", place, err)
			}
			k.files = map[string]string{}
		}
		made := strconv.Itoa(len(k.skipped))
		if err := copies.WriteSoon(made, bytes.Join(lines, nil), 0o600); err != nil {
			return fmt.Errorf("%s is not a host's name and key, and no copy without it can be made: %w", place, err)
		}
		made = filepath.Join(copies.Path(), made)
		files[slices.Index(files, name)] = made
		k.files[made] = file
		k.skipped = append(k.skipped, place)
	}
}

// brokenText matches the library's message about a malformed line: "knownhosts: FILE:3: …".
var brokenText = plain.Regexp{Text: `^knownhosts: (.+?):(\d+): `}

// brokenFile reports which file cannot be read.
func brokenFile(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return errors.New(p.Path + ": " + unreadable(err))
	}
	return errors.New("its form is unknown")
}

// place returns where a key is listed, as FILE:LINE.
func (k *knownList) place(key xknownhosts.KnownKey) string {
	return fmt.Sprintf("%s:%d", cmp.Or(k.files[key.Filename], key.Filename), key.Line)
}
