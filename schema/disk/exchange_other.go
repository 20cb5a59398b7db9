//go:build !linux && !darwin

package disk

import "os"

func exchange(*os.Root, string, string) error { return errNoExchange }

func moveNew(parent *os.Root, from, to string) error { return moveFree(parent, from, to) }
