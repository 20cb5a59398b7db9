package schema

import (
	"cmp"
	"path/filepath"
	"slices"
)

// Root is a project found on disk, not yet read. All paths are identities (see Identity), and all except Boundary
// depend only on the disk, not on the path that led to the project.
type Root struct {
	// Dir is the project's root folder: the parent of its configuration folder.
	Dir string
	// Files are the files to read.
	Files Paths
	// Names are the slash-separated paths from Dir of files that have other names than their own because links lead to
	// them, best first.
	Names map[string][]string
	// Runs are those of Files that only their text shows to be run configurations of SDK v1.
	Runs []string
	// Loose is how many of Files are conda files outside the configuration folders that only their packages show to be
	// for Azure ML.
	Loose int
	// Boundary is the folder outside which no file named by the project is read: the repository, or, if there is none,
	// the path that was given.
	Boundary string
	// Bare says that Dir was listed and holds neither .git nor a file of amlfix's own, so there is no need to look for
	// them there.
	Bare bool
	// Listed says that the listings of their folders have shown all Files as regular files.
	Listed bool
	// Flat says that the listings of the configuration folders in Dir have shown only regular files.
	Flat bool
}

// OnlyV2 reports whether what a project holds at or below a folder is v2 and none of the older dialects: nothing in it
// can be run or migrated.
func (r Root) OnlyV2(folder string) bool {
	below := func(f string) bool { return within(folder, f) }
	return !slices.ContainsFunc(r.Runs, below) && !slices.ContainsFunc(r.Files.All(), func(f string) bool {
		ext := filepath.Ext(f)
		return within(folder, f) && (ext == ".runconfig" || ext == ".compute" || isConfigFolder(filepath.Base(filepath.Dir(f))))
	})
}

// FolderRoot returns a folder as a project without files, to which what programs build is added.
func FolderRoot(dir string) Root {
	dir = Identity(dir)
	return Root{Dir: dir, Boundary: cmp.Or(Repository(dir), dir)}
}

// project is a Root under construction.
type project struct {
	Root
	odd   bool                // a file is a link, a pipe or a device
	rest  []string            // of Files
	names map[string]string   // of all projects
	links map[string][]string // names that are not identities, by identity
}

// add adds a file, reached by a name that may be a link's. regular says that a listing showed it as a regular file.
func (p *project) add(id, name string, regular bool) {
	p.odd = p.odd || !regular
	if id == name {
		p.rest = append(p.rest, shared(p.names, behind(p.Dir, id)))
		return
	}
	if p.links == nil {
		p.links = map[string][]string{}
	}
	p.links[id] = append(p.links[id], relative(p.Dir, name))
}

// root returns the Root. Of several names of a file, those in a configuration folder come first, then its own.
func (p *project) root() Root {
	p.Listed = !p.odd
	p.Files = newPaths(p.Dir, p.rest)
	if p.links == nil {
		return p.Root
	}
	p.Names = map[string][]string{}
	var linked []string
	for id, names := range p.links {
		slices.Sort(names)
		if p.Files.Contain(id) {
			names = slices.Insert(names, 0, relative(p.Dir, id))
		} else {
			linked = append(linked, behind(p.Dir, id))
		}
		slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(configRank(a), configRank(b)) })
		p.Names[id] = slices.Compact(names)
	}
	p.Files = newPaths(p.Dir, append(p.Files.rest, linked...))
	return p.Root
}

func configRank(rel string) int {
	if isConfigFolder(filepath.Dir(rel)) {
		return 0
	}
	return 1
}
