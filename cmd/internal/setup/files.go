package setup

import "strings"

// Settings returns a settings file in which nothing is set yet.
func Settings() []byte {
	return []byte(`# Settings of amlfix. Nothing here is needed; take the "#" away from what you want.
# All of them: ` + Address + `/blob/main/docs/configuration.md

# ignore: [image/removed]           # rules, or groups of rules, that do not count
# severity: {gpu/framework: warning}
# exclude: ["vendor/**"]            # never reported on, never changed
# gpu: [gpuvm]                      # compute targets that are GPU targets, whatever their files say
# computes: {gpu-cluster: Standard_NC24ads_A100_v4}   # machines that only the workspace knows
# fail-on: warning                  # error is the default
`)
}

// Workflow returns a workflow of GitHub that checks with amlfix at a revision
// whatever is pushed to a branch, or proposed.
func Workflow(revision, branch string) []byte {
	return []byte(strings.NewReplacer("REVISION", revision, "BRANCH", branch).Replace(`# Checks the Azure ML job configuration of this repository.
name: amlfix
on:
  push:
    branches: [BRANCH]
  pull_request:
permissions:
  contents: read
  security-events: write # findings are handed to code scanning
jobs:
  amlfix:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: amlfix/amlfix@REVISION
`))
}
