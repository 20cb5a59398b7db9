package solve

import "strings"

// Arguments are those of uv for a request, which it reads from its standard input.
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

// Input is what uv reads.
func (r Request) Input() string { return strings.Join(r.Lines, "\n") + "\n" }

// Read reads what uv says when it fails, on one line; ok is false when it has found no
// answer at all.
func Read(output string) (said string, ok bool) {
	said = strings.Join(strings.Fields(strings.NewReplacer("│", " ", "╰─▶", " ", "├─▶", " ").Replace(output)), " ")
	return said, strings.Contains(said, "No solution found")
}
