// Package built reads what Python programs build with SDK v1: run configurations, environments, compute targets and
// datasets. It follows names that are set once to literal values, and runs nothing. What it cannot follow becomes an
// Open node, never a guess.
package built
