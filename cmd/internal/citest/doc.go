// Package citest tries amlfix where others run it: as a pre-commit hook, as a
// step of a workflow, as a release. It exists for its tests.
package citest
