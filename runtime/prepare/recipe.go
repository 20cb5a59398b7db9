// Package prepare makes the environment that Azure ML would build for a job in a container: the packages of the conda
// file on top of the base image, kept as a separate image and reused while neither changes.
package prepare

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/secret"
)

// Recipe describes what to install. Its zero value installs nothing.
type Recipe struct {
	// Text is a conda environment file. If the project has one as a separate file, Text is that file byte for byte.
	Text []byte
	// Python is the requirement for the interpreter as written, such as "python=3.5.2"; empty if there is none.
	Python string
	// Conda and Pip are the other requirements as written; Conda does not include pip.
	Conda, Pip []string
	// Files are the project files that the pip items name by path; Gather adds them. Root is the absolute path of the
	// project's folder, and Dir the conda file's folder in it, slash-separated.
	Files     []File
	Root, Dir string
}

// NewRecipe returns the recipe of an environment; for nil, the zero value.
func NewRecipe(env *schema.Environment) (r Recipe) {
	if env == nil {
		return r
	}
	for _, p := range env.Packages {
		switch {
		case p.Manager == requirement.Pip:
			r.Pip = append(r.Pip, p.Node.Text())
		case p.Err == nil && p.Requirement.Key == "python":
			r.Python = p.Node.Text()
		case p.Err == nil && p.Requirement.Key == "pip":
		default:
			r.Conda = append(r.Conda, p.Node.Text())
		}
	}
	if env.Node == env.File.Root() {
		r.Text = env.File.Source.Text
		return r
	}
	var b bytes.Buffer // for a part of a run configuration: JSON is also YAML
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(decoded(env.Node, 0)) // never fails: strings, lists and maps
	r.Text = b.Bytes()
	return r
}

// Packages returns all requirements as written, Python's first, with secrets masked.
func (r Recipe) Packages() (list []string) {
	for _, p := range slices.Concat([]string{r.Python}, r.Conda, r.Pip) {
		if p != "" {
			list = append(list, secret.HideValue(p))
		}
	}
	return list
}

// deepest is how deep a tree is followed; a conda file has four levels.
const deepest = 20

// decoded converts a node to lists, maps and strings: conda uses nothing else in these files.
func decoded(n *document.Node, depth int) any {
	n = n.Resolve()
	switch {
	case n == nil || depth > deepest:
		return nil
	case n.IsSequence():
		list := []any{}
		for _, item := range n.Items() {
			list = append(list, decoded(item, depth+1))
		}
		return list
	case n.IsMapping():
		m := map[string]any{}
		for _, e := range n.Entries() {
			m[e.Key.Text()] = decoded(e.Value, depth+1)
		}
		return m
	}
	return n.Text()
}

// Empty reports whether there is nothing to install.
func (r Recipe) Empty() bool { return r.Python == "" && len(r.Conda) == 0 && len(r.Pip) == 0 }

// method changes whenever environments are made in a new way, so that older ones are no longer used.
const method = 1

// Key returns a key that differs for every base image, every text, and all project files that the text names. base is
// the image's ID.
func (r Recipe) Key(base string) string {
	h := sha256.New()
	for _, part := range [][]byte{[]byte(strconv.Itoa(method)), []byte(base), r.Text} {
		_, _ = h.Write([]byte(strconv.Itoa(len(part)) + ":"))
		_, _ = h.Write(part)
	}
	if len(r.Files) > 0 {
		_, _ = fmt.Fprintf(h, "%q", r.Dir)
	}
	for _, f := range r.Files {
		_, _ = fmt.Fprintf(h, "%q %v %q %x", f.Path, f.Mode&(fs.ModeType|0o100), f.Link, f.Sum)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// Repository is the name of the images of environments; their tags are the recipes' keys.
const Repository = "amlfix/env"

// ImageName returns the name of the image of a recipe's environment on the base image with this ID.
func (r Recipe) ImageName(base string) string { return Repository + ":" + r.Key(base) }
