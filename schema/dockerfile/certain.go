package dockerfile

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// Source is a file or folder of the build context that a COPY or ADD names.
type Source struct {
	// Path is its path from the context. It begins with ".." if it is outside.
	Path string
	Span source.Span
}

// Stray is a line at which docker build stops.
type Stray struct {
	// Word is the first one of the line. Early reports that it is an instruction, but is before the first FROM; with
	// any other word, it is none.
	Word  string
	Early bool
	Span  source.Span
}

// Instructions are the names of all instructions.
var Instructions = []string{"ADD", "ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "HEALTHCHECK", "LABEL", "MAINTAINER", "ONBUILD", "RUN", "SHELL", "STOPSIGNAL", "USER", "VOLUME", "WORKDIR"}

// strayWord matches what begins an instruction, a command or the rest of one, but not what a program fills in.
var strayWord = plain.Regexp{Text: `^(?:&&|\|\||[A-Za-z./-][A-Za-z0-9_./=-]*)$`}

// syntax matches the directive that lets another program read the file, which may know other instructions.
var syntax = plain.Regexp{Text: `(?mi)^#\s*syntax\s*=\s*(?:docker\.io/)?(\S+)`}

// strays returns the first line at which docker build certainly stops, or nil.
func strays(text []byte, list []instruction) *Stray {
	if m := syntax.Get().FindSubmatch(text); m != nil && !strings.HasPrefix(string(m[1]), "docker/dockerfile") {
		return nil
	}
	begun := false
	for _, i := range list {
		known := slices.Contains(Instructions, i.name)
		span := source.Span{Start: bytes.LastIndexAny(text[:i.at], " \t\r\n") + 1, End: i.at}
		if bytes.HasPrefix(text[span.Start:], []byte("\ufeff")) {
			span.Start += len("\ufeff")
		}
		word := string(text[span.Start:span.End])
		switch begun = begun || i.name == "FROM"; {
		case !known && !strayWord.Get().MatchString(word), strings.Contains(i.text, "<<"):
			return nil // a template, or a text that may end elsewhere
		case !known || !begun && i.name != "ARG":
			return &Stray{word, known, span}
		}
	}
	return nil
}

// source records what an instruction takes from the build context.
func (b *builder) source(name string, at source.Span) {
	if name == "" || strings.ContainsAny(name, "*?[]{}<>$@:\"'") {
		return
	}
	name = path.Clean(strings.TrimLeft(strings.ReplaceAll(name, `\`, "/"), "/"))
	if !slices.ContainsFunc(b.image.Sources, func(s Source) bool { return s.Path == name }) && len(b.image.Sources) < mostSources {
		b.image.Sources = append(b.image.Sources, Source{name, at})
	}
}

// mostSources is the maximum number of sources that are listed, far more than people write.
const mostSources = 100

// within returns where a word has a text, or the span of the word.
func (w word) within(text string) source.Span {
	if n := strings.Index(w.text, text); n >= 0 {
		return source.Span{Start: w.span.Start + n, End: w.span.Start + n + len(text)}
	}
	return w.span
}
