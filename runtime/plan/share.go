package plan

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/reserved"
)

// ShareVariable is the environment variable that holds the folder of nativeSharedDirectory.
const ShareVariable = "AZUREML_NATIVE_SHARE_DIRECTORY"

// NamesShare reports whether the compute target names a folder to share.
func (d *Draft) NamesShare() bool {
	f := d.Compute.SharedDirectory
	return f.Explicit && f.Text != ""
}

// NoShare records why the folder is not shared, as the end of a sentence.
func (d *Draft) NoShare(why string) {
	d.Note("nativeSharedDirectory is not used: "+why, d.Compute.SharedDirectory)
}

// Share plans the folder that nativeSharedDirectory names, if any. inside is the path under which the job sees it; if
// empty, its own path.
func (d *Draft) Share(inside string) error {
	f, p := d.Compute.SharedDirectory, &d.Plan
	if !d.NamesShare() {
		return nil
	}
	name := filepath.Base(p.Project)
	var why string
	if p.Host.Address.Value != "" {
		p.ShareDir = Field[string]{path.Join(schema.Slashes(f.Text), name), d.At(f)}
		why = unsharedThere(p.ShareDir.Value)
	} else {
		base, err := expandHome(schema.Slashes(f.Text))
		if err != nil {
			d.NoShare("this user has no home folder")
			return nil
		}
		if !filepath.IsAbs(base) {
			base = filepath.Join(p.Project, base)
		}
		p.ShareDir = Field[string]{filepath.Join(base, name), d.At(f)}
		why = unsharedHere(p.ShareDir.Value, p.Project)
	}
	if err := refuseShare(d.At(f), p.ShareDir.Value, why); err != nil {
		return err
	}
	p.ShareAs = inside
	p.Env = append(p.Env, Item{Name: ShareVariable, Value: cmp.Or(inside, p.ShareDir.Value), Origin: d.At(f)})
	return nil
}

// RefuseThere returns an error if a folder on the plan's host must not be shared with a job. Unlike during planning,
// the folder's real location is known here.
func (p Plan) RefuseThere(dir, home string) error {
	return refuseShare(p.ShareDir.Origin, dir, unshared(dir, home, ""))
}

func expandHome(dir string) (string, error) {
	rest, ok := strings.CutPrefix(dir, "~")
	if !ok || rest != "" && rest[0] != '/' && rest[0] != '\\' {
		return filepath.FromSlash(dir), nil
	}
	home, err := os.UserHomeDir()
	if err == nil && home == "" {
		err = errors.New("no home folder")
	}
	return filepath.Join(home, filepath.FromSlash(rest)), err
}

// The folders of operating systems, and those in them where users keep their own files: without the Windows volume, in
// lower case.
var (
	systemFolders = []string{"/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/lost+found", "/proc", "/root", "/run", "/sbin", "/snap", "/sys", "/usr", "/var", "/nix", "/gnu",
		"/applications", "/cores", "/library", "/private", "/system", "/windows", "/program files", "/program files (x86)", "/programdata", "/recovery", "/$recycle.bin"}
	usersFolders = []string{"/var/tmp", "/var/folders", "/private/tmp", "/private/var/tmp", "/private/var/folders"}
)

// unshared returns why a folder must not be shared with a job, or "" if it may be. A job can write anything to a shared
// folder, whose name comes from a file of the repository. So no folder is shared from which the system, this user's
// programs or git take instructions. All paths are absolute and on the same machine; home and project are "" if not
// known.
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
		return "contains this user's home folder"
	case project != "" && within(project, dir):
		return "contains the project itself"
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

// slashed returns a clean path with slashes and without the Windows volume; "" stays unchanged.
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

// unsharedHere is unshared for a folder on this machine, after following links. The folder must not contain programs on
// PATH, and this user must be allowed to write to it, because an engine can write anywhere.
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
				return "contains programs on the PATH"
			}
		}
	}
	if _, err := os.Stat(dir); err == nil && !preflight.Writable(dir) {
		return "this user may not write to"
	}
	return ""
}

// unsharedThere is unshared for a folder on another machine, judged by name only; dir is relative to the home folder
// there unless it is absolute.
func unsharedThere(dir string) string {
	const home = "/home/user" // any home will do
	rest, below := strings.CutPrefix(dir, "~/")
	if below || !path.IsAbs(dir) {
		return unshared(path.Join(home, rest), home, "")
	}
	return unshared(dir, "", "")
}

// followed returns a path with links resolved in as much of it as exists; "" stays unchanged.
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

// refuseShare returns an error unless why, a result of unshared, is empty.
func refuseShare(o Origin, dir, why string) error {
	if why == "" {
		return nil
	}
	return &Error{Origin: o, Text: fmt.Sprintf("nativeSharedDirectory would share %q with the job, which %s: use a folder that is only for sharing, such as ~/.azureml/share", dir, why)}
}
