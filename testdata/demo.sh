#!/usr/bin/env bash
# The main job on a bundled sample, in plain words: find the faults, look at the
# repairs, make them, and run the job, here and on the repaired container target.
# Works on a copy; needs Go and Python 3.
set -euo pipefail
cd "$(dirname "$0")/.."
top=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { printf '\n%s\n' "$*" | fold -s -w 78 | sed 's/ *$//; s/^./# &/'; }
quietly() { # COMMAND…: shows what it prints only when it fails
  "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
}
expect() { # STATUS COMMAND…: runs it and checks how it ends
  local want=$1 got=0
  shift
  printf '\n$ %s\n' "$*"
  "$@" || got=$?
  [ "$got" = "$want" ] || { echo "demo: exit status $got, expected $want" >&2; exit 1; }
}

say "Building amlfix from this clone. The first time this downloads Go modules and takes a minute or two."
quietly env CGO_ENABLED=0 go build -trimpath -o "$work/amlfix" ./cmd/amlfix
cp -R testdata/article "$work/article"
cd "$work/article"
export PATH="$work:$PATH"

say "The sample is a copy of the project in Microsoft's article about GPUs in Azure ML Workbench: three compute targets, \
of which gpuvm and workstation have a GPU. It has the article's mistakes. Exit status 1 says that something is wrong."
expect 1 amlfix
say "Each finding says which line is wrong, why, and what would repair it. --diff shows all repairs, and writes nothing."
expect 1 amlfix --diff
say "--apply makes them. Only these bytes change; comments, quotes and the order of keys stay."
expect 0 amlfix --apply
say "The same check again: no output and exit status 0, so nothing wrong is left. (amlfix undo would restore the files.)"
expect 0 amlfix
say "All targets at a glance: what kind each is, and why amlfix thinks so."
expect 0 amlfix targets

say "Now the job itself. --plan shows what would run, and the line of the file that says so."
expect 0 amlfix run -c local --plan train.py --fast
say "Running it on this machine, with this machine's Python. The last line says how it ended and what it left."
expect 0 amlfix run -c local train.py --fast
say "What the job wrote to outputs/ is back."
expect 0 cat outputs/loss.txt

say "Last, the target that was repaired: a container that asks Docker for a GPU. Microsoft's image can no longer be pulled, \
and few machines have a K80, so both are STAND-INS: the image is built from this machine's Python, with a program in place \
of conda and one in place of nvidia-smi, and a private Docker engine gives out device files with no GPU behind them. \
What this shows is that the repaired files start a container that asks for the GPU; not that a GPU computes."
cd "$top"
if AMLFIX_DEMO="$work/article" AMLFIX_DEMO_LOG="$work/container" CI='' go test ./runtime/internal/programtest -run '^TestDemo$' -count=1 -v >"$work/log" 2>&1; then
  if [ -s "$work/container" ]; then
    cat "$work/container"
    left=
  else
    why=$(sed -n 's/^ *[a-z_]*\.go:[0-9]*: \(SKIPPED: \)\{0,1\}//p' "$work/log" | head -n 1)
    left="Left out: the run in a container, which needs Linux, root and dockerd${why:+ ($why)}."
    say "$left"
  fi
else
  cat "$work/log" >&2
  echo "demo: the run in a container failed" >&2
  exit 1
fi

say "The demo passed: the faults were found, repaired and stayed repaired, and the job ran.${left:+ $left}"
