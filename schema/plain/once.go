package plain

import "sync"

// Once is a value that Make makes on its first use. Unlike what sync.OnceValue returns, it costs nothing at start as a
// package variable: the compiler lays it out in the program's data.
type Once[T any] struct {
	Make  func() T
	once  sync.Once
	value T
}

// Get returns the value.
func (o *Once[T]) Get() T {
	o.once.Do(func() { o.value = o.Make() })
	return o.value
}
