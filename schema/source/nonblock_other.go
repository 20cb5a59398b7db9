//go:build !unix

package source

const nonblock = 0 // there are no pipes among files
