package project

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/plain"
)

const dockerIgnore = ".dockerignore"

// JoinContext sends a folder as the context of a Dockerfile in it, given by its path there, without what .dockerignore
// excludes: engines leave that to their clients.
func (s *Snapshot) JoinContext(name, dockerfile string) error {
	if err := s.Join(".", name); err != nil {
		return err
	}
	at := filepath.Join(name, dockerIgnore)
	text, _, err := disk.ReadUpTo(at, ignoreLimit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s: cannot be read: %w", at, plain.Cause(err))
	}
	ig := parseDockerIgnore(string(text))
	of := &s.joined[len(s.joined)-1]
	of.list = slices.DeleteFunc(of.list, func(e Entry) bool {
		_, out := ig.excludes(e.Path, e.Mode.IsDir())
		return out && e.Path != dockerfile && e.Path != dockerIgnore // the engine itself leaves these two out of the context
	})
	return nil
}

// parseDockerIgnore reads patterns that, unlike those of git, all begin at the root; a later one may include a part of
// an excluded folder.
func parseDockerIgnore(text string) ignore {
	var ig ignore
	for i, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		pattern, again := strings.CutPrefix(strings.TrimSpace(line), "!")
		pattern = strings.TrimPrefix(path.Clean(strings.TrimSpace(pattern)), "/")
		if strings.HasPrefix(line, "#") || pattern == "" || pattern == "." {
			continue
		}
		if m, err := regexp.Compile("(?s)^" + globExpr(pattern) + "(?:/.*)?$"); err == nil {
			ig.rules = append(ig.rules, ignoreRule{line: i + 1, again: again, match: m})
		}
	}
	return ig
}
