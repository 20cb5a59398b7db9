package cli

import (
	"context"
	"flag"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/amlfix/amlfix/cmd/internal/console"
)

// call reads the flags before the operands and runs the command. It does not use the library's own App.Run, which
// prints help with text/template: that finds methods by name, so the linker would keep every method of every type.
func (c *Command) call(ctx context.Context, before func(*Context) error, args []string) error {
	set := flag.NewFlagSet(c.Name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	for _, f := range c.Flags {
		if err := f.Apply(set); err != nil {
			return console.Usage(c.Name, "%s", plainFlagError(err))
		}
	}
	if err := set.Parse(args); err != nil {
		return console.Usage(c.Name, "%s", plainFlagError(err))
	}
	if err := c.shareValues(set); err != nil {
		return err
	}
	called := cli.NewContext(nil, set, nil)
	// Without Flags: all names of a flag are set, and the library would look for more with a pattern for each name.
	called.Context, called.Command = ctx, &cli.Command{Name: c.Name}
	if before != nil {
		if err := before(called); err != nil {
			return err
		}
	}
	return c.Action(called)
}

// shareValues gives all names of a flag the value that was given for one of them.
func (c *Command) shareValues(set *flag.FlagSet) error {
	given := map[string]*flag.Flag{}
	set.Visit(func(f *flag.Flag) { given[f.Name] = f })
	if len(given) == 0 {
		return nil // as most often
	}
	for _, f := range c.Flags {
		var one *flag.Flag
		for _, name := range f.Names() {
			switch {
			case given[name] == nil:
			case one != nil:
				return console.Usage(c.Name, "the same flag is given twice: %s and %s", name, one.Name)
			default:
				one = given[name]
			}
		}
		if one == nil {
			continue
		}
		value := one.Value.String()
		if list, ok := one.Value.(cli.Serializer); ok {
			value = list.Serialize()
		}
		for _, name := range f.Names() {
			if name != one.Name {
				_ = set.Set(name, value) // the flag has accepted it before
			}
		}
	}
	return nil
}

// plainFlagError rewords an error of the flag parser for people. Names of flags and missing values have been checked
// before, so only invalid values remain.
func plainFlagError(err error) string {
	text := strings.ReplaceAll(err.Error(), "flag -", "flag --")
	if said, ok := strings.CutSuffix(text, ": parse error"); ok {
		return said + ": it is not a whole number" // no flag of another type has values that can be invalid
	}
	return text
}
