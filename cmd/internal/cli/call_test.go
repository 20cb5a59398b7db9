package cli

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestCall checks that all names of a flag get the value given for one of them, and that errors name the command.
func TestCall(t *testing.T) {
	type flags struct {
		Tags, T, Args []string
		Deep, D       int
		Given         bool
	}
	for _, tt := range []struct {
		name string
		args []string
		want flags
		err  string
	}{
		{"nothing", nil, flags{}, ""},
		{"long names", []string{"--tag", "a", "--tag", "b,c", "--deep", "3", "--", "x", "--y"}, flags{Tags: []string{"a", "b", "c"}, T: []string{"a", "b", "c"}, Deep: 3, D: 3, Given: true, Args: []string{"x", "--y"}}, ""},
		{"short names", []string{"-t", "a", "-d=4"}, flags{Tags: []string{"a"}, T: []string{"a"}, Deep: 4, D: 4, Given: true}, ""},
		{"both names", []string{"-d", "4", "--deep", "4"}, flags{}, "the same flag is given twice: d and deep"},
		{"no number", []string{"--deep", "x"}, flags{}, `invalid value "x" for flag --deep: it is not a whole number`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got flags
			c := Command{
				Name: "dig", Flags: []Flag{&StringSliceFlag{Name: "tag", Aliases: []string{"t"}}, &IntFlag{Name: "deep", Aliases: []string{"d"}}},
				Action: func(ctx *Context) error {
					got = flags{Tags: ctx.StringSlice("tag"), T: ctx.StringSlice("t"), Deep: ctx.Int("deep"), D: ctx.Int("d"), Given: ctx.IsSet("deep"), Args: ctx.Args().Slice()}
					return nil
				},
			}
			said := ""
			if err := c.call(context.Background(), nil, tt.args); err != nil {
				said = err.Error()
			}
			testkit.Same(t, tt.err, said)
			if d := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); d != "" {
				t.Error(d)
			}
		})
	}
}
