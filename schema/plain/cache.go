package plain

import "sync"

// Cache holds one value for each key. It is safe for concurrent use; its zero value is empty.
type Cache[K comparable, V any] struct{ known sync.Map }

// Of returns the value of the key, calling find the first time; concurrent callers may each call it.
func (c *Cache[K, V]) Of(key K, find func() V) V {
	value, ok := c.known.Load(key)
	if !ok {
		value, _ = c.known.LoadOrStore(key, find())
	}
	return value.(V) //nolint:forcetypeassert // nothing else is stored
}
