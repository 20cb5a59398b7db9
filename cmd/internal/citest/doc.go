// Package citest tests amlfix where other tools run it: as a pre-commit hook, as a step of a workflow, as a release. It
// exists only for its tests.
package citest
