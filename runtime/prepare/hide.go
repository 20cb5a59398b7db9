package prepare

import (
	"bytes"
	"cmp"
	_ "embed"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/secret"
)

// secrets returns the texts in the recipe that are never shown or kept, such as signatures in the URLs of wheels,
// longest first.
func (r Recipe) secrets() (all []string) {
	for _, text := range append([][]byte{r.Text}, r.lists()...) {
		all = append(all, secret.Texts(text, secret.Spans(text))...)
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return slices.Compact(all)
}

//go:embed hide.py
var hideScript string

// secretsFile lists the secrets, separated by NUL, until it is masked like every file.
const secretsFile = "secrets"

// hiding returns a shell script that runs a tool and then masks the secrets in the files in which the tools note where
// a package comes from. Besides the environment, an image contains what conda and pip keep for themselves.
func (p place) hiding(r Recipe, tools Tools) string {
	own := path.Dir(tools.Conda)
	words := []string{"-c", hideScript, p.file(r, secretsFile), secret.Mask, string(p)}
	if p == inImage {
		words = append(words, "~/.cache/pip", "~/.conda", path.Join(path.Dir(own), "pkgs"))
	}
	quoted := func(words ...string) string {
		for i, w := range words {
			words[i] = escape.Word(w)
		}
		return strings.Join(words, " ")
	}
	return `"$@" || exit
for python in ` + quoted(path.Join(own, "python"), path.Join(p.prefix(), "bin/python"), "python3") + `; do
if command -v "$python" >/dev/null; then exec "$python" ` + quoted(words...) + `; fi
done
echo "amlfix: there is no Python that could remove secrets from the environment" >&2
exit 1`
}

// lists returns the contents of the requirements files.
func (r Recipe) lists() (texts [][]byte) {
	for _, f := range r.Files {
		if f.Text != nil {
			texts = append(texts, f.Text)
		}
	}
	return texts
}

// masked returns text without the secrets.
func masked(text string, secrets []string) string {
	for _, s := range secrets {
		text = strings.ReplaceAll(text, s, secret.Mask)
	}
	return text
}

// hideFrom returns streams that mask the secrets, and a function that flushes what is still held back. A tool's output
// is passed on at once, except for an end that may be the beginning of a secret.
func hideFrom(out process.Streams, secrets []string) (hidden process.Streams, flush func()) {
	if len(secrets) == 0 {
		return out, func() {}
	}
	stdout, stderr := &hider{w: out.Stdout, secrets: secrets}, &hider{w: out.Stderr, secrets: secrets}
	return process.Streams{Stdout: stdout, Stderr: stderr}, func() { stdout.flush(); stderr.flush() }
}

type hider struct {
	w       io.Writer
	secrets []string // longest first
	held    []byte
}

// Write never fails: errors of the underlying writer do not affect the tool.
func (h *hider) Write(p []byte) (int, error) {
	h.held = append(h.held, p...)
	for i := 0; i < len(h.held); {
		rest := h.held[i:]
		if n, whole := h.at(rest); whole {
			h.held = append(h.held[:i], append([]byte(secret.Mask), rest[n:]...)...)
			i += len(secret.Mask)
		} else if n > 0 { // the rest may turn out to be a secret
			h.pass(i)
			return len(p), nil
		} else {
			i++
		}
	}
	h.pass(len(h.held))
	return len(p), nil
}

// at returns the length of the secret at the start of text, or of the part of text that may begin one.
func (h *hider) at(text []byte) (n int, whole bool) {
	for _, s := range h.secrets {
		switch {
		case bytes.HasPrefix(text, []byte(s)):
			return len(s), true
		case strings.HasPrefix(s, string(text)):
			return len(text), false
		}
	}
	return 0, false
}

func (h *hider) pass(n int) {
	if h.w != nil && n > 0 {
		_, _ = h.w.Write(h.held[:n])
	}
	h.held = append(h.held[:0], h.held[n:]...)
}

// flush passes on what is held back, which may contain a secret that is a prefix of a longer one.
func (h *hider) flush() {
	h.held = []byte(masked(string(h.held), h.secrets))
	h.pass(len(h.held))
}
