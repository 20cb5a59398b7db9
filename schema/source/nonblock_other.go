//go:build !unix

package source

const nonblock = 0 // files cannot be pipes
