//go:build !race

package testkit

import "time"

// Limit is a time limit for jobs that have to do something before it is over. It leaves an interpreter time to start on
// a machine that does much else; tests that wait for its end are parallel.
const Limit = 8 * time.Second
