//go:build unix

package disk

import (
	"errors"
	"os"
	"time"
)

var time0 = time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)

func closed(f *os.File, err error) error {
	if err != nil {
		return err
	}
	return f.Close()
}

func wrote(f *os.File, err error) error {
	if err != nil {
		return err
	}
	_, err = f.WriteString("x")
	return errors.Join(err, f.Close())
}

func sub(d *Dir, err error) error {
	if err == nil {
		d.Close()
	}
	return err
}

func unlocked(l *Lock, err error) error {
	if err == nil {
		l.Close()
	}
	return err
}
