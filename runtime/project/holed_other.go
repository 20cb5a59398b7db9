//go:build !linux && !darwin

package project

import "os"

// holed reports false: it is not known here.
func holed(*os.File) bool { return false }
