#!/usr/bin/env bash
# Runs all tests on a fresh machine that has Go, Python 3, Node and git. As root on
# Debian or Ubuntu, it installs the packages of the programs that tests start;
# elsewhere the tests that need a missing one are skipped, and listed at the end.
set -euo pipefail
cd "$(dirname "$0")"
export work
work=$(mktemp -d)
# What tests leave out is run meanwhile, in a process group of its own.
beside=
trap '[ -z "$beside" ] || kill -- "-$beside" 2>/dev/null || true; rm -rf "$work"' EXIT
# A program with the race detector otherwise sleeps for a second before it ends.
export GORACE=atexit_sleep_ms=0
# What installs packages is left out of a plain "go test ./...", and is not here.
export AMLFIX_TEST_CHANNELS=1
# What was built in another clone is used again.
export GOFLAGS="${GOFLAGS:+$GOFLAGS }-trimpath"
export gotestsum="go run gotest.tools/gotestsum@v1.13.0 --format pkgname-and-test-fails"
# The last net under a machine that does much else: a test that fails is run again, at
# most twice, and named at the end. Where more than a few fail, one has a data race or
# panics, or a package fails without a test of its own, none is.
export again="--rerun-fails=2 --rerun-fails-max-failures=4 --rerun-fails-run-root-test --rerun-fails-abort-on-data-race"

# tests NAME PACKAGES FLAG...: runs tests; what they say and which failed once goes to files of that name.
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
has nvim || missing+=(neovim) # an editor that speaks the language server protocol
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

say "formatting"
[ -z "$(gofmt -l .)" ] || { gofmt -l .; exit 1; }

say "one static binary"
CGO_ENABLED=0 GOBIN="$work" go install -trimpath ./cmd/amlfix
"$work/amlfix" --version
if command -v ldd >/dev/null; then ! ldd "$work/amlfix" 2>/dev/null | grep -q '=>' || { echo "the binary is not static" >&2; exit 1; }; fi

# Each of these runs while tests wait, one after the other, since most of them use all
# processors. The benchmarks use one: they come early, and run once to see that they do.
lint() { .ci/lint; } # it has all of go vet, too
benchmarks() {
  grep -rl --include='*_test.go' '^func Benchmark' [a-z]*/ | xargs -n1 dirname | sort -u | sed 's|^|./|' |
    xargs go test -vet=off -run '^$' -bench . -benchtime 1x | grep -v '^\(goos\|goarch\|pkg\|cpu\|PASS\)'
}
cross() { # builds for other systems
  for os in windows darwin; do
    for arch in amd64 arm64; do CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -o /dev/null ./cmd/amlfix; done
  done
  GOOS=js GOARCH=wasm go build ./schema/... ./rules/... ./fixers/...
  go run ./cmd/internal/site "$work/site" # fails if a link leads nowhere, or the playground is too large
}
norace() { # tests that compute much
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
# Without cgo, as the program is built: what was compiled for it is used again.
CGO_ENABLED=0 nice bash -c meanwhile &
beside=$!
set +m

# More packages at once than processors: most of them wait for engines and connections.
# The longest come first, the linters vet, and no result of another clone counts.
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
  say "FAILED ONCE, THEN PASSED: tests that depend on how busy the machine is, and are to be repaired"
  cat "$work"/*.again
fi
