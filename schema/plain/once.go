package plain

import "sync"

// Once is sync.OnceValue, but is not inlined: the many package variables that use it would each contain a copy.
//
//go:noinline
func Once[T any](f func() T) func() T { return sync.OnceValue(f) }
