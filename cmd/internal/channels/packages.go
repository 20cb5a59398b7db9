package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// platform is a platform of npm packages, in Go's and Node.js's terms.
type platform struct{ GOOS, GOARCH, OS, CPU string }

var platforms = []platform{
	{"linux", "amd64", "linux", "x64"}, {"linux", "arm64", "linux", "arm64"},
	{"darwin", "amd64", "darwin", "x64"}, {"darwin", "arm64", "darwin", "arm64"},
	{"windows", "amd64", "win32", "x64"}, {"windows", "arm64", "win32", "arm64"},
}

// Program returns the program's file name on the platform.
func (p platform) Program() string {
	if p.GOOS == "windows" {
		return "amlfix.exe"
	}
	return "amlfix"
}

// writePackages writes an npm package for each platform, which contains its program. npm installs the matching one
// along with the package amlfix, which depends on all of them.
func writePackages(r release, top, dist, out string) error {
	license, err := os.ReadFile(filepath.Join(top, "LICENSE"))
	if err != nil {
		return err
	}
	if err := save(filepath.Join(out, "npm", "amlfix", "LICENSE"), license); err != nil {
		return err
	}
	for _, p := range platforms {
		program, err := p.find(dist)
		if err != nil {
			return err
		}
		dir := filepath.Join(out, "npm", p.OS+"-"+p.CPU)
		texts := map[string][]byte{"LICENSE": license, p.Program(): program}
		for _, name := range []string{"package.json", "README.md"} {
			if texts[name], err = render("npm/platform/"+name, struct {
				platform
				Version string
			}{p, r.Version}); err != nil {
				return err
			}
		}
		for name, text := range texts {
			if err := save(filepath.Join(dir, name), text); err != nil {
				return err
			}
		}
		if err := os.Chmod(filepath.Join(dir, p.Program()), 0o755); err != nil {
			return err
		}
	}
	return nil
}

// find returns the program in goreleaser's folder, where the name of a platform's folder ends with the instruction set
// version: amlfix_linux_amd64_v1.
func (p platform) find(dist string) ([]byte, error) {
	found, err := filepath.Glob(filepath.Join(dist, fmt.Sprintf("amlfix_%s_%s*", p.GOOS, p.GOARCH), p.Program()))
	if err != nil {
		return nil, err
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("%s holds %d programs for %s/%s, not one: it is not the folder of a whole release", dist, len(found), p.GOOS, p.GOARCH)
	}
	return os.ReadFile(found[0])
}
