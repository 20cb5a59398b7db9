// Package condaenv cleans the conda file of an old job: packages that are gone are
// left out or replaced, versions are made to fit a Python and a CUDA that can still
// be had, comments stay with their items. What it cannot know it asks.
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
	// CUDA and CUDNN are the versions inside; "" in a CPU image.
	CUDA, CUDNN string
}

// Input is one environment, and everything that its cleaning depends on.
type Input struct {
	Source *schema.Environment
	// Project names the environment where the source's own name says nothing.
	Project string
	// GPU says that its packages drive a GPU, Spark that the session's own Python
	// is used.
	GPU, Spark bool
	// Serves says that a web service runs in it.
	Serves bool
	// Base is the image that it is installed in, GPUBase the one that the same
	// format gives to GPU jobs.
	Base, GPUBase Base
	// Replaced says that the image of a job may be replaced by one that CNTK runs in.
	Replaced bool
	// Preinstalled are the scripts whose old image held catalog.PreinstalledModules.
	Preinstalled []string
	Scripts      Scripts
	// AsOf is the day (2006-01-02) by which the support of Pythons is judged.
	AsOf string
	// Decide returns the answer to a question; open says that there is none.
	Decide func(account.Question) (taken string, open bool)
	// Answered reports whether there is an answer to a question that need not be asked.
	Answered func(scope, id string) bool
}

// Scripts answers what the Python files of the project do.
type Scripts interface {
	// Any reports whether there are any.
	Any() bool
	// AnyImports reports whether one of them imports a module.
	AnyImports(module string) bool
	// Imports reports whether a script imports a module; known is false when the
	// script could not be read.
	Imports(script, module string) (yes, known bool)
	// Runs reports whether one of them gets SDK v1's run.
	Runs() bool
	// UsesTensorFlow1 reports whether one of them calls what only TensorFlow 1 has.
	UsesTensorFlow1() bool
}

// Result is the cleaned environment. Every item of the source that holds a value
// has a note; whether the packages can be installed together is not known here.
type Result struct {
	// Text is the file.
	Text []byte
	// CNTK says that it can only be installed on an old system.
	CNTK  bool
	Added []Added
	// Items are the requirements of the file, Python the version that it installs; ""
	// when it installs none.
	Items  []requirement.Requirement
	Python string
	Notes  []NodeNote
}

// Added is a package or channel that the source does not name, with the reason.
type Added struct{ Package, Why string }

// NodeNote says what became of a node of the source.
type NodeNote struct {
	Node *document.Node
	account.Note
}
