// Package migrate rewrites whole projects for another place to run: it reads
// schema.Job, decides what can be decided, and hands a neutral Job to an Emitter
// that writes the files. The sources are never touched, and every one of their
// keys is accounted for in MIGRATION.md.
//
// The same sources and answers always give the same bytes.
package migrate
