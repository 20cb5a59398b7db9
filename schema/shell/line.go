package shell

import "slices"

// Run is a script that a command line starts.
type Run struct {
	// Name is the script's path, or the name of a Python module, as written.
	Name   string
	Module bool
	// Word is the word with the name.
	Word Word
	// Folder is the folder in which it runs, relative to the one that the command line starts in (".").
	Folder string
	// Paths are the folders in PYTHONPATH, in order.
	Paths []string
	// Language is the language of the script.
	Language Language
	// Arguments are the script's arguments.
	Arguments []Word
	// Certain means that the script runs if the commands before it succeed, Made that an earlier command may have
	// created it, and Later that another script of the job runs before it.
	Certain, Made, Later bool
}

// Line is what is known about a command line.
type Line struct {
	// Runs are the scripts of the job that it runs, in order.
	Runs []Run
	// Files are files that it cannot do without, and that are not scripts: only Name, Word, Folder, Certain, Made and
	// Later are set, and Language is Other.
	Files []Run
	// Unknown are the names of programs that are on the search path, if anywhere, and about which nothing is known.
	Unknown []Word
	// Faults are its faults, up to the first part that Parse does not support.
	Faults []Fault
	// Left says why something was not analyzed, or is "" if everything was.
	Left string
}

// Lookalike is why a line with spaces, quotes or other characters that only look like those of a command is left.
const Lookalike = "a character that only looks like another"

// Read returns what a command line runs. A line that begins with an option is read as it is meant, as more arguments of
// the line before it, which is a fault.
func Read(text string) Line {
	p := parsed(text)
	faults := p.allFaults()
	switch {
	case p.err != nil:
		return Line{Faults: faults, Left: p.err.Error()}
	case slices.ContainsFunc(faults, Fault.hides):
		return Line{Faults: faults, Left: Lookalike}
	}
	r := &reader{line: Line{Faults: faults}, folder: ".", files: map[string]bool{}}
	r.read(joined(p.commands), 0)
	return r.line
}
