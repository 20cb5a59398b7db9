package schema

import (
	"bytes"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/dockerfile"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// V2Settings hold what only v2 jobs have.
type V2Settings struct {
	// EnvironmentName is the environment as written: a reference, or the mapping in its place.
	EnvironmentName Field
	// Environment is its definition in the project; nil if only a workspace or a registry knows it.
	Environment *V2Environment
	// Compute is the compute that the project defines; nil if only a workspace knows it, as is usual.
	Compute *V2Compute
}

// V2Environment is an Azure ML v2 environment: a file, or part of a job.
type V2Environment struct {
	File *File
	// Node is the mapping that holds the keys.
	Node *document.Node
	// Image is the Docker image, CondaPath the conda file, Build the folder to build an image from, Dockerfile the path
	// of the Dockerfile in it.
	Image, CondaPath, Build, Dockerfile Field
	// Conda is the conda environment; nil if it does not exist.
	Conda *Environment
	// Jobs are the jobs of the project that use it.
	Jobs []*Job

	recipe *recipe
}

// Base returns the environment's base image: Image, or the base image of the Dockerfile; not Explicit if neither is
// known.
func (e *V2Environment) Base() Field {
	if e.recipe != nil {
		return e.recipe.from
	}
	return e.Image
}

// Recipe returns what is read from the environment's Dockerfile, and that file; nil if there is none that can be read.
func (e *V2Environment) Recipe() (image dockerfile.Image, file *File) {
	if e.recipe == nil {
		return image, nil
	}
	return e.recipe.image, e.recipe.file
}

// V2Compute is an Azure ML v2 compute.
type V2Compute struct {
	File       *File
	Name, Size Field
	// Password is ssh_settings.admin_password.
	Password Field
}

// Path returns the path from the project's root that a field of a v2 file means: such paths start at the file's own
// folder. ok is false if it is not a path on this computer: an address, a reference to the workspace, or nothing.
func (f Field) Path() (rel string, ok bool) {
	text := strings.TrimPrefix(f.Text, "file:")
	if strings.HasPrefix(text, "$") {
		return "", false // filled in by a program
	}
	if !f.Explicit || !f.Node.IsPyYAMLText() || text == "" || strings.Contains(text, "${{") || strings.Contains(strings.SplitN(text, "/", 2)[0], ":") {
		return "", false
	}
	if text = filepath.ToSlash(text); path.IsAbs(text) {
		return text, true
	}
	return path.Join(f.File.Dir(), text), true
}

// v2Head is how far into a file its schema's address is searched for.
const v2Head = 4 << 10

// said is what the beginning of a file outside the configuration folders says that it is.
type said uint8

const (
	foreign said = iota // nothing of Azure ML, or a file that must be named
	ofV2
	ofSDK     // a run configuration of SDK v1
	condaOnly // a conda file that installs packages of Azure ML, whatever uses it
)

// saysV2 reports whether a file on disk is a v2 file, judging by its beginning.
func saysV2(name string) (bool, error) {
	what, err := saysOf(name)
	return what == ofV2, err
}

// SurelyRun reports whether a file outside the configuration folders is a run configuration of SDK v1 by its keys.
func SurelyRun(name string) bool {
	if _, asked := stray(name); !asked {
		return false
	}
	what, _ := saysOf(name)
	return what == ofSDK
}

// saysOf reports what a file on disk says that it is.
func saysOf(name string) (said, error) {
	head, size, err := disk.ReadUpTo(name, v2Head)
	switch {
	case errors.Is(err, disk.ErrIrregular):
		return foreign, nil
	case err != nil:
		return foreign, err
	}
	return begins(name, head, size, func() ([]byte, error) {
		if len(head) < v2Head {
			return head, nil
		}
		return readFile(name)
	})
}

// textSays is saysOf for a text that is not on disk.
func textSays(name string, text []byte) said {
	what, _ := begins(name, text[:min(len(text), v2Head)], int64(len(text)), func() ([]byte, error) { return text, nil })
	return what
}

// begins is saysOf for a file of size bytes that begins with head. Only if it may be one of Azure ML, and head does not
// tell, whole is called for the rest.
func begins(name string, head []byte, size int64, whole func() ([]byte, error)) (said, error) {
	switch {
	case v2Address(head) != "" || isFlow(name) || filepath.Base(name) == tableName && bytes.IndexByte(head, ':') > 0 && bytes.IndexByte(head, 0) < 0:
		return ofV2, nil
	case !v2Likely(head, len(head) == v2Head) || size > source.MaxSize:
		return foreign, nil
	}
	text, err := whole()
	stream := document.Parse(source.New(name, text))
	switch root := stream.Root(); {
	case v2ByKeys(root) != "" || v2ByRest(stream) != "":
		return ofV2, err
	case surelyRun(root) && newFile(name, []string{filepath.Base(name)}, stream, nil, nil).Kind == RunConfig:
		return ofSDK, err
	case isConda(root) && installsSDK(root):
		return condaOnly, err
	}
	return foreign, err
}

// fromUTF16 returns a text of letters without the zero bytes that UTF-16 adds. PowerShell's ">" writes UTF-16, which
// Azure ML cannot read.
func fromUTF16(text []byte) []byte {
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return bytes.ReplaceAll(text[2:], []byte{0}, nil)
	}
	return text
}

// addressInText returns what v2Address does for the file. If its keys could be read, one of them is "$schema" or a slip
// for it.
func (f *File) addressInText() string {
	root := f.Root().Resolve()
	if root.IsMapping() && len(f.Stream.Documents) == 1 && !f.Stream.Repaired && !f.Broken() &&
		!slices.ContainsFunc(root.Entries(), func(e document.Entry) bool {
			return strings.IndexByte(e.Key.Value, '$') >= 0 && strings.Contains(e.Key.Value, "$schema") || misspelt(e.Key.Value)
		}) {
		return ""
	}
	return v2Address(f.Source.Text)
}

// v2Address returns the address of a v2 schema that "$schema" at the beginning of a text names, or "". It must be a
// top-level key: at the beginning of a line, or in JSON inside the first brace.
func v2Address(text []byte) string {
	text = fromUTF16(text[:min(len(text), v2Head)])
	key := []byte("$schema")
	for at := 0; ; at += len(key) {
		i := bytes.Index(text[at:], key)
		if i < 0 {
			return misspeltAddress(text)
		}
		at += i
		line, below, _ := bytes.Cut(text[at+len(key):], []byte("\n"))
		value := strings.TrimLeft(string(line), " \t\"':：=") // slips, too
		if strings.Trim(value, ">|-\r") == "" && bytes.HasPrefix(below, []byte(" ")) {
			line, _, _ = bytes.Cut(below, []byte("\n"))
			value = strings.TrimLeft(string(line), " \"'")
		}
		if value, _, _ = strings.Cut(value, " "); outermost(text, at) && isV2Address(value) {
			return strings.TrimRight(value, "\r\"',}")
		}
	}
}

// misspeltAddress returns what v2Address does for a text whose key is misspelt.
func misspeltAddress(text []byte) string {
	const host = "//azuremlschemas" // begins with a byte that few files have
	i := bytes.Index(text, []byte(host))
	if i < 0 {
		return ""
	}
	start := bytes.LastIndexByte(text[:i], '\n') + 1
	line, _, _ := bytes.Cut(text[start:], []byte("\n"))
	key, value, _ := bytes.Cut(line, []byte(":"))
	name := bytes.TrimLeft(key, " \t\"'{")
	if !misspelt(strings.TrimRight(string(name), " \"'")) || !outermost(text, start+len(key)-len(name)) {
		return ""
	}
	return strings.Trim(string(value), " \t\r\"',}")
}

// outermost reports whether a key after the first bytes of a text is a top-level key of the file.
func outermost(text []byte, before int) bool {
	spaces, flow := firstIndent(text)
	if flow {
		return bytes.Count(text[:before], []byte("{"))-bytes.Count(text[:before], []byte("}")) == 1
	}
	line := text[bytes.LastIndexByte(text[:before], '\n')+1 : before]
	line = bytes.TrimRight(bytes.TrimPrefix(line, []byte("\ufeff")), "\"'`\\")
	return len(line) == 0 || bytes.Equal(line, spaces) || bytes.Equal(bytes.TrimRight(line, " "), []byte("-")) // a slip
}
