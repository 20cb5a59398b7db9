// Package dockerfile reads what is certain from a Dockerfile: its base image, and what its pip and conda commands
// install. It ignores everything else: shell scripts that are more than a list of commands, downloads, and what depends
// on the machine that builds.
//
// BuildKit's own parser would add its whole client as a dependency, and does not report positions within a line.
package dockerfile

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/source"
)

// MaxSize is the maximum size of a Dockerfile in bytes; larger ones are not read.
const MaxSize = 64 << 10

// Image is what a Dockerfile builds: the image of its last stage, including the stages that it is based on.
type Image struct {
	// From is the base image, or "" if it is not known; FromSpan is where it is named.
	From     string
	FromSpan source.Span
	// Items are what the commands install, in order.
	Items []Item
	// MentionsCUDA means that something other than an Item mentions CUDA, or that files are copied from elsewhere, so
	// that the image may have CUDA even if its base image does not.
	MentionsCUDA bool
	// Sources are what it takes from the build context by name.
	Sources []Source
	// Stray is the first line at which docker build stops, or nil.
	Stray *Stray
}

// Item is a requirement in a pip or conda command, a pip option, or a requirements file.
type Item struct {
	Manager requirement.Manager
	Kind    Kind
	// Text is the requirement, the option with its value, or the path of the file as written.
	Text string
	Span source.Span
	// Command is the 1-based number of the command.
	Command int
	// Paths are the possible paths of a file in the build context, best first.
	Paths []string
}

// Kind is the kind of an Item.
type Kind uint8

// The kinds.
const (
	Requirement Kind = iota
	Option
	RequirementFile // of pip
	CondaFile
	Removal // of a package that was installed earlier
)

// Read reads a Dockerfile. It never fails, and skips what it does not understand.
func Read(text []byte) Image {
	if len(text) > MaxSize {
		return Image{}
	}
	list := lines(text)
	stray, all := strays(text, list), stages(list)
	if len(all) == 0 {
		return Image{Stray: stray}
	}
	var chain []stage
	for i := len(all) - 1; i >= 0; i = all[i].base {
		chain = append(chain, all[i])
	}
	slices.Reverse(chain)
	b := builder{vars: map[string]string{}, cwd: unknownFolder, touched: map[string]bool{}}
	b.image.From, b.image.FromSpan, b.image.Stray = chain[0].from, chain[0].span, stray
	for _, s := range chain {
		b.global = s.global
		for _, i := range s.steps {
			b.step(i)
		}
	}
	return b.image
}

// stage is what follows a FROM.
type stage struct {
	name   string
	from   string
	span   source.Span
	base   int // the number of the stage that it is based on, -1 for an image
	steps  []instruction
	global map[string]string // the ARGs before the first FROM
}

func stages(list []instruction) (all []stage) {
	global, names := map[string]string{}, map[string]int{}
	for _, i := range list {
		switch {
		case i.name == "FROM":
			s := stage{base: -1, global: global}
			s.read(i, global)
			if n, known := names[strings.ToLower(s.from)]; known {
				s.base = n
			}
			if s.name != "" {
				names[strings.ToLower(s.name)] = len(all)
			}
			all = append(all, s)
		case len(all) > 0:
			s := &all[len(all)-1]
			s.steps = append(s.steps, i)
		case i.name == "ARG":
			for _, w := range fields(i) {
				if name, value, ok := strings.Cut(w.text, "="); ok {
					value, ok = expand(unquoted(value), global)
					if delete(global, name); ok {
						global[name] = value
					}
				}
			}
		}
	}
	return all
}

// read parses the words of a FROM.
func (s *stage) read(i instruction, global map[string]string) {
	words := slices.DeleteFunc(fields(i), func(w word) bool { return strings.HasPrefix(w.text, "--") })
	if i.odd || len(words) == 0 || len(words) != 1 && (len(words) != 3 || !strings.EqualFold(words[1].text, "AS")) {
		return
	}
	if len(words) == 3 {
		s.name = words[2].text
	}
	s.span = words[0].span
	if from, known := expand(words[0].text, global); known {
		s.from = from
	}
}

// builder processes the instructions of an image.
type builder struct {
	image   Image
	global  map[string]string
	vars    map[string]string
	cwd     string
	copies  []copied
	sources int             // the number of files and folders that are copied
	named   int             // the number of requirements files
	touched map[string]bool // base names of files that a command may have changed
	foreign bool            // the shell is not a known one
	command int
}

// unknownFolder is the initial working directory of an image: it is not known, but relative paths share it.
const unknownFolder = "?"

func (b *builder) step(i instruction) {
	switch i.name {
	case "ARG", "ENV":
		b.assign(i)
	case "WORKDIR":
		if dir, ok := expand(unquoted(strings.TrimSpace(i.text)), b.vars); ok && dir != "" && !i.odd {
			b.cwd = b.at(dir)
		} else {
			b.cwd = "" // not known
		}
	case "COPY", "ADD":
		b.copy(i)
	case "SHELL":
		b.foreign = !strings.Contains(i.text, "sh\"")
	case "RUN":
		b.run(i)
	}
}

// at returns a path relative to the root of the image, or "" if it is not known or too long.
func (b *builder) at(name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	switch {
	case len(b.cwd)+len(name) > longest:
		return ""
	case path.IsAbs(name):
		return path.Clean(name)
	case b.cwd == "":
		return ""
	}
	return path.Join(b.cwd, name)
}

// assign records what ARG and ENV set.
func (b *builder) assign(i instruction) {
	words := fields(i)
	if i.odd || len(words) == 0 {
		return
	}
	if i.name == "ENV" && !strings.Contains(words[0].text, "=") {
		words = []word{{text: words[0].text + "=" + strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(i.text), words[0].text))}}
	}
	for _, w := range words {
		name, value, given := strings.Cut(w.text, "=")
		known := false
		if given {
			value, known = expand(unquoted(value), b.vars)
		} else if i.name == "ARG" {
			value, known = b.global[name]
		}
		if delete(b.vars, name); known {
			b.vars[name] = value
		}
	}
}
