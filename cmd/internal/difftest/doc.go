// Package difftest compares the effect of repairs as seen by the YAML readers of the users' own tools. It contains only
// tests.
package difftest
