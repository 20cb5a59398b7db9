package plain

import "sync"

// Once is sync.OnceValue without being copied to each caller, which takes 700 bytes. It is for package variables of
// which there are many.
//
//go:noinline
func Once[T any](f func() T) func() T { return sync.OnceValue(f) }
