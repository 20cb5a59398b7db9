//go:build !windows

package ui

import "io"

// enableColour does nothing and returns true: terminals here support colour.
func enableColour(io.Writer) bool { return true }
