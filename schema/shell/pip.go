package shell

import (
	"path"
	"strings"
)

// requirements records the files that pip is to read, if the job ends without them.
func (r *reader) requirements(words []Word, operator string) {
	for i, w := range words {
		option, _ := w.Literal()
		if option != "-r" && option != "--requirement" || i+1 == len(words) || operator != "&&" && operator != "" {
			continue
		}
		if name, ok := words[i+1].Literal(); ok && name != "" && !path.IsAbs(name) && !strings.Contains(name, "://") && len(r.line.Files) < mostRuns {
			r.line.Files = append(r.line.Files, r.run(words[i+1], name))
		}
	}
}
