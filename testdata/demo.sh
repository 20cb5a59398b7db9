#!/usr/bin/env bash
# The main job on a bundled sample: lint, look at the repairs, make them, lint
# again, and run the job on this machine. Works on a copy; needs Go and Python 3.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
CGO_ENABLED=0 go build -o "$work/amlfix" ./cmd/amlfix
cp -R testdata/article "$work/article"
cd "$work/article"
export PATH="$work:$PATH"

step() { printf '\n$ %s\n' "$*"; "$@"; }
expect() { # STATUS COMMAND…: runs it and checks how it ends
  local want=$1 got=0
  shift
  step "$@" || got=$?
  [ "$got" = "$want" ] || { echo "demo: exit status $got, expected $want" >&2; exit 1; }
}

expect 1 amlfix                                   # every fault of the article
expect 1 amlfix --diff                            # what would be written
expect 0 amlfix --apply                           # write it
expect 0 amlfix                                   # silence: nothing is left
expect 0 amlfix targets
expect 0 amlfix run -c local --plan train.py --fast
expect 0 amlfix run -c local train.py --fast      # run it on this machine
expect 0 cat outputs/loss.txt
