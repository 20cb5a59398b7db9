package dockerfile

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// copied is what a COPY, an ADD or a mount takes from the build context.
type copied struct {
	sources []string
	to      string // where in the image
}

// copy handles a COPY or ADD.
func (b *builder) copy(i instruction) {
	words := fields(i)
	var options []word
	for len(words) > 0 && strings.HasPrefix(words[0].text, "--") {
		options, words = append(options, words[0]), words[1:]
	}
	if slices.ContainsFunc(options, func(w word) bool { return strings.HasPrefix(w.text, "--from") }) {
		b.image.MentionsCUDA = true // it is not known what that is
		return
	}
	var texts []string
	var spans []source.Span
	for _, w := range words {
		text := w.text
		if strings.HasPrefix(strings.TrimSpace(i.text), "[") { // in JSON form
			text = strings.TrimRight(strings.TrimLeft(text, "["), "],")
			if text == "" {
				continue // a bracket on its own
			}
		}
		text, known := expand(unquoted(text), b.vars)
		if !known || strings.Contains(text, "://") {
			return
		}
		texts, spans = append(texts, text), append(spans, w.within(text))
	}
	if i.odd || len(texts) < 2 {
		return
	}
	last := len(texts) - 1
	for n, name := range texts[:last] {
		b.source(name, spans[n])
	}
	to := b.at(texts[last])
	if to == "" {
		return
	}
	b.sources += last
	b.copies = append(b.copies, copied{sources: texts[:last], to: to})
	for _, name := range texts[:last] {
		delete(b.touched, path.Base(name)) // it is the context's file again
	}
}

var boundFile = plain.Regexp{Text: `^--mount=(?:.*,)?type=bind(?:,|$)`}

// bind handles a mount of part of the build context.
func (b *builder) bind(option string) {
	var c copied
	for part := range strings.SplitSeq(strings.TrimPrefix(option, "--mount="), ",") {
		switch name, value, _ := strings.Cut(part, "="); name {
		case "from":
			return
		case "source", "src":
			c.sources = []string{value}
		case "target", "dst", "destination":
			c.to = b.at(value)
		}
	}
	if len(c.sources) == 1 && c.to != "" {
		b.sources++
		b.copies = append(b.copies, c)
	}
}

// inContext returns the paths in the build context that a file in the image may come from, best first: the last copy
// has precedence.
func (b *builder) inContext(name string) (paths []string) {
	const most = 100 // copies, and files: each file is looked for in all copies
	at := b.at(name)
	if b.named++; at == "" || strings.Contains(name, "://") || b.sources > most || b.named > most {
		return nil
	}
	for _, c := range slices.Backward(b.copies) {
		for _, from := range c.sources {
			from = path.Clean(strings.TrimLeft(from, "/"))
			matched, err := path.Match(path.Base(from), path.Base(at))
			switch rest, below := strings.CutPrefix(at, strings.TrimSuffix(c.to, "/")+"/"); {
			case at == c.to && len(c.sources) == 1:
				paths = append(paths, from)
			case below && err == nil && matched && !strings.Contains(rest, "/"):
				paths = append(paths, path.Join(path.Dir(from), path.Base(at)))
			case below && !strings.ContainsAny(from, "*?["):
				paths = append(paths, path.Join(from, rest))
			}
		}
	}
	return slices.DeleteFunc(paths, func(p string) bool { return p == ".." || strings.HasPrefix(p, "../") })
}
