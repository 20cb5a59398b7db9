//go:build linux

package enginetest

import "strings"

// LacksOneBlock reports whether a log is all that a job printed, or lacks only some lines that follow one another, none
// of which are among the first bytes, which were shown: an engine that is killed loses what it has read and not written
// yet.
func LacksOneBlock(log, printed string, first int) bool {
	same := 0
	for same < min(len(log), len(printed)) && log[same] == printed[same] {
		same++
	}
	begin := strings.LastIndexByte(printed[:same], '\n') + 1 // "tick 1" begins two lines
	return log == printed || len(log) < len(printed) && begin >= first && strings.HasSuffix(printed, "\n"+log[begin:])
}
