package setup

import (
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/document"
)

// Settings returns a settings file in which nothing is set.
func Settings() []byte {
	return []byte(`# Settings for amlfix. All of them are optional; remove the "#" from those that you want.
# Reference: ` + ui.Homepage + `/blob/main/docs/configuration.md

# ignore: [image/removed]           # rules, or groups of rules, that do not apply
# severity: {gpu/framework: warning}
# exclude: ["vendor/**"]            # not reported on, never changed
# gpu: [gpuvm]                      # compute targets that are GPU targets, whatever their files say
# computes: {gpu-cluster: Standard_NC24ads_A100_v4}   # machines that only the workspace knows
# fail-on: warning                  # default: error
`)
}

// Workflow returns a GitHub workflow that runs amlfix, at a revision, on pushes to a branch and on pull requests.
func Workflow(revision, branch string) []byte {
	switch {
	case strings.Trim(branch, branchBytes) != "": // GitHub reads a pattern, in which + and ! are special
		branch = "'" + strings.NewReplacer("'", "''", "+", `\+`, "!", `\!`, "]", `\]`).Replace(branch) + "'"
	case document.PyYAML.Read(branch).Type != document.AsText: // such as 2.10
		branch = `"` + branch + `"`
	}
	return []byte(strings.NewReplacer("REVISION", revision, "BRANCH", branch).Replace(`# Checks the Azure ML job configuration of this repository.
name: amlfix
on:
  push:
    branches: [BRANCH]
  pull_request:
permissions:
  contents: read
  security-events: write # for uploading findings to code scanning
jobs:
  amlfix:
    runs-on: ubuntu-latest
    steps:
      # amlfix fetches the commit that a pull request will be merged into with the credentials that this keeps.
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1 # zizmor: ignore[artipacked]
      - uses: amlfix/amlfix@REVISION
`))
}
