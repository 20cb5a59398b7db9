//go:build linux

// Package container checks files with the parser of Compose. It is only for tests, and apart from judge because every
// test program that contains this parser starts and links longer.
package container

import (
	"context"
	"path/filepath"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

// ComposeFile reads a Compose file as `docker compose` does, with interpolation of variables, normalization and
// consistency checks. variables are the environment variables, as NAME=value.
func ComposeFile(path string, variables ...string) (*types.Project, error) {
	options, err := cli.NewProjectOptions([]string{path}, cli.WithWorkingDirectory(filepath.Dir(path)), cli.WithEnv(variables),
		cli.WithInterpolation(true), cli.WithConsistency(true), cli.WithNormalization(true))
	if err != nil {
		return nil, err
	}
	return options.LoadProject(context.Background())
}
