// Package requirement reads the short texts that name software in a job's
// files: conda and pip requirements, wheel file names, versions and container
// image references. Each parser is a hand-written scanner over the grammar of
// the tool that consumes the text. What does not fit the grammar is a
// *ParseError; no parser guesses.
//
// All positions are byte offsets into the string that was parsed. The package
// looks at nothing else: no files, no network, no catalog.
package requirement
