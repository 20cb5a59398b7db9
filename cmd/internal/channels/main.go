// Command channels writes what package managers need for a release: npm packages, a conda recipe, a Homebrew formula,
// manifests for winget and Scoop, and a Nix flake.
//
//	go run ./cmd/internal/channels DIST OUT
//
// DIST is goreleaser's folder: checksums.txt names the version, the archives and their SHA-256, and npm packages take
// the programs beside it. OUT must not exist. It runs at the top of the repository, and the same release gives the same
// files. docs/install.md says which of them were tried.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: channels DIST OUT")
		os.Exit(2)
	}
	if err := write(".", os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "channels:", err)
		os.Exit(1)
	}
}

// write creates all files of a release in a new folder; top is the root of the repository.
func write(top, dist, out string) error {
	r, err := readRelease(dist)
	if err != nil {
		return err
	}
	if err := os.Mkdir(out, 0o755); err != nil {
		return fmt.Errorf("%w: name a folder that does not exist yet", err)
	}
	if err := writeManifests(r, out); err != nil {
		return err
	}
	return writePackages(r, top, dist, out)
}
