//go:build !linux && !darwin

package disk

import (
	"errors"
	"os"
)

// errNoExchange reports that the system cannot swap two files.
var errNoExchange = errors.New("files cannot be swapped here")

func exchange(*os.Root, string, string) error { return errNoExchange }

func moveNew(parent *os.Root, from, to string) error { return moveFree(parent, from, to) }
