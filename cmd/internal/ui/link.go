package ui

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
)

// Homepage is the URL of amlfix and its repository.
const Homepage = "https://github.com/amlfix/amlfix"

// Linked reports whether words written to w should be links (OSC 8). They are on terminals known to support links,
// because others may show the URL in the middle of the text. FORCE_HYPERLINK overrides this if it is set: "0" and
// "false" mean never. Output without escape sequences has no links either: ColourNever and TERM=dumb override
// everything else.
func Linked(mode ColourMode, w io.Writer, env func(string) string) bool {
	switch force := env("FORCE_HYPERLINK"); {
	case mode == ColourNever, env("TERM") == "dumb":
		return false
	case force != "":
		return enabled(force)
	}
	return IsTerminal(w) && knownToLink(env) && enableColour(w)
}

// Terminals that support links, by the variables that they set: TERM_PROGRAM with the first version that does, and
// TERM. Source: https://github.com/Alhadis/OSC8-Adoption.
var linkTerms = []string{"xterm-kitty", "xterm-ghostty", "alacritty", "alacritty-direct", "foot", "foot-extra", "contour", "wezterm"}

func linkPrograms() map[string]string {
	return map[string]string{
		"iTerm.app": "3.1", "vscode": "1.72", "WezTerm": "20200620", "Hyper": "3.0", "ghostty": "", "Tabby": "", "mintty": "3.1", "rio": "",
		"WarpTerminal": "", "zed": "", "tmux": "3.4",
	}
}

// knownToLink reports whether the variables that terminals set name one that supports links. Inside tmux, this depends
// on what tmux passes on.
func knownToLink(env func(string) string) bool {
	term := env("TERM")
	if env("TMUX") != "" || strings.HasPrefix(term, "screen") || strings.HasPrefix(term, "tmux") {
		return env("TERM_PROGRAM") == "tmux" && catalog.CompareVersions(env("TERM_PROGRAM_VERSION"), linkPrograms()["tmux"]) >= 0
	}
	if since, ok := linkPrograms()[env("TERM_PROGRAM")]; ok {
		return catalog.CompareVersions(env("TERM_PROGRAM_VERSION"), since) >= 0
	}
	number := func(name string) int {
		n, err := strconv.Atoi(env(name))
		if err != nil {
			return 0
		}
		return n
	}
	return slices.Contains(linkTerms, term) || env("WT_SESSION") != "" || env("DOMTERM") != "" ||
		number("VTE_VERSION") >= 5002 || number("KONSOLE_VERSION") >= 201200
}

// Link returns text as a link to address, which must not contain control characters. URLs made by net/url contain none.
func (s Style) Link(address, text string) string {
	if !s.links || text == "" {
		return text
	}
	return "\x1b]8;;" + address + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}
