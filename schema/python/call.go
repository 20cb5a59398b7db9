package python

import (
	"strconv"
	"strings"
)

// Call is the arguments of a call.
type Call struct {
	Positional [][]Token
	Keywords   map[string][]Token
	Open       bool // an argument has "*" in front
	Star       bool // an argument has a single "*"
	End        int  // the index of the last bracket
}

// CallAt reads the arguments of a call; at is the index of its first bracket.
func CallAt(tokens []Token, at int) (c Call, ok bool) {
	c.Keywords = map[string][]Token{}
	depth, begin := 0, at+1
	for i := at; i < len(tokens); i++ {
		depth += Bracket(tokens[i])
		if depth > 1 || depth == 1 && (tokens[i].Kind != Operator || tokens[i].Text != ",") {
			continue
		}
		if i > begin {
			c.add(tokens[begin:i])
		}
		begin = i + 1
		if depth == 0 {
			c.End = i
			return c, true
		}
	}
	return c, false
}

func (c *Call) add(argument []Token) {
	switch {
	case argument[0].Kind == Operator && (argument[0].Text == "*" || argument[0].Text == "**"):
		c.Open, c.Star = true, c.Star || argument[0].Text == "*"
	case len(argument) > 2 && argument[0].Kind == Name && argument[1].Kind == Operator && argument[1].Text == "=":
		c.Keywords[argument[0].Text] = argument[2:]
	default:
		c.Positional = append(c.Positional, argument)
	}
}

// Literal returns the value of a string expression, which may consist of adjacent literals.
func Literal(tokens []Token) (text string, ok bool) {
	tokens = Bare(tokens)
	var b strings.Builder
	for _, t := range tokens {
		if t.Kind != String {
			return "", false
		}
		b.WriteString(t.Text)
	}
	return b.String(), len(tokens) > 0
}

// Bare returns an expression without the brackets around it.
func Bare(tokens []Token) []Token {
	const most = 3 // nobody writes more, and each level reads all tokens again
	for n := 0; n < most && len(tokens) > 2 && tokens[0].Text == "(" && tokens[0].Kind == Operator && tokens[len(tokens)-1].Text == ")"; n++ {
		if c, ok := CallAt(tokens, 0); !ok || c.End != len(tokens)-1 || len(c.Positional) != 1 || len(c.Keywords) > 0 {
			return tokens
		}
		if tokens[len(tokens)-2].Text == "," {
			return tokens
		}
		tokens = tokens[1 : len(tokens)-1]
	}
	return tokens
}

// Written returns the source of an expression, without spaces.
func Written(tokens []Token) string {
	var b strings.Builder
	for _, t := range tokens {
		if t.Kind == String || t.Kind == Other {
			return ""
		}
		b.WriteString(t.Text)
	}
	return b.String()
}

// List returns the strings and integers in a list, a tuple or a set.
func List(tokens []Token) (values []string, ok bool) {
	if len(tokens) < 2 || tokens[0].Kind != Operator || strings.IndexByte("[({", tokens[0].Text[0]) < 0 {
		return nil, false
	}
	c, ok := CallAt(tokens, 0)
	if !ok || c.Open || c.End != len(tokens)-1 || len(c.Keywords) > 0 || len(c.Positional) == 0 {
		return nil, false
	}
	if tokens[0].Text == "(" && len(c.Positional) == 1 && tokens[len(tokens)-2].Text != "," {
		return nil, false // parentheses around one value
	}
	for _, item := range c.Positional {
		text, ok := Literal(item)
		if !ok {
			if len(item) != 1 || item[0].Kind != Number || strings.Trim(item[0].Text, "0123456789") != "" {
				return nil, false
			}
			text = item[0].Text
		}
		values = append(values, text)
	}
	return values, true
}

// Whole returns the value of an integer expression.
func Whole(tokens []Token) (n int, ok bool) {
	if len(tokens) != 1 || tokens[0].Kind != Number {
		return 0, false
	}
	n, err := strconv.Atoi(tokens[0].Text)
	return n, err == nil
}
