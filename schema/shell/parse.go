package shell

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema/binding"
)

// Parse returns the simple commands of a text in order. The error says what is not supported: loops, conditions,
// functions, here-documents and other parts of the language that hardly any job uses.
func Parse(text string) ([]Command, error) {
	p := parsed(text)
	return p.commands, p.err
}

// parsed returns the parser of a text at its end, or at what it does not support.
func parsed(text string) *parser {
	p := &parser{text: text, bindings: binding.Parse(text), lastGroup: strings.LastIndex(text, "]]")}
	for p.at < len(p.text) && p.err == nil {
		p.step()
	}
	p.endCommand("")
	return p
}

// reserved are the words that begin something other than a simple command.
var reserved = []string{"if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "function", "select", "{", "}", "!", "[[", "coproc"}

type parser struct {
	text      string
	at        int
	bindings  []binding.Expression // that have not been reached yet
	lastGroup int                  // the offset of the last "]]"
	group     int                  // the number of the current $[[…]]
	groups    int
	groupEnd  int

	commands []Command
	current  Command
	install  installation // of the current command
	word     *Word
	texts    [][]byte // of the parts of the word, which are appended to
	file     bool     // the next word is the file of a redirection
	err      error
	faults   []Fault
}

func (p *parser) rest() string { return p.text[p.at:] }

func (p *parser) has(prefix string) bool { return strings.HasPrefix(p.rest(), prefix) }

func (p *parser) fail(what string) { p.err = fmt.Errorf("%s is not understood", what) }

// step parses the next token, whatever it is.
func (p *parser) step() {
	switch c := p.text[p.at]; {
	case p.group > 0 && p.at == p.groupEnd:
		p.group = 0
		p.at += len("]]")
	case c == ' ' || c == '\t' || c == '\r':
		p.endWord()
		p.at++
	case c == '\n':
		p.endCommand("\n")
		p.at++
	case c == '#' && p.word == nil:
		p.at += lineEnd(p.rest())
	case c == '\\' && p.at+1 == len(p.text): // Azure ML may add a line end after it
		p.at++
	case c == '\\' && (p.has("\\\n") || p.has("\\\r\n")):
		p.at += 1 + lineEnd(p.rest()[1:]) + 1
	case c == '\\':
		start := p.at
		p.at += 2
		p.add(Part{Text: p.text[p.at-1 : p.at], Quoted: true}, start)
	case c == '\'':
		p.single()
	case c == '"':
		p.double()
	case c == '$' || c == '`':
		p.expansion(false)
	case strings.IndexByte("&|;()<>", c) >= 0:
		p.operator()
	default:
		n := strings.IndexAny(p.rest(), " \t\r\n\\'\"$`&|;()<>]")
		switch {
		case n < 0:
			n = len(p.rest())
		case n == 0:
			n = 1
		}
		text := p.text[p.at : p.at+n]
		p.lookalikes(text, p.at)
		p.at += n
		p.add(Part{Text: text}, p.at-n)
	}
}

func lineEnd(text string) int {
	if n := strings.IndexByte(text, '\n'); n >= 0 {
		return n
	}
	return len(text)
}

// mostCommands is the maximum number of commands in a command line, far more than people write: each takes 200 bytes.
const mostCommands = 20_000

func (p *parser) endCommand(operator string) {
	p.endWord()
	if p.file && p.err == nil {
		p.fail("a redirection without a file")
	}
	c := p.current
	p.current, p.install = Command{}, installation{}
	if len(c.Words)+len(c.Assignments)+len(c.Files) == 0 {
		if operator != "" && operator != "\n" {
			p.fault(Leading, p.at-len(operator), p.at)
		}
		if last := len(p.commands) - 1; operator != "" && operator != "\n" && last >= 0 && p.commands[last].Operator == "\n" {
			p.commands[last].Operator = operator
		}
		return
	}
	c.Operator = operator
	if p.commands = append(p.commands, c); len(p.commands) == mostCommands {
		p.fail("so long a list of commands")
	}
}

// operator parses command separators and redirections.
func (p *parser) operator() {
	for _, op := range []string{"<<", "<(", ">(", "((", "(", ")", ";;"} {
		if p.has(op) {
			p.fail(fmt.Sprintf("%q", op))
			return
		}
	}
	if n := 1 + nameLength(p.rest()[1:]); n > 1 && p.has("<") && strings.HasPrefix(p.rest()[n:], ">") {
		p.fail("a place to be filled in")
		return
	}
	for _, op := range []string{"&>>", "&>", ">>", ">&", ">|", "<&", "<>", "<", ">"} {
		if p.has(op) {
			p.redirection(len(op))
			return
		}
	}
	for _, op := range []string{"&&", "||", "|&", ";", "&", "|"} {
		if p.has(op) {
			p.at += len(op)
			if op == "|&" {
				op = "|"
			}
			p.endCommand(op)
			return
		}
	}
}

func (p *parser) redirection(length int) {
	if w := p.word; w != nil && len(w.Parts) == 1 && w.Parts[0].Kind == Text && !w.Parts[0].Quoted && strings.Trim(string(p.texts[0]), "0123456789") == "" {
		p.word = nil // the number of a file descriptor
	}
	if length == 1 {
		p.cut()
	}
	p.endWord()
	if p.file && p.err == nil {
		p.fail("a redirection without a file")
	}
	p.at += length
	p.file = true
}
