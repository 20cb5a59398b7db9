package argparse

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/python"
)

// argument reads a call of add_argument; ok is false if its names are not literal.
func argument(c python.Call) (arguments []Argument, ok bool) {
	a := Argument{Min: 1, Max: 1, Type: "str"}
	if c.Open {
		return nil, false
	}
	for _, p := range c.Positional {
		text, ok := python.Literal(p)
		if !ok || text == "" {
			return nil, false
		}
		a.Names = append(a.Names, text)
	}
	const mostNames, mostChoices = 16, 500 // people write fewer, and each takes time
	if len(a.Names) > mostNames {
		return nil, false
	}
	if len(a.Names) == 0 {
		dest, ok := python.Literal(c.Keywords["dest"])
		if !ok {
			return nil, false
		}
		a.Names = []string{dest}
	}
	a.Positional = !strings.HasPrefix(a.Names[0], "-")
	if _, twice := c.Keywords["dest"]; a.Positional && (len(a.Names) > 1 || twice && len(c.Positional) > 0) || slices.ContainsFunc(a.Names, func(n string) bool { return strings.HasPrefix(n, "-") == a.Positional }) {
		// Python rejects the call itself
		return nil, false
	}
	a.count(c)
	a.required(c)
	if t, given := c.Keywords["type"]; given {
		if a.Type = python.Written(t); a.Type != "int" && a.Type != "float" && a.Type != "str" {
			a.Type = ""
		}
	}
	if choices, given := c.Keywords["choices"]; given {
		if a.Choices, _ = python.List(choices); len(a.Choices) > mostChoices {
			a.Choices = nil
		}
	}
	return []Argument{a}, true
}

// count sets how many values the argument takes.
func (a *Argument) count(c python.Call) {
	action, literally := "store", true
	if t, given := c.Keywords["action"]; given {
		if action, literally = python.Literal(t); !literally && strings.HasSuffix(python.Written(t), "BooleanOptionalAction") {
			action, literally = "boolean", true
			for _, n := range slices.Clone(a.Names) {
				if long, ok := strings.CutPrefix(n, "--"); ok {
					a.Names = append(a.Names, "--no-"+long)
				}
			}
		}
	}
	switch action {
	case "store", "append", "extend":
	case "store_const", "append_const", "store_true", "store_false", "count", "boolean":
		a.Min, a.Max = 0, 0
		return
	case "help", "version":
		a.Min, a.Max, a.Ends = 0, 0, true
		return
	default:
		literally = false
	}
	nargs, given := c.Keywords["nargs"]
	text, quoted := python.Literal(nargs)
	n, counted := python.Whole(nargs)
	switch {
	case !given && literally:
	case counted:
		a.Min, a.Max = n, n
	case quoted && text == "?", quoted && text == "*", quoted && text == "+":
		a.Min, a.Max = map[string]int{"+": 1}[text], map[string]int{"?": 1, "*": -1, "+": -1}[text]
	case given && python.Written(nargs) == "None" && literally:
	case quoted && (text == "..." || text == "A..."), strings.HasSuffix(python.Written(nargs), "REMAINDER"), strings.HasSuffix(python.Written(nargs), "PARSER"):
		a.Rest = true
	default:
		a.Min, a.Max, a.Type = 0, -1, ""
	}
}

func (a *Argument) required(c python.Call) {
	switch t, given := c.Keywords["required"]; {
	case a.Positional || !given || python.Written(t) == "False":
	case python.Written(t) == "True":
		a.Required = true
	default:
		a.Maybe = true
	}
	if dest, given := c.Keywords["default"]; a.Positional && given && strings.HasSuffix(python.Written(dest), "SUPPRESS") {
		a.Min = 0
	}
}
