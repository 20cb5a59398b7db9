#!/usr/bin/env bash
# Runs all tests on a fresh machine that has Go, Python 3, Node and git. Where we
# may (root on Debian or Ubuntu), Debian's packages of the programs that tests talk
# to are installed; elsewhere the tests that need a missing one skip, loudly.
set -euo pipefail
cd "$(dirname "$0")"

say() { printf '\n== %s\n' "$*"; }

say "programs that tests talk to"
missing=()
has() { command -v "$1" >/dev/null || [ -x "/usr/sbin/$1" ]; }
has dockerd || missing+=(docker.io)
has sshd || missing+=(openssh-server)
has sudo || missing+=(sudo)     # a user of the tests' own sshd reaches an engine by it
has mandoc || missing+=(mandoc) # reads the manual page
has mkfs.vfat || missing+=(dosfstools) # file systems that fold case: vfat where the
has lowntfs-3g || missing+=(ntfs-3g)   # kernel knows it, else NTFS by way of FUSE
python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
echo "missing: ${missing[*]:-none}"
if [ "${#missing[@]}" -gt 0 ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq
  # RUNLEVEL: the services of the packages are not to run; tests start their own.
  RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

say "formatting and vet"
[ -z "$(gofmt -l .)" ] || { gofmt -l .; exit 1; }
go vet ./...

say "one static binary"
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
CGO_ENABLED=0 GOBIN="$bin" go install -trimpath ./cmd/amlfix
"$bin/amlfix" --version
if command -v ldd >/dev/null; then ! ldd "$bin/amlfix" 2>/dev/null | grep -q '=>' || { echo "the binary is not static" >&2; exit 1; }; fi

say "cross builds"
for os in windows darwin; do
  for arch in amd64 arm64; do CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -o /dev/null ./cmd/amlfix; done
done
GOOS=js GOARCH=wasm go build ./schema/... ./rules/... ./fixers/...

say "tests, with the race detector"
go test -race -timeout 20m ./...

say "fuzzing, briefly"
# By count, not by time: with a time limit go test now and then reports its own
# deadline as a failure.
for target in $(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u); do
  for name in $(grep -rhoE '^func (Fuzz[A-Za-z0-9_]+)' "$target"/*_test.go | awk '{print $2}'); do
    go test "$target" -run '^$' -fuzz "^$name\$" -fuzzminimizetime 20x -fuzztime "${FUZZTIME:-5000x}"
  done
done

say "benchmarks, once each, to see that they run"
go test -run '^$' -bench . -benchtime 1x ./... >"$bin/bench" || { cat "$bin/bench"; exit 1; }
grep '^Benchmark' "$bin/bench"

say "golangci-lint"
go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0 run ./...
