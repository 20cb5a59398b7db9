// Package dockerfile reads what of a Dockerfile can be read for certain: which image
// it begins with, and what its pip and conda commands install. Everything else is
// left alone: shell scripts that are more than a list of commands, what is
// downloaded, and what depends on the machine that builds.
//
// BuildKit's own parser would bring its whole client along, and tells no places
// within a line.
package dockerfile

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/source"
)

// MaxSize is how many bytes of a Dockerfile are read; longer ones say nothing.
const MaxSize = 64 << 10

// Image is what a Dockerfile makes: the image of its last stage, with the stages that
// this is built on.
type Image struct {
	// From is the image at the bottom, "" when it cannot be known; FromSpan is where
	// it is named.
	From     string
	FromSpan source.Span
	// Items are what is installed, in the order of the commands.
	Items []Item
	// MentionsCUDA reports that something else than an Item speaks of CUDA, or copies
	// files from elsewhere: what the image at the bottom lacks may be there.
	MentionsCUDA bool
}

// Item is a requirement of a pip or conda command, an option of pip, or a file of
// requirements.
type Item struct {
	Manager requirement.Manager
	Kind    Kind
	// Text is the requirement, or the option with its value; of files the path as it
	// is written.
	Text string
	Span source.Span
	// Command is the number, from 1, of the command.
	Command int
	// Paths are where in the build context a file may be, best first.
	Paths []string
}

// Kind is what an Item is.
type Kind uint8

// The kinds.
const (
	Requirement Kind = iota
	Option
	RequirementFile // of pip
	CondaFile
	Removal // of a package that was installed before
)

// Read reads a Dockerfile. It never fails: what it does not understand it leaves out.
func Read(text []byte) Image {
	if len(text) > MaxSize {
		return Image{}
	}
	all := stages(lines(text))
	if len(all) == 0 {
		return Image{}
	}
	var chain []stage
	for i := len(all) - 1; i >= 0; i = all[i].base {
		chain = append(chain, all[i])
	}
	slices.Reverse(chain)
	b := builder{vars: map[string]string{}, cwd: unknownFolder, touched: map[string]bool{}}
	b.image.From, b.image.FromSpan = chain[0].from, chain[0].span
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
	base   int // the number of the stage that it is from, -1 for an image
	steps  []instruction
	global map[string]string // the ARGs before the first FROM
}

func stages(list []instruction) (all []stage) {
	global := map[string]string{}
	for _, i := range list {
		switch {
		case i.name == "FROM":
			s := stage{base: -1, global: global}
			s.read(i, global)
			for n, earlier := range all {
				if earlier.name != "" && strings.EqualFold(earlier.name, s.from) {
					s.base = n
				}
			}
			all = append(all, s)
		case len(all) > 0:
			s := &all[len(all)-1]
			s.steps = append(s.steps, i)
		case i.name == "ARG":
			for _, w := range fields(i) {
				if name, value, ok := strings.Cut(w.text, "="); ok {
					if value, ok = expand(unquoted(value), global); ok {
						global[name] = value
					}
				}
			}
		}
	}
	return all
}

// read reads the words of a FROM.
func (s *stage) read(i instruction, global map[string]string) {
	words := slices.DeleteFunc(fields(i), func(w word) bool { return strings.HasPrefix(w.text, "--") })
	if i.odd || len(words) == 0 || len(words) != 1 && (len(words) != 3 || !strings.EqualFold(words[1].text, "AS")) {
		return
	}
	if len(words) == 3 {
		s.name = words[2].text
	}
	s.span = words[0].span
	s.from, _ = expand(words[0].text, global)
}

// builder follows the instructions of an image.
type builder struct {
	image   Image
	global  map[string]string
	vars    map[string]string
	cwd     string
	copies  []copied
	touched map[string]bool // base names of files that a command may have changed
	foreign bool            // the shell is none that is known
	command int
}

// unknownFolder is where an image begins that says nothing: all that is certain is
// that relative paths start at the same place.
const unknownFolder = "?"

func (b *builder) step(i instruction) {
	switch i.name {
	case "ARG", "ENV":
		b.assign(i)
	case "WORKDIR":
		if dir, ok := expand(unquoted(strings.TrimSpace(i.text)), b.vars); ok && dir != "" && !i.odd {
			b.cwd = b.at(dir)
		} else {
			b.cwd = "" // nobody knows
		}
	case "COPY", "ADD":
		b.copy(i)
	case "SHELL":
		b.foreign = !strings.Contains(i.text, "sh\"")
	case "RUN":
		b.run(i)
	}
}

// at returns a path from the root of the image.
func (b *builder) at(name string) string {
	if name = strings.ReplaceAll(name, `\`, "/"); path.IsAbs(name) {
		return path.Clean(name)
	}
	if b.cwd == "" {
		return ""
	}
	return path.Join(b.cwd, name)
}

// assign takes over what ARG and ENV set.
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
