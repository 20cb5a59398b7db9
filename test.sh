#!/usr/bin/env bash
# Runs all tests on a fresh machine that has Go, Python 3 and git. Installs the
# Docker Engine from Debian's packages when it is missing and we may (root on
# Debian or Ubuntu); without it the tests that need one are skipped, loudly.
set -euo pipefail
cd "$(dirname "$0")"

if ! command -v dockerd >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends docker.io >/dev/null
fi
# The tests start an sshd of their own, before a user who may use sudo; the sshd of
# the package is not to run (RUNLEVEL).
if { [ ! -x /usr/sbin/sshd ] || ! command -v sudo >/dev/null; } && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq
  RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends openssh-server sudo >/dev/null
fi

# The manual page is held against mandoc.
if ! command -v mandoc >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends mandoc >/dev/null
fi

say() { printf '\n== %s\n' "$*"; }

# The Python environment of the vendor's readers is made by the first test that
# asks (schema/judge); Debian ships venv as a package of its own.
if ! python3 -m venv --help >/dev/null 2>&1 || ! python3 -c 'import ensurepip' 2>/dev/null; then
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv >/dev/null || true
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
go test -race ./...

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
