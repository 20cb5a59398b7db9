// Package schema models the files of Azure ML jobs: their kinds and dialects, how they belong together in projects, and
// schema.Job, which presents all dialects alike. Only code about a format reads documents; rules, runtime and migration
// read Jobs, Targets and Environments.
package schema

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// Kind is what a file describes.
type Kind uint8

// The kinds of files. Other files of a configuration folder are Unknown and are not examined.
const (
	Unknown   Kind = iota
	Compute        // <target>.compute
	RunConfig      // <name>.runconfig
	CondaFile      // conda environment specification
	SparkFile      // Spark configuration and packages
	// EnvironmentFile is a file that `environment` of an SDK v1 run configuration names instead of holding the
	// environment itself. Only that reference makes a file one.
	EnvironmentFile
	Settings // .amlfix.yaml: what the user wants of amlfix itself
	// The files of Azure ML v2, recognised by the schema they name or by their keys.
	V2JobFile
	V2EnvironmentFile
	V2ComputeFile
	V2File // of another kind
)

// String returns the kind's name in plain words.
func (k Kind) String() string {
	return [...]string{"file", "compute target", "run configuration", "conda file", "Spark file", "environment file", "settings file",
		"v2 job", "v2 environment", "v2 compute", "v2 file"}[k]
}

// Dialect is the generation of Azure ML that a job is written for. Among files, only run configurations have one.
type Dialect uint8

// The dialects.
const (
	NoDialect Dialect = iota // not a run configuration, or not known
	Workbench                // 2017-2018, PascalCase keys
	SDKv1                    // 2018-2026, camelCase keys
	V2                       // 2022-, files of their own schemas; File.V2 says which
)

// String returns the dialect's name.
func (d Dialect) String() string { return [...]string{"", "Workbench", "SDK v1", "v2"}[d] }

// File is one file of a project.
type File struct {
	// Path is the file's identity (see Identity), in the operating system's form; findings and changes name files by
	// it.
	Path string
	// Rel is the slash-separated path from the project's root by which the project knows the file: a link's, if only a
	// link is in the project.
	Rel string
	// Also are other such paths that lead to the same file by links.
	Also []string
	// Kind and Dialect are determined by the name and the content together.
	Kind    Kind
	Dialect Dialect
	// V2 is the kind of an Azure ML v2 file, or "" for others.
	V2     V2Kind
	Source *source.Source
	Stream *document.Stream
	// Err is why the file could not be read; Source is empty then.
	Err error
	// Of names what a program builds instead of writing it to a file; then Source is the program, and the nodes of
	// Stream lie in it. It is "" for other files. Uses is the environment that a run configuration of this kind names,
	// or nil.
	Of   string
	Uses *File

	notes *notes     // what has been computed from the file alone
	first classified // by its name and content, whatever another file takes it for
	made  any        // of a Workbench file, read once for all versions of a project that share it: *Job, *Target or *SparkSettings
}

// Name returns the file's base name without its extension: a target's or run configuration's name.
func (f *File) Name() string { return bareName(f.Rel) }

func bareName(rel string) string { return strings.TrimSuffix(path.Base(rel), path.Ext(rel)) }

// Dir returns the file's folder, slash-separated from the project's root.
//
//go:noinline
func (f *File) Dir() string { return folderOf(f.Rel) }

// Called reports whether name is one of the file's base names, without its extension.
func (f *File) Called(name string) bool {
	return f.is(func(rel string) bool { return bareName(rel) == name })
}

// is reports whether one of the file's paths satisfies want.
func (f *File) is(want func(rel string) bool) bool {
	return want(f.Rel) || slices.ContainsFunc(f.Also, want)
}

// Root returns the root of the file's first document, or nil.
func (f *File) Root() *document.Node {
	if f == nil {
		return nil
	}
	return f.Stream.Root()
}

// Broken reports whether nothing can be concluded from what the file lacks, because it could not be read, or part of it
// could not be parsed. A nil file counts as broken. It is not copied to the many places that ask.
//
//go:noinline
func (f *File) Broken() bool {
	return f == nil || f.Err != nil || !f.Stream.Repaired && !f.Stream.Whole()
}

// parseFile parses text as the file at p, which the project knows by the names, and determines its kind.
func parseFile(p string, names []string, text []byte, err error) *File {
	return newFile(p, names, document.Parse(source.New(p, text)), nil, err)
}

// newFile is parseFile for a text that has been parsed; same is nil unless other projects have it.
func newFile(p string, names []string, text *document.Stream, same *sameText, err error) *File {
	var both struct { // allocated at once
		File
		own notes
	}
	f := &both.File
	f.Path, f.Rel, f.Also, f.Err, f.Source, f.Stream, f.notes = p, names[0], names[1:], err, text.Source, text, &both.own
	f.classifyAs(same)
	return f
}

// again returns the file for another version of its project: a copy, unless all of them take it for what it is.
func (f *File) again() *File {
	if f.settled() {
		return f
	}
	clone := *f
	clone.made = nil
	if f.first.rel == f.Rel {
		clone.Kind, clone.Dialect, clone.V2 = f.first.kind, f.first.dialect, f.first.v2
	} else { // nobody has read it
		clone.Kind, clone.Dialect = classify(&clone)
	}
	return &clone
}
