package dockerfile

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/shell"
	"github.com/amlfix/amlfix/schema/source"
)

// run processes the commands of a RUN.
func (b *builder) run(i instruction) {
	text, at := i.text, i.at
	if i.script != "" {
		text, at = i.script, i.scriptAt
	} else {
		text = b.withoutOptions(text)
	}
	commands, err := shell.Parse(text)
	if i.odd || b.foreign || err != nil || strings.HasPrefix(strings.TrimSpace(text), "[") {
		b.leave(text)
		return
	}
	cwd := b.cwd
	for n, c := range commands {
		words, known := b.words(text, at, c)
		after := ""
		if n > 0 {
			after = commands[n-1].Operator
		}
		switch {
		case after == "||" || after == "|" || c.Operator == "&" || !known:
			b.leaveWords(words, text, at)
			b.moved(words)
		case len(words) == 2 && words[0].text == "cd" && !strings.HasPrefix(words[1].text, "-"):
			b.cwd = b.at(words[1].text)
		case !b.installs(words):
			b.leaveWords(words, text, at)
			b.moved(words)
		}
	}
	b.cwd = cwd
}

// moved forgets the folder after a command that may have left it.
func (b *builder) moved(words []word) {
	if len(words) > 0 && slices.Contains([]string{"cd", "pushd", "popd"}, words[0].text) {
		b.cwd = ""
	}
}

// withoutOptions replaces the options of RUN itself with spaces.
func (b *builder) withoutOptions(text string) string {
	rest := strings.TrimLeft(text, " \t\r\n")
	for strings.HasPrefix(rest, "--") {
		option := rest
		if end := strings.IndexAny(rest, " \t\r\n"); end >= 0 {
			option = rest[:end]
		}
		if boundFile.Get().MatchString(option) {
			b.bind(option)
		}
		rest = strings.TrimLeft(rest[len(option):], " \t\r\n")
	}
	return strings.Repeat(" ", len(text)-len(rest)) + rest
}

// words returns the words of a command with variables substituted; known is false if that is not possible for a word.
func (b *builder) words(text string, at int, c shell.Command) (words []word, known bool) {
	known = true
	for _, w := range c.Words {
		literal, ok := w.Literal()
		if !ok {
			literal, ok = expand(unquoted(text[w.Span.Start:w.Span.End]), b.vars)
			ok = ok && !strings.ContainsAny(literal, "*?{}~ ")
		}
		known = known && ok
		words = append(words, word{literal, source.Span{Start: at + w.Span.Start, End: at + w.Span.End}})
	}
	return words, known && len(words) > 0
}

// leave records what a text that is not analyzed may do.
func (b *builder) leave(text string) {
	b.image.MentionsCUDA = b.image.MentionsCUDA || mentionsCUDA.Get().MatchString(text)
	for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return r < ' ' || strings.ContainsRune(" \"';&|<>()=", r) }) {
		b.touched[path.Base(name)] = true
	}
}

func (b *builder) leaveWords(words []word, text string, at int) {
	for _, w := range words {
		b.leave(text[w.span.Start-at : w.span.End-at])
	}
}

// mentionsCUDA matches text that may install CUDA, or run a script that does.
var mentionsCUDA = plain.Regexp{Text: `(?i)cuda|cudnn|nvidia|nccl|tensorrt|\.sh\b|\bgpu|\.run\b`}

var (
	pipName    = plain.Regexp{Text: `^pip[0-9.]*$`}
	pythonName = plain.Regexp{Text: `^(?:python[0-9.]*|pypy[0-9.]*)$`}
)

// installs processes a pip or conda command; false for others.
func (b *builder) installs(words []word) bool {
	words = program(words)
	if len(words) < 2 {
		return false
	}
	switch name := path.Base(words[0].text); {
	case pipName.Get().MatchString(name):
		return b.pip(words[1:])
	case name == "uv" && words[1].text == "pip":
		return b.pip(words[2:])
	case name == "conda", name == "mamba", name == "micromamba":
		return b.conda(words[1:])
	}
	return false
}

// program removes leading words that only start another program.
func program(words []word) []word {
	for len(words) > 1 {
		switch name := path.Base(words[0].text); {
		case name == "sudo", name == "exec", name == "time", name == "env":
			for words = words[1:]; len(words) > 1 && (strings.HasPrefix(words[0].text, "-") || strings.Contains(words[0].text, "=")); {
				words = words[1:]
			}
		case pythonName.Get().MatchString(name) && words[1].text == "-m" && len(words) > 2:
			words = words[2:]
		case name == "conda" && words[1].text == "run", name == "mamba" && words[1].text == "run", name == "micromamba" && words[1].text == "run":
			for words = words[2:]; len(words) > 1 && strings.HasPrefix(words[0].text, "-"); {
				if name := words[0].text; name == "-n" || name == "-p" || name == "--name" || name == "--prefix" {
					words = words[1:]
				}
				words = words[1:]
			}
		default:
			return words
		}
	}
	return words
}

// mostItems is the maximum number of items of a Dockerfile, far more than people write.
const mostItems = 1000

// add adds an item of the current command.
func (b *builder) add(item Item) {
	if len(b.image.Items) == mostItems {
		b.image.MentionsCUDA = true // it is not known what the others are
		return
	}
	item.Command = b.command
	b.image.Items = append(b.image.Items, item)
}

// file adds a requirements file; it returns false if it is not known which file it is.
func (b *builder) file(manager requirement.Manager, kind Kind, w word, span source.Span) bool {
	paths := b.inContext(w.text)
	if len(paths) == 0 || b.touched[path.Base(w.text)] {
		return false
	}
	b.add(Item{Manager: manager, Kind: kind, Text: w.text, Span: span, Paths: paths})
	return true
}
