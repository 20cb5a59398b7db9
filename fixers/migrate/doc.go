// Package migrate rewrites whole projects to run somewhere else: it reads schema.Job, decides what can be decided, and
// passes a format-independent Job to an Emitter that writes the files. The sources are never changed, and MIGRATION.md
// accounts for each of their keys.
//
// The same sources and answers always produce the same bytes.
package migrate
