package catalog

import (
	"cmp"
	"path"
	"slices"
)

// removedTags are tags of a repository, as patterns of path.Match.
type removedTags struct {
	Repo string
	Tags []string
	Why  string
	Origin
}

var removedTagRows = &table[removedTags]{name: "removed_tags"}

// RemovedTag returns why an image cannot be pulled although its repository exists, and what to use instead, from table
// removed_tags; "" for a tag that is not recorded there. Without a tag it looks for latest, as Docker does.
func RemovedTag(repo, tag string) (why string) {
	row, _ := findRemoved(repo, tag)
	return row.Why
}

func findRemoved(repo, tag string) (row removedTags, ok bool) {
	repo, tag = canonicalRepo(repo), cmp.Or(tag, "latest")
	for _, row := range removedTagRows.all() {
		matches := func(pattern string) bool { ok, _ := path.Match(pattern, tag); return ok }
		if row.Repo == repo && slices.ContainsFunc(row.Tags, matches) {
			return row, true
		}
	}
	return row, false
}
