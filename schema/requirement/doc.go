// Package requirement parses the short texts that name software in a job's files: conda and pip requirements, wheel
// file names, versions and container image references. Each parser is a hand-written scanner for the grammar of the
// tool that reads the text. What does not fit the grammar is a *ParseError; no parser guesses.
//
// All positions are byte offsets into the string that was parsed. The package uses nothing else: no files, no network,
// no catalog.
package requirement
