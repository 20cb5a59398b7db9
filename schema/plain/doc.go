// Package plain holds small functions on words and errors that every layer needs: the cause of a file error, the
// distance between two words, texts cut to a length, names of Python packages, camelCase, paths from a folder, sizes in
// bytes, YAML's single quotes, and regular expressions that are compiled on first use. Shell words are in package
// escape. Package plain imports no other package of amlfix.
package plain
