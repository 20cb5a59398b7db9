//go:build race

package testkit

import "time"

// Limit is longer with the race detector, which makes all the rest slower.
const Limit = 15 * time.Second
