package secret

import (
	"bytes"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// keyCommands are commands that take a key as their argument, and the key's name. Source: the reference of wandb's
// command line.
var keyCommands = [...][2]string{{"wandb login", "a Weights & Biases key"}}

// shortestArgument is the minimum length, in bytes, of such a key: wandb's have 40. A shorter word is an option's
// value, or prose.
const shortestArgument = 32

// inKey is the set of letters in such a key.
var inKey = plain.Once[*[256]bool]{Make: func() *[256]bool { return letters(nameLetters[:62] + "_") }}

// positional finds keys that are arguments of commands, possibly after options.
func positional(text []byte, found []Token) []Token {
	for _, row := range keyCommands {
		command, what := row[0], row[1]
		for at := 0; ; {
			i := bytes.Index(text[at:], []byte(command))
			if i < 0 {
				break
			}
			start := at + i
			at = start + len(command)
			line, _, _ := bytes.Cut(text[at:min(at+maxCommand, len(text))], []byte("\n"))
			for from := 0; from < len(line); {
				from += len(line[from:]) - len(bytes.TrimLeft(line[from:], " \t\"'"))
				end := from
				end += run(inKey.Get(), line[end:])
				if end-from >= shortestArgument && (from == 0 || line[from-1] != '-') {
					found = add(found, text, Token{Kind: Vendor, What: what, Span: source.Span{Start: start, End: at + end}, Value: source.Span{Start: at + from, End: at + end}})
					break
				}
				if from = end; end < len(line) && strings.IndexByte(";&|#", line[end]) >= 0 {
					break // another command
				}
				if next := bytes.IndexAny(line[from:], " \t"); next >= 0 {
					from += next
				} else {
					break
				}
			}
		}
	}
	return found
}
