package binding_test

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/binding"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestParse(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                    nil,
		"python train.py":                     nil,
		"--a ${{inputs.a}}":                   {"inputs.a ${{inputs.a}}"},
		"${{ inputs.a }}${{outputs.b}}":       {"inputs.a ${{ inputs.a }}", "outputs.b ${{outputs.b}}"},
		"${{parent.jobs.x.outputs.y}}":        {"parent.jobs.x.outputs.y ${{parent.jobs.x.outputs.y}}"},
		"$[[--a ${{inputs.a}}]] ${{name}}":    {"optional inputs.a ${{inputs.a}}", "name ${{name}}"},
		"$[[ --a ${{inputs.a}} ${{inputs.b}}": {"inputs.a ${{inputs.a}}", "inputs.b ${{inputs.b}}"},
		"${inputs.a}":                         {"broken inputs.a ${inputs.a}"},
		"${inputs.a}} x":                      {"broken inputs.a ${inputs.a}}"},
		"${{inputs.a} x":                      {"broken inputs.a ${{inputs.a}"},
		"--a ${{inputs.a --b":                 {"broken inputs.a ${{inputs.a"},
		"${HOME} ${inputs} ${inputs:-x}":      nil,
		"${inputs.a:-x} ${inputs[0]}":         nil,
		"${{{inputs.a}}}":                     nil,
		"{{inputs.a}} #{inputs.a}# $inputs.a": nil,
		"${{search_space.lr}}}":               {"search_space.lr ${{search_space.lr}}"},
		"${{ }}":                              nil,
		"${{a b}}":                            nil,
		"${{inputs.a | b}} ${{inputs['a']}}":  nil,
		"${{inputs.a | b ${{inputs.c}}":       {"broken inputs.a ${{inputs.a", "inputs.c ${{inputs.c}}"},
		"$":                                   nil,
		"${":                                  nil,
	} {
		var got []string
		for _, e := range binding.Parse(text) {
			line := e.Name + " " + text[e.Span.Start:e.Span.End]
			if e.Optional {
				line = "optional " + line
			}
			if e.Broken {
				line = "broken " + line
			}
			got = append(got, line)
		}
		testkit.Same(t, want, got, "%q", text)
	}
}

func TestParent(t *testing.T) {
	for name, want := range map[string][2]string{
		"parent.inputs.a": {"", "a"}, "parent.jobs.fit.outputs.model": {"fit", "model"},
		"inputs.a": {}, "parent.outputs.a": {}, "parent.inputs": {}, "parent.inputs.a.b": {}, "parent.jobs.fit.inputs.a": {}, "parent.jobs.fit.outputs": {}, "": {},
	} {
		step, data, ok := binding.Parent(name)
		testkit.Same(t, want, [2]string{step, data}, "%q", name)
		testkit.Same(t, want[1] != "", ok, "%q", name)
	}
}

func TestUnread(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                                                nil,
		"--a {inputs.a} --b {outputs.b}":                                  {"inputs.a {inputs.a}", "outputs.b {outputs.b}"},
		"{ search_space.lr }}}":                                           {"search_space.lr { search_space.lr }}"},
		"${inputs.a} ${{inputs.a}}":                                       nil,
		"#{inputs.a}# #{{inputs.a}} {a} {}":                               nil,
		"{inputs} {inputs.} {inputs.a,b}":                                 nil,
		"{inputs.a":                                                       nil,
		`f({"a": {inputs.a}})`:                                            {"inputs.a {inputs.a}}"},
		"{{inputs.a}} {{{ inputs.a }}}":                                   {"inputs.a {{inputs.a}}", "inputs.a {{{ inputs.a }}}"},
		"${{inputs['a']}} ${{ inputs[a] }}":                               {"dollar inputs.a ${{inputs['a']}}", "dollar inputs.a ${{ inputs[a] }}"},
		"${{parent/inputs/a}} ${{a['b']}}":                                {"dollar parent.inputs.a ${{parent/inputs/a}}"},
		"${{inputs.a | b}} ${{inputs.a b}":                                {"dollar inputs.a ${{inputs.a | b}}"},
		"$ {{inputs.a}} ${{{inputs.a}}}":                                  {"dollar inputs.a $ {{inputs.a}}", "dollar inputs.a ${{{inputs.a}}}"},
		"$inputs.a/b $inputs.a. $inputs $input.a \\$inputs.a":             {"dollar inputs.a $inputs.a", "dollar inputs.a $inputs.a"},
		"$[inputs.a] $[[inputs.a] $[[--a ${{inputs.a}}]] [inputs.a]":      {"dollar inputs.a $[inputs.a]"},
		"$[[inputs.a]] $[[ outputs.b ]]] [[inputs.a]] $[[--a inputs.a]]":  {"dollar inputs.a $[[inputs.a]]", "dollar outputs.b $[[ outputs.b ]]"},
		"$(inputs.a) $((inputs.a)) (inputs.a) $ (inputs.a) $(inputs.a b)": {"dollar inputs.a $(inputs.a)", "dollar inputs.a $((inputs.a))"},
	} {
		var got []string
		for _, e := range binding.Unread(text) {
			if !e.Broken {
				t.Errorf("%q: %+v is whole", text, e)
			}
			line := e.Name + " " + text[e.Span.Start:e.Span.End]
			if !e.Bare {
				line = "dollar " + line
			}
			got = append(got, line)
		}
		testkit.Same(t, want, got, "%q", text)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"${{inputs.a}}", "$[[--a ${{inputs.a}}]]", "${inputs.a}", "${{ inputs.a", "$[[${{${{"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, e := range binding.Parse(text) {
			if e.Span.Start < last || e.Span.End <= e.Span.Start || e.Span.End > len(text) {
				t.Fatalf("%q: span %v after %d", text, e.Span, last)
			}
			last = e.Span.End
			written := text[e.Span.Start:e.Span.End]
			if e.Name == "" || !strings.HasPrefix(written, "${") || !strings.Contains(written, e.Name) || e.Broken == (strings.HasPrefix(written, "${{") && strings.HasSuffix(written, "}}")) {
				t.Fatalf("%q: %+v is %q", text, e, written)
			}
		}
	})
}
