package solve

import "strings"

// Arguments returns uv's arguments for a request, whose Input uv reads from standard input.
func (r Request) Arguments() []string {
	args := []string{
		"pip", "compile", "-", "--quiet", "--no-annotate", "--no-header", "--no-python-downloads", "--only-binary", ":all:",
		"--index-strategy", "unsafe-best-match", "--python-version", r.Python, "--python-platform", r.Platform,
	}
	if r.Alone {
		args = append(args, "--no-deps")
	}
	return args
}

// Input returns the requirements file that uv reads.
func (r Request) Input() string { return strings.Join(r.Lines, "\n") + "\n" }

// Read returns uv's message on one line if the requirements cannot be installed; ok is false if uv failed for another
// reason.
func Read(output string) (said string, ok bool) {
	said = strings.Join(strings.Fields(strings.NewReplacer("│", " ", "╰─▶", " ", "├─▶", " ").Replace(output)), " ")
	return said, strings.Contains(said, "No solution found")
}
