package argparse

import (
	"strconv"
	"strings"
)

// call is what a function is given.
type call struct {
	positional [][]token
	keywords   map[string][]token
	open       bool // something with "*" in front
	end        int  // the index of the last bracket
}

// callAt reads the arguments of a call; at is the index of its first bracket.
func callAt(tokens []token, at int) (c call, ok bool) {
	c.keywords = map[string][]token{}
	depth, begin := 0, at+1
	for i := at; i < len(tokens); i++ {
		depth += bracket(tokens[i])
		if depth > 1 || depth == 1 && (tokens[i].kind != op || tokens[i].text != ",") {
			continue
		}
		if i > begin {
			c.add(tokens[begin:i])
		}
		begin = i + 1
		if depth == 0 {
			c.end = i
			return c, true
		}
	}
	return c, false
}

func (c *call) add(argument []token) {
	switch {
	case argument[0].text == "*" || argument[0].text == "**":
		c.open = true
	case len(argument) > 2 && argument[0].kind == name && argument[1].kind == op && argument[1].text == "=":
		c.keywords[argument[0].text] = argument[2:]
	default:
		c.positional = append(c.positional, argument)
	}
}

// literal returns the string that an expression is, which may be written in pieces.
func literal(tokens []token) (text string, ok bool) {
	tokens = bare(tokens)
	var b strings.Builder
	for _, t := range tokens {
		if t.kind != str {
			return "", false
		}
		b.WriteString(t.text)
	}
	return b.String(), len(tokens) > 0
}

// bare returns an expression without the brackets around it.
func bare(tokens []token) []token {
	const most = 3 // deeper ones are not written by people, and each takes a look at all
	for n := 0; n < most && len(tokens) > 2 && tokens[0].text == "(" && tokens[0].kind == op && tokens[len(tokens)-1].text == ")"; n++ {
		if c, ok := callAt(tokens, 0); !ok || c.end != len(tokens)-1 || len(c.positional) != 1 || len(c.keywords) > 0 {
			return tokens
		}
		if tokens[len(tokens)-2].text == "," {
			return tokens
		}
		tokens = tokens[1 : len(tokens)-1]
	}
	return tokens
}

// written returns an expression as it is written, without spaces.
func written(tokens []token) string {
	var b strings.Builder
	for _, t := range tokens {
		if t.kind == str || t.kind == other {
			return ""
		}
		b.WriteString(t.text)
	}
	return b.String()
}

// list returns the strings and whole numbers of a list, a tuple or a set.
func list(tokens []token) (values []string, ok bool) {
	if len(tokens) < 2 || tokens[0].kind != op || strings.IndexByte("[({", tokens[0].text[0]) < 0 {
		return nil, false
	}
	c, ok := callAt(tokens, 0)
	if !ok || c.open || c.end != len(tokens)-1 || len(c.keywords) > 0 || len(c.positional) == 0 {
		return nil, false
	}
	if tokens[0].text == "(" && len(c.positional) == 1 && tokens[len(tokens)-2].text != "," {
		return nil, false // brackets around one value
	}
	for _, item := range c.positional {
		text, ok := literal(item)
		if !ok {
			if len(item) != 1 || item[0].kind != number || strings.Trim(item[0].text, "0123456789") != "" {
				return nil, false
			}
			text = item[0].text
		}
		values = append(values, text)
	}
	return values, true
}

// whole returns the whole number that an expression is.
func whole(tokens []token) (n int, ok bool) {
	if len(tokens) != 1 || tokens[0].kind != number {
		return 0, false
	}
	n, err := strconv.Atoi(tokens[0].text)
	return n, err == nil
}
