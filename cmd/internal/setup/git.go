package setup

import (
	"path"
	"regexp"
	"strings"
	"unicode"

	"github.com/amlfix/amlfix/schema/source"
)

// branchBytes are the characters in branch names that never need quotes.
const branchBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/-"

// isBranch reports whether git accepts a name for a branch, and YAML a text with it.
func isBranch(name string) bool {
	return name != "" && !strings.ContainsAny(name, " ~^:?*[\\") && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar })
}

// git returns the branch to check, which is the default branch of the remote origin or else the current one, and the
// remote's host, "" if there is none. It reads git's files, so git need not be installed.
func (r *repository) git() (branch, host string) {
	read := func(name string) string {
		text, _ := r.disk.ReadInside(path.Join(".git", name), source.MaxSize)
		return string(text)
	}
	branch = "main"
	for _, name := range []string{"refs/remotes/origin/HEAD", "HEAD"} {
		if _, ref, ok := strings.Cut(strings.TrimSpace(read(name)), "ref: refs/"); ok {
			ref = strings.TrimPrefix(strings.TrimPrefix(ref, "heads/"), "remotes/origin/")
			if isBranch(ref) {
				branch = ref
				break
			}
		}
	}
	_, origin, _ := strings.Cut(read("config"), `[remote "origin"]`)
	origin, _, _ = strings.Cut(origin, "\n[")
	if m := regexp.MustCompile(`(?m)^\s*url\s*=\s*(?:[a-z+]+://)?(?:[^@\s/]*@)?([A-Za-z0-9.-]+)[:/]`).FindStringSubmatch(origin); m != nil {
		host = m[1]
	}
	return branch, host
}
