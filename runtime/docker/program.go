package docker

import (
	"context"
	"path"
	"slices"
	"strings"
)

// standIns maps programs that an image may lack to their replacements: Debian's and NVIDIA's images have only python3.
func standIns() map[string]string { return map[string]string{"python": "python3"} }

// DefaultPath is where engines look for programs if the image does not set PATH.
const DefaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// findProgram returns the name of a program in a container that has been created: name itself, or its replacement. It
// returns an empty string if the container has neither. It does not look for a name that contains a slash or has no
// replacement.
func findProgram(ctx context.Context, eng Engine, id string, img Image, env []string, name string) (string, error) {
	instead, ok := standIns()[name]
	if !ok || hasPython(img) {
		return name, nil
	}
	return first(ctx, eng, id, img, env, name, instead)
}

// first returns the first of some programs that a container has; empty: it has none.
func first(ctx context.Context, eng Engine, id string, img Image, env []string, names ...string) (string, error) {
	for _, name := range names {
		for _, dir := range searched(img, env) {
			_, err := eng.Stat(ctx, id, path.Join(dir, name))
			switch {
			case err == nil:
				return name, nil
			case !Is(err, PathNotFound):
				return "", err
			}
		}
	}
	return "", nil
}

// FindProgram is like Program but takes an image, and looks for sh as well: it creates a container, does not start it,
// and removes it.
func FindProgram(ctx context.Context, eng Engine, img Image, c Container) (string, error) {
	name := c.Argv[0]
	if name != "sh" && standIns()[name] == "" || hasPython(img) {
		return name, nil
	}
	c.Name += "-program"
	c.Mounts, c.Probe = nil, true
	defer remove(ctx, eng, c.Name)
	id, err := create(ctx, eng, c, nil)
	if err != nil {
		return "", err
	}
	if name == "sh" {
		return first(ctx, eng, id, img, c.Env, name)
	}
	return findProgram(ctx, eng, id, img, c.Env, name)
}

// hasPython reports whether an image declares that it has a program named python: the official images do, by a
// variable.
func hasPython(img Image) bool {
	return slices.ContainsFunc(img.Env, func(v string) bool { return strings.HasPrefix(v, "PYTHON_VERSION=") })
}

// searched returns the folders of PATH, the most likely ones first, because each costs a request.
func searched(img Image, env []string) (dirs []string) {
	value := DefaultPath
	for _, v := range slices.Concat(img.Env, env) {
		if p, ok := strings.CutPrefix(v, "PATH="); ok {
			value = p
		}
	}
	for _, dir := range strings.Split(value, ":") {
		if path.IsAbs(dir) && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	likely := func(dir string) int {
		switch {
		case strings.HasSuffix(dir, "sbin"):
			return 2
		case dir == "/usr/bin":
			return 0
		}
		return 1
	}
	slices.SortStableFunc(dirs, func(a, b string) int { return likely(a) - likely(b) })
	return dirs
}
