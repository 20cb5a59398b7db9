package ui

import (
	"io"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// environment returns a lookup function for variables written as "A=1 B=2".
func environment(text string) func(string) string {
	set := map[string]string{}
	for word := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(word, "=")
		set[name] = value
	}
	return func(name string) string { return set[name] }
}

func TestKnownToLink(t *testing.T) {
	for env, want := range map[string]bool{
		"": false, "TERM=xterm-256color": false, "TERM=linux": false,
		"TERM=xterm-kitty": true, "TERM=foot": true, "TERM=alacritty": true,
		"VTE_VERSION=7600 TERM=xterm-256color": true, "VTE_VERSION=5000": false, "VTE_VERSION=x": false,
		"TERM_PROGRAM=iTerm.app TERM_PROGRAM_VERSION=3.5.0": true, "TERM_PROGRAM=iTerm.app TERM_PROGRAM_VERSION=2.9": false, "TERM_PROGRAM=iTerm.app": false,
		"TERM_PROGRAM=vscode TERM_PROGRAM_VERSION=1.104.2": true, "TERM_PROGRAM=vscode TERM_PROGRAM_VERSION=1.71.9": false,
		"TERM_PROGRAM=WezTerm TERM_PROGRAM_VERSION=20240203-110809-5046fc22": true,
		"TERM_PROGRAM=Apple_Terminal TERM_PROGRAM_VERSION=455":               false,
		"WT_SESSION=a-b": true, "KONSOLE_VERSION=220401": true, "KONSOLE_VERSION=190000": false,
		"VTE_VERSION=7600 TERM=screen-256color":                                                    false,
		"TMUX=/tmp/x VTE_VERSION=7600 TERM=xterm":                                                  false,
		"TMUX=/tmp/x VTE_VERSION=7600 TERM=screen-256color":                                        false,
		"TMUX=/tmp/x TERM=tmux-256color TERM_PROGRAM=tmux TERM_PROGRAM_VERSION=3.4a":               true,
		"TMUX=/tmp/x TERM=tmux-256color TERM_PROGRAM=tmux TERM_PROGRAM_VERSION=3.3a VTE_VERSION=7": false,
	} {
		testkit.Same(t, want, knownToLink(environment(env)), "%q", env)
	}
}

func TestLinked(t *testing.T) {
	for _, tt := range []struct {
		mode ColourMode
		env  string
		want bool
	}{
		{ColourAuto, "TERM=xterm-kitty", false}, // the output is not a terminal
		{ColourAlways, "TERM=xterm-kitty", false},
		{ColourAuto, "FORCE_HYPERLINK=1", true},
		{ColourAuto, "FORCE_HYPERLINK=0", false},
		{ColourNever, "FORCE_HYPERLINK=1", false},
		{ColourAuto, "FORCE_HYPERLINK=1 TERM=dumb", false},
	} {
		testkit.Same(t, tt.want, Linked(tt.mode, io.Discard, environment(tt.env)), "%s, %q", tt.mode, tt.env)
	}
	if got, want := NewStyle(false).Linking(true).Link("https://x/y", "y"), "\x1b]8;;https://x/y\x1b\\y\x1b]8;;\x1b\\"; got != want {
		t.Errorf("%q", got)
	}
	testkit.Same(t, "y", NewStyle(true).Link("https://x/y", "y"), "a link that nobody asked for")
}

// TestColouredByVariables checks the documented order of precedence.
func TestColouredByVariables(t *testing.T) {
	for env, want := range map[string]bool{
		"": false, "TERM=xterm": false,
		"FORCE_COLOR=1": true, "FORCE_COLOR=3": true, "FORCE_COLOR=true": true, "FORCE_COLOR=0": false, "FORCE_COLOR=false": false,
		"CLICOLOR_FORCE=1": true, "CLICOLOR_FORCE=0": false,
		"FORCE_COLOR=0 CLICOLOR_FORCE=1": false, "FORCE_COLOR=1 CLICOLOR_FORCE=0": true, "FORCE_COLOR=1 TERM=dumb": true, "CLICOLOR_FORCE=1 CLICOLOR=0": true,
		"NO_COLOR=1 FORCE_COLOR=1": false, "NO_COLOR=0 CLICOLOR_FORCE=1": false, "NO_COLOR= FORCE_COLOR=1": true,
	} {
		testkit.Same(t, want, Coloured(ColourAuto, io.Discard, environment(env)), "%q", env)
		if !Coloured(ColourAlways, io.Discard, environment(env)) || Coloured(ColourNever, io.Discard, environment(env)) {
			t.Errorf("%q: a variable is stronger than the user's word", env)
		}
	}
}
