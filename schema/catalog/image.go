package catalog

import (
	"iter"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// Image is one container image that Azure ML configurations name. Empty strings mean "not recorded". A row says that
// the image was published, never that it can still be pulled.
type Image struct {
	Repo, Tag string
	// GPU is true if the image contains CUDA.
	GPU bool
	// Plus is true for the images that Azure ML Workbench supports (they contain its extra libraries).
	Plus bool
	// Moving is true if the tag was moved to newer builds over time.
	Moving bool
	// Spark, Python, CUDA and CUDNN are versions found in the image.
	Spark, Python, CUDA, CUDNN string
	// OS is the base system, such as ubuntu16.04.
	OS string
	// Released is a date (2006-01-02) or a month (2006-01).
	Released string
	// Removed is true when the whole repository was removed from its registry.
	Removed bool
	// Retired is the month (2006-01) in which standard support of OS ended or ends; pass it to PhaseOf.
	Retired string
	// Status is the repository's status: current (built and supported), deprecated or replaced (no new builds since
	// Since, but released images can still be pulled), or empty if not recorded. Successor is the repository to use
	// instead. BasePython is the Python of the base environment; jobs use the Python of their conda file.
	Status, Since, Successor, BasePython string
	Note                                 string
	Origin
}

// anyTag is the tag of a row that applies to every tag of its repository.
const anyTag = "*"

type imageKey struct{ repo, tag string }

// imageRow is an Image with the key of its CPU twin.
type imageRow struct {
	Image
	key, twin imageKey
}

var (
	imageRows   = &table[imageRow]{name: "images", finish: finishImage}
	noImage     imageRow
	systemRows  = &table[system]{name: "systems"}
	systemIndex = &index[string, system]{rows: systemRows, key: func(s system) string { return s.OS }}
)

// system is a base system with the month in which its standard support ends.
type system struct{ OS, EndOfSupport string }

func finishImage(r record, row *imageRow) {
	row.key = imageKey{row.Repo, row.Tag}
	base, _ := systemIndex.find(row.OS)
	row.Retired = base.EndOfSupport
	whole, _ := repositoryIndex.find(row.Repo)
	row.Removed, row.Status, row.Since, row.Successor, row.BasePython = whole.Removed, whole.Status, whole.Since, whole.Successor, whole.Python
	if twin := r.text("twin"); twin != "" {
		at := strings.LastIndexByte(twin, ':')
		row.twin = imageKey{twin[:at], twin[at+1:]}
	}
}

// LookupImage returns the image of a repository and tag; an empty tag means latest. repo may include the Docker Hub
// host. In repositories with dated tags, every tag is found, whether it exists or not.
func LookupImage(repo, tag string) (Image, bool) {
	row, ok := findImage(repo, tag)
	return row.Image, ok
}

// findImage returns the row of an image, which is not copied: it is long, and looked up often.
func findImage(repo, tag string) (*imageRow, bool) {
	repo = canonicalRepo(repo)
	if tag == "" {
		tag = "latest"
	}
	if row := imageAt(imageKey{repo, tag}); row != nil {
		return row, tag != anyTag
	}
	whole := imageAt(imageKey{repo, anyTag})
	if whole == nil {
		return &noImage, false
	}
	row := *whole
	row.Tag, row.Moving = tag, tag == "latest"
	return &row, true
}

// imagesByKey are the rows themselves, not copies. They must not be modified.
var imagesByKey = plain.Once[map[imageKey]*imageRow]{Make: func() map[imageKey]*imageRow {
	all := imageRows.all()
	places := make(map[imageKey]*imageRow, len(all))
	for i := range all {
		places[all[i].key] = &all[i]
	}
	return places
}}

// imageAt returns the row of an image as it is written, nil if there is none.
func imageAt(key imageKey) *imageRow { return imagesByKey.Get()[key] }

// ImageNames returns the recorded images, sorted, as REPOSITORY:TAG, or as REPOSITORY if its tags are dates.
func ImageNames() (names []string) {
	for _, row := range imageRows.all() {
		name := row.Repo
		if row.Tag != anyTag {
			name += ":" + row.Tag
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Repositories returns the repositories of the recorded images, in the order of ImageNames.
func Repositories() iter.Seq[string] { return slices.Values(repositories.Get()) }

var repositories = plain.Once[[]string]{Make: func() (repos []string) {
	for _, name := range ImageNames() {
		repo, _, _ := strings.Cut(name, ":")
		repos = append(repos, repo)
	}
	return slices.Compact(repos)
}}

// Tags returns the recorded tags of a repository, sorted; empty for repositories with dated tags.
func Tags(repo string) []string {
	repo = canonicalRepo(repo)
	var tags []string
	for _, row := range imageRows.all() {
		if row.Repo == repo && row.Tag != anyTag {
			tags = append(tags, row.Tag)
		}
	}
	slices.Sort(tags)
	return tags
}
