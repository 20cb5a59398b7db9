package binding_test

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/binding"
)

var values = map[string]binding.Value{
	"inputs.n":       {Text: "3"},
	"inputs.nasty":   {Text: "it's \"$HOME\" `id` \\ *"},
	"inputs.empty":   {},
	"inputs.lines":   {Text: "x\nshow y"},
	"inputs.command": {Text: "$(echo b)"},
	"inputs.data":    {Variable: "WORK", Text: "/in/my data"},
	"inputs.root":    {Variable: "WORK"},
}

func expand(t *testing.T, command string) (string, error) {
	t.Helper()
	return binding.Expand(command, func(name string) (binding.Value, bool) { v, ok := values[name]; return v, ok })
}

// TestExpandForTheShell checks with a real shell that each value arrives unchanged in its word, whatever quotes are
// around it.
func TestExpandForTheShell(t *testing.T) {
	t.Parallel()
	const nasty, data = "it's \"$HOME\" `id` \\ *", "/a  'b\"/in/my data"
	for command, want := range map[string][]string{
		"show ${{inputs.n}}":                                   {"3"},
		"show --a=${{inputs.nasty}}":                           {"--a=" + nasty},
		`show "${{inputs.nasty}}"`:                             {nasty},
		`show 'x ${{inputs.nasty}} y'`:                         {"x " + nasty + " y"},
		`show ${{inputs.data}}`:                                {data},
		`show "${{inputs.data}}/*.csv" '${{ inputs.data }}'x`:  {data + "/*.csv", data + "x"},
		"show ${{inputs.empty}} ${{inputs.root}}":              {"", "/a  'b\""},
		"show \"$(echo ${{inputs.data}})\"":                    {data},
		"show \"$(echo \"${{inputs.nasty}}\")\" ${{inputs.n}}": {nasty, "3"},
		"show `echo '${{inputs.n}}'` ${{inputs.nasty}}":        {"3", nasty},
		"show a $[[--n ${{inputs.n}}]] b":                      {"a", "--n", "3", "b"},
		"show a $[[--n ${{inputs.gone}}]] b":                   {"a", "b"},
		"show a $[[--n '${{inputs.nasty}}']]":                  {"a", "--n", nasty},
		"show a $[[--n ${{inputs.gone}} ${{inputs.n}}]]b":      {"a", "b"},
		"# don't\nshow ${{inputs.nasty}}":                      {nasty},
		"show ${{inputs.n}} \\\n  --x \\\n ${{inputs.data}}\n": {"3", "--x", data},
		"show \\\"${{inputs.nasty}}":                           {"\"" + nasty},
		"(show ${{inputs.nasty}})":                             {nasty},
		"show it\\'s ${{inputs.nasty}}":                        {"it's", nasty},
		"show a # ${{inputs.n}} isn't\nshow ${{inputs.nasty}}": {"a", nasty},
		"show a # ${{inputs.lines}}\nshow b":                   {"a", "b"},
		"show ${{inputs.n}}#\"${{inputs.nasty}}\"":             {"3#" + nasty},
		"show \"$(# don't\necho ${{inputs.nasty}})\"":          {nasty},
		"show \\${{inputs.nasty}} \\\\${{inputs.n}}":           {nasty, `\3`},
		`show "\${{inputs.nasty}}" '\${{inputs.n}}'`:           {`\` + nasty, `\3`},
		"show \\${{inputs.command}} \"\\${{inputs.command}}\"": {"$(echo b)", `\$(echo b)`},
		"show '${{inputs.n}' ${{inputs.n}}":                    {"${{inputs.n}", "3"},
		"case a in a) show ${{inputs.nasty}};; esac":           {nasty},
	} {
		got, err := expand(t, command)
		if err != nil {
			t.Errorf("%s: %v", command, err)
			continue
		}
		cmd := exec.Command("sh", "-c", `show() { for a; do printf '%s\n' "$a"; done; }`+"\n"+got)
		cmd.Env = []string{"WORK=/a  'b\"", "PATH=/usr/bin:/bin"}
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("%s: %s: %v", command, got, err)
		}
		if diff := cmp.Diff(want, strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")); diff != "" && strings.Join(want, "\n")+"\n" != string(out) {
			t.Errorf("%s\nbecame %s\n%s", command, got, diff)
		}
	}
}

// TestExpandUnknown checks that only expressions in $[[…]] may lack a value, and that what is not an expression to
// Azure ML is not changed.
func TestExpandUnknown(t *testing.T) {
	t.Parallel()
	_, err := expand(t, "show $[[${{inputs.gone}}]] ${{outputs.none}}")
	unknown, ok := errors.AsType[*binding.UnknownError](err)
	if !ok || unknown.Name != "outputs.none" {
		t.Errorf("%v", err)
	}
	for _, plain := range []string{"${inputs.data}", "a $[[ b", "$HOME ${x} {{inputs.n}}", ""} {
		if got, err := expand(t, plain); err != nil || got != plain {
			t.Errorf("%q became %q: %v", plain, got, err)
		}
	}
}
