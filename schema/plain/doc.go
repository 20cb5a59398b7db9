// Package plain holds the small functions on words and errors that every layer
// needs, each of them once: the cause of a file error, the distance between two
// words, names of Python packages, camelCase, paths from a folder, and sizes in
// bytes. Words of a shell are in the package escape. It imports nothing else of
// amlfix.
package plain
