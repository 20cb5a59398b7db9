// Package condaenv cleans the conda file of an old job: packages that are gone are removed or replaced, versions are
// changed to fit a Python and a CUDA version that are still available, and comments stay with their items. It asks
// about what it cannot know.
package condaenv

import (
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/requirement"
)

// Base is an image to start from.
type Base struct {
	Image string
	// CUDA and CUDNN are the versions in the image; "" for a CPU image.
	CUDA, CUDNN string
}

// Input is one environment, and everything that its cleaning depends on.
type Input struct {
	Source *schema.Environment
	// Program is what a program adds to the source, or nil; Named are packages that the user names.
	Program *schema.Environment
	Named   []string
	// Lost are calls of the program that are not carried over, each with its place.
	Lost []string
	// Project is the name for the environment if the source has no meaningful one.
	Project string
	// GPU means that its packages use a GPU; Spark means that the session's own Python is used.
	GPU, Spark bool
	// Serves means that a web service runs in it.
	Serves bool
	// Base is the image that it is installed in; GPUBase is the one that the same format uses for GPU jobs.
	Base, GPUBase Base
	// Replaced means that a job's image may be replaced with one that CNTK runs in.
	Replaced bool
	// Preinstalled are the scripts whose old image contained catalog.PreinstalledModules.
	Preinstalled []string
	Scripts      Scripts
	// AsOf is the day (2006-01-02) for which the support of Python versions is checked.
	AsOf string
	// Decide returns the answer to a question; open means that there is none.
	Decide func(*account.Question) (taken string, open bool)
	// Refuse records that an answer to a question cannot be used, and why.
	Refuse func(id, answer, why string)
	// Answered reports whether the user gave an answer to a question that is only asked on request.
	Answered func(scope, id string) bool
}

// Scripts answers questions about the project's Python files.
type Scripts interface {
	// Any reports whether there are any.
	Any() bool
	// AnyImports reports whether one of them imports a module.
	AnyImports(module string) bool
	// Imports reports whether a script imports a module; known is false if the script cannot be read.
	Imports(script, module string) (yes, known bool)
	// Runs reports whether a script gets SDK v1's run.
	Runs() bool
	// UsesTensorFlow1 reports whether a script calls functions that only TensorFlow 1 has.
	UsesTensorFlow1() bool
}

// Result is the cleaned environment. Every item of the source that has a value gets a note. It is not guaranteed that
// the packages can be installed together.
type Result struct {
	// Text is the content of the file.
	Text []byte
	// CNTK means that it can only be installed on an old system.
	CNTK  bool
	Added []Added
	// Items are the requirements in the file; Python is the version that it installs, or "".
	Items  []requirement.Requirement
	Python string
	Notes  []NodeNote
}

// Added is a package or channel that the source does not have, with the reason.
type Added struct{ Package, Why string }

// NodeNote says what happened to a node of the source.
type NodeNote struct {
	Node *document.Node
	account.Note
}
