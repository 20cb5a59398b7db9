package catalog

import "strings"

// repository is what is recorded about a repository as a whole.
type repository struct {
	Repo                             string
	Complete, Removed                bool
	Status, Since, Successor, Python string
	Origin
}

var (
	repositoryRows  = &table[repository]{name: "repositories"}
	repositoryIndex = &index[string, repository]{rows: repositoryRows, key: func(r repository) string { return r.Repo }}
)

// RemovedRepo reports whether the repository as a whole has been taken off its registry.
func RemovedRepo(repo string) bool {
	r, _ := repositoryIndex.find(canonicalRepo(repo))
	return r.Removed
}

// NeverPublished reports whether the repository is recorded completely and does not have the tag. It is false for
// development builds (0.8.dev3_1.g…), because not all of them are recorded.
func NeverPublished(repo, tag string) bool {
	if r, ok := repositoryIndex.find(canonicalRepo(repo)); !ok || !r.Complete || strings.Contains(tag, ".dev") {
		return false
	}
	_, ok := LookupImage(repo, tag)
	return !ok
}

// canonicalRepo removes the Docker Hub host, in any of its notations.
func canonicalRepo(repo string) string {
	for _, host := range []string{"docker.io/", "index.docker.io/", "registry-1.docker.io/", "registry.hub.docker.com/"} {
		if rest, ok := strings.CutPrefix(repo, host); ok {
			return rest
		}
	}
	return repo
}
