#!/usr/bin/env bash
# Runs all tests on a fresh machine that has Go, Python 3, Node and git. As root on
# Debian or Ubuntu, it installs the packages of the programs that tests start;
# elsewhere the tests that need a missing one are skipped, and listed at the end.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
# A program with the race detector otherwise sleeps for a second before it ends.
export GORACE=atexit_sleep_ms=0
gotestsum="go run gotest.tools/gotestsum@v1.13.0"

say() { printf '\n== %s (%d s)\n' "$*" "$SECONDS"; }

# beside NAME COMMAND…: runs a command while the tests wait; `finish NAME` shows what it said.
beside() { nice "${@:2}" >"$work/$1.log" 2>&1 & jobs+=("$1=$!"); }
finish() {
  local job
  for job in "${jobs[@]}"; do
    [ "${job%=*}" = "$1" ] || continue
    if ! wait "${job#*=}"; then cat "$work/$1.log"; exit 1; fi
    tail -n 40 "$work/$1.log"
  done
}
jobs=()

if [ "${CI:-}" = true ] && [ "${AMLFIX_NO_CORPUS:-}" != 1 ] && [ ! -d ../shared/corpus ]; then
  echo "test.sh: CI=true, and the real files at ../shared/corpus are missing: AMLFIX_NO_CORPUS=1 leaves their tests out" >&2
  exit 1
fi

say "programs that tests start"
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
  # RUNLEVEL: the services of the packages do not start; tests start their own.
  RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

say "formatting and vet"
[ -z "$(gofmt -l .)" ] || { gofmt -l .; exit 1; }
go vet ./...

say "one static binary"
CGO_ENABLED=0 GOBIN="$work" go install -trimpath ./cmd/amlfix
"$work/amlfix" --version
if command -v ldd >/dev/null; then ! ldd "$work/amlfix" 2>/dev/null | grep -q '=>' || { echo "the binary is not static" >&2; exit 1; }; fi

cross() {
  for os in windows darwin; do
    for arch in amd64 arm64; do CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -o /dev/null ./cmd/amlfix; done
  done
  GOOS=js GOARCH=wasm go build ./schema/... ./rules/... ./fixers/...
}
benchmarks() { # once each, to see that they run
  grep -rl --include='*_test.go' '^func Benchmark' [a-z]*/ | xargs -n1 dirname | sort -u | sed 's|^|./|' |
    xargs go test -run '^$' -bench . -benchtime 1x
}
export -f cross benchmarks
beside cross bash -euo pipefail -c cross
beside lint .ci/lint

# More packages at once than processors: most of them wait for engines and connections.
say "tests, with the race detector"
$gotestsum --format pkgname-and-test-fails --hide-summary skipped --jsonfile "$work/tests.json" -- -race -timeout 20m -p 4 -skip "$(.ci/norace)" ./...

say "tests that compute much, without it"
.ci/norace run

say "cross builds"
finish cross
say "golangci-lint"
finish lint

say "fuzzing, briefly"
.ci/fuzz

say "benchmarks"
benchmarks >"$work/bench" || { cat "$work/bench"; exit 1; }
grep '^Benchmark' "$work/bench"

say "what did not run"
$gotestsum --raw-command --format none -- cat "$work/tests.json"
[ "${AMLFIX_NO_CORPUS:-}" != 1 ] || echo "AMLFIX_NO_CORPUS=1: no test over real files ran."
