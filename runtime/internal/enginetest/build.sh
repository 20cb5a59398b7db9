#!/bin/sh
# Builds a Docker engine for tests: build.sh 29|28|25 FOLDER. It needs cgo, the module proxy and, for 29,
# libseccomp-dev and pkg-config; it installs nothing. Set AMLFIX_TEST_DOCKERD to the folder.
set -eu
version=$1
mkdir -p "$2"
GOBIN=$(cd "$2" && pwd)
export GOBIN GOFLAGS= CGO_ENABLED=1
module=$(mktemp -d)
trap 'rm -rf "$module"' EXIT
cd "$module"

# old VERSION builds a dockerd from when moby's go.mod was called vendor.mod, so that Go treats it as a module of
# 2021. The machine's containerd and runc are new enough for it.
old() {
  source=$(go mod download -json "github.com/docker/docker@$1+incompatible" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  sed 's/^module .*/module engine/' "$source/vendor.mod" >go.mod
  cat "$source/vendor.sum" >go.sum
  go mod edit -require "github.com/docker/docker@$1+incompatible"
  go install -mod=mod -trimpath "-gcflags=github.com/docker/docker/...=-lang=go1.23" \
    -ldflags "-X github.com/docker/docker/dockerversion.Version=${1#v}" github.com/docker/docker/cmd/dockerd
}

case $version in
29) # the versions are those of moby's own Dockerfile
  go install -trimpath github.com/moby/moby/v2/cmd/dockerd@v2.0.0-beta.24
  go install -trimpath github.com/containerd/containerd/v2/cmd/containerd@v2.3.5 github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2@v2.3.5
  go install -trimpath -tags seccomp github.com/opencontainers/runc@v1.5.1
  ;;
28) old v28.5.2 ;;
25) old v25.0.14 ;;
*) echo "build.sh: no engine $version is known here; there are 29, 28 and 25" >&2; exit 2 ;;
esac
