#!/usr/bin/env bash
# Runs all tests on a fresh machine that has Go, Python 3, Node and git. As root on Debian or
# Ubuntu, it installs the packages of the programs that tests start; elsewhere, tests that need a
# missing program are skipped and listed at the end.
set -euo pipefail
cd "$(dirname "$0")"
export work
work=$(mktemp -d)
# The other jobs run in parallel, in their own process group.
beside=
trap '[ -z "$beside" ] || kill -- "-$beside" 2>/dev/null || true; rm -rf "$work"' EXIT
# Without this, a program with the race detector sleeps for a second before it exits.
export GORACE=atexit_sleep_ms=0
# Tests that install packages run here, but not in a plain "go test ./...".
export AMLFIX_TEST_CHANNELS=1
# Reuses what was built in another clone.
export GOFLAGS="${GOFLAGS:+$GOFLAGS }-trimpath"
export gotestsum="go run gotest.tools/gotestsum@v1.13.0 --format pkgname-and-test-fails"
# A safety net for busy machines: a failed test is run again, at most twice, and listed at the end.
# Nothing is rerun if more than a few tests fail, if one has a data race or panics, or if a package
# fails without a failed test.
export again="--rerun-fails=2 --rerun-fails-max-failures=4 --rerun-fails-run-root-test --rerun-fails-abort-on-data-race"

# tests NAME PACKAGES FLAG...: runs tests; their output and the list of those that failed once go to files with that name.
tests() {
  local name="$1" packages="$2" failed
  shift 2
  $gotestsum $again --rerun-fails-report="$work/$name.again" --hide-summary skipped --jsonfile "$work/$name.json" --packages="$packages" -- -count=1 -vet=off -timeout 20m -p 4 "$@"
  failing() { grep '"Action":"fail"' "$work/$name.json" | grep "$@" '"Test":' | grep -o '"Package":"[^"]*"' | sort -u; }
  failed=$(comm -23 <(failing -v) <(failing))
  [ -z "$failed" ] || { echo "failed without a failed test: $failed" >&2; return 1; }
}
export -f tests

say() { printf '\n== %s (%d s)\n' "$*" "$SECONDS"; }

for corpus in ../shared/corpus ../shared/corpus-v2; do
  if [ "${CI:-}" = true ] && [ "${AMLFIX_NO_CORPUS:-}" != 1 ] && [ ! -d "$corpus" ]; then
    echo "test.sh: CI=true, and the real files at $corpus are missing: AMLFIX_NO_CORPUS=1 leaves their tests out" >&2
    exit 1
  fi
done

say "programs that tests start"
missing=()
has() { command -v "$1" >/dev/null || [ -x "/usr/sbin/$1" ]; }
has dockerd || missing+=(docker.io)
has sshd || missing+=(openssh-server)
has sudo || missing+=(sudo)     # a user of the tests' own sshd accesses an engine with it
has nvim || missing+=(neovim) # an editor that speaks the language server protocol
has mandoc || missing+=(mandoc) # reads the manual page
has mkfs.vfat || missing+=(dosfstools) # file systems that fold case: vfat where the
has lowntfs-3g || missing+=(ntfs-3g)   # kernel knows it, else NTFS by way of FUSE
python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
echo "missing: ${missing[*]:-none}"
if [ "${#missing[@]}" -gt 0 ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq
  # RUNLEVEL keeps the packages' services from starting; tests start their own.
  RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

say "formatting"
[ -z "$(gofmt -l .)" ] || { gofmt -l .; exit 1; }

say "one static binary"
CGO_ENABLED=0 GOBIN="$work" go install -trimpath ./cmd/amlfix
"$work/amlfix" --version
if command -v ldd >/dev/null; then ! ldd "$work/amlfix" 2>/dev/null | grep -q '=>' || { echo "the binary is not static" >&2; exit 1; }; fi

# These run while tests wait, one after the other because most of them use all processors. The
# benchmarks use one processor and come early; each runs once, to check that it works.
lint() { .ci/lint; } # includes all of go vet
benchmarks() {
  grep -rl --include='*_test.go' '^func Benchmark' [a-z]*/ | xargs -n1 dirname | sort -u | sed 's|^|./|' |
    xargs go test -vet=off -run '^$' -bench . -benchtime 1x | grep -v '^\(goos\|goarch\|pkg\|cpu\|PASS\)'
}
cross() { # builds for other systems
  for os in windows darwin; do
    for arch in amd64 arm64; do CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -o /dev/null ./cmd/amlfix; done
  done
  GOOS=js GOARCH=wasm go build ./schema/... ./rules/... ./fixers/...
  go run ./cmd/internal/site "$work/site" # fails if a link is broken or the playground is too large
}
norace() { # tests with heavy computations
  tests norace "$(.ci/norace packages)" -run "$(.ci/norace)"
}
fuzz() { .ci/fuzz; }
jobs="lint benchmarks cross norace fuzz"
export -f $jobs
meanwhile() {
  for job in $jobs; do
    SECONDS=0
    bash -euo pipefail -c "$job" >"$work/$job.log" 2>&1 || touch "$work/$job.failed"
    echo "($SECONDS s)" >>"$work/$job.log"
  done
}
export -f meanwhile
export jobs
set -m
# Without cgo, as the program is built, so that its compiled packages are reused.
CGO_ENABLED=0 nice bash -c meanwhile &
beside=$!
set +m

# More packages in parallel than processors, because most of them wait for engines and connections.
# The longest come first, the linters already vet, and cached results of other clones do not count.
say "tests, with the race detector"
tests tests "./cmd/amlfix ./runtime ./runtime/docker ./..." -race -skip "$(.ci/norace)"

wait "$beside"
beside=
for job in $jobs; do
  say "$job"
  if [ -e "$work/$job.failed" ]; then cat "$work/$job.log"; exit 1; fi
  tail -n 80 "$work/$job.log"
done

say "what did not run"
$gotestsum --raw-command --format none --hide-summary failed,errors -- cat "$work/tests.json" "$work/norace.json"
[ "${AMLFIX_NO_CORPUS:-}" != 1 ] || echo "AMLFIX_NO_CORPUS=1: no test over real files ran."
if [ -s "$work/tests.again" ] || [ -s "$work/norace.again" ]; then
  say "FAILED ONCE, THEN PASSED: these tests depend on how busy the machine is and have to be fixed"
  cat "$work"/*.again
fi
