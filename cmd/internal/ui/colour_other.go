//go:build !windows

package ui

import "io"

// enableColour has nothing to do: terminals here understand colour.
func enableColour(io.Writer) bool { return true }
