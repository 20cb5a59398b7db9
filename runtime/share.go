package runtime

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/reserved"
)

// The folders of systems, and those below them in which users keep things of their own. Without the volume of Windows, in
// small letters.
var (
	systemFolders = []string{"/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/lost+found", "/proc", "/root", "/run", "/sbin", "/snap", "/sys", "/usr", "/var", "/nix", "/gnu",
		"/applications", "/cores", "/library", "/private", "/system", "/windows", "/program files", "/program files (x86)", "/programdata", "/recovery", "/$recycle.bin"}
	usersFolders = []string{"/var/tmp", "/var/folders", "/private/tmp", "/private/var/tmp", "/private/var/folders"}
)

// unshared says why a folder must not be shared with a job; "": it may be. A job writes what it wants into a shared folder,
// whose name comes from a file of the repository, so nothing is shared from which the system, this user's programs or git
// take orders. All paths are absolute and of the same machine; home and project are "" where they are not known.
func unshared(dir, home, project string) string {
	dir, home, project = slashed(dir), slashed(home), slashed(project)
	parts := strings.Split(strings.TrimPrefix(dir, "/"), "/")
	in := func(folders []string) bool {
		return slices.ContainsFunc(folders, func(f string) bool { return within(strings.ToLower(dir), f) })
	}
	own := home != "" && home != "/" && within(dir, home)
	switch {
	case len(parts) < 2:
		return "is at the top of the file system"
	case home != "" && within(home, dir):
		return "holds this user's home folder"
	case project != "" && within(project, dir):
		return "holds the project itself"
	case own && path.Dir(dir) == home:
		return "is directly in this user's home folder"
	case len(parts) == 2 && (parts[0] == "home" || parts[0] == "Users"):
		return "is a home folder"
	case in(systemFolders) && !in(usersFolders) && !own:
		return "belongs to the system"
	case reserved.In(dir):
		return "belongs to git or to amlfix"
	case slices.ContainsFunc(parts, func(p string) bool { return p != ".azureml" && strings.HasPrefix(p, ".") }):
		return "is in a hidden folder, where programs keep their settings"
	}
	return ""
}

// slashed is a clean path with slashes and without the volume of Windows; "" stays.
func slashed(dir string) string {
	if dir == "" {
		return ""
	}
	return path.Clean(filepath.ToSlash(dir[len(filepath.VolumeName(dir)):]))
}

// within reports whether a path is that of a folder or below it.
func within(name, folder string) bool {
	return name == folder || strings.HasPrefix(name, strings.TrimSuffix(folder, "/")+"/")
}

// unsharedHere is unshared for a folder of this machine, wherever links lead to. Nor may it hold programs of the PATH, and
// this user must be allowed to write to it: an engine is allowed more.
func unsharedHere(dir, project string) string {
	home, _ := os.UserHomeDir()
	for _, d := range []string{dir, followed(dir)} {
		for _, h := range []string{home, followed(home)} {
			if why := unshared(d, h, followed(project)); why != "" {
				return why
			}
		}
		for _, p := range filepath.SplitList(os.Getenv("PATH")) {
			if filepath.IsAbs(p) && within(slashed(p), slashed(d)) {
				return "holds programs of the PATH"
			}
		}
	}
	if _, err := os.Stat(dir); err == nil && !writable(dir) {
		return "this user may not write to"
	}
	return ""
}

// unsharedThere is unshared for a folder of another machine, as far as its name tells; it is relative to the home folder there
// unless it is absolute.
func unsharedThere(dir string) string {
	const home = "/home/user" // as good as any
	rest, below := strings.CutPrefix(dir, "~/")
	if below || !path.IsAbs(dir) {
		return unshared(path.Join(home, rest), home, "")
	}
	return unshared(dir, "", "")
}

// followed is a path with the links of as much of it as there is followed; "" stays.
func followed(name string) string {
	if name == "" {
		return ""
	}
	rest := ""
	for at := filepath.Clean(name); ; at = filepath.Dir(at) {
		real, err := filepath.EvalSymlinks(at)
		switch {
		case err == nil:
			return filepath.Join(real, rest)
		case !errors.Is(err, fs.ErrNotExist) || filepath.Dir(at) == at:
			return filepath.Clean(name)
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}

// refuseShare is an error unless why, which is what unshared says of a folder, is empty.
func refuseShare(o Origin, dir, why string) error {
	if why == "" {
		return nil
	}
	return &PlanError{Origin: o, Text: fmt.Sprintf("nativeSharedDirectory would share %q with the job, which %s: name a folder for sharing alone, such as ~/.azureml/share", dir, why)}
}
