//go:build !linux && !darwin

package project

import (
	"io"
	"os"
)

// holed reports false: it is not known here.
func holed(*os.File) bool { return false }

func copyData(to, from *os.File) (int64, error) { return io.Copy(to, from) }
