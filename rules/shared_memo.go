package rules

// memo caches values by key. Its zero value is empty.
type memo[K comparable, V any] struct{ known map[K]V }

// of returns the cached value of the key, calling find the first time.
func (m *memo[K, V]) of(key K, find func() V) V {
	value, known := m.known[key]
	if !known {
		value = find()
		if m.known == nil {
			m.known = map[K]V{}
		}
		m.known[key] = value
	}
	return value
}
