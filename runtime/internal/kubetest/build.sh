#!/bin/sh
# Builds what a Kubernetes cluster of one node needs into FOLDER: build.sh FOLDER. It gets Kubernetes and CoreDNS
# from the module proxy, and etcd, network plugins, BusyBox and Python from packages of Debian or Ubuntu, without
# installing any; containerd and runc must be installed. It needs about 0.4 GB, and 6 GB in Go's caches; six
# minutes on two cores.
set -eu
kubernetes=1.34.4 coredns=1.14.3
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/bin" "$1/src" "$1/debs" "$1/image/root" "$1/image/bare/bin"
cd "$1"
folder=$(pwd)
for program in go python3 apt-get dpkg openssl ip containerd runc ctr; do
  command -v $program >/dev/null || { echo "build.sh: there is no $program: install it" >&2; exit 1; }
done

# unpack FOLDER PACKAGE... unpacks packages without installing them
unpack() {
  to=$1; shift
  (cd debs && apt-get download -qq -o APT::Sandbox::User=root "$@" && for d in *.deb; do dpkg -x "$d" "$to"; done && rm -f -- *.deb)
}
[ -x root/usr/bin/etcd ] || unpack "$folder/root" etcd-server containernetworking-plugins busybox-static
python=$(apt-cache depends python3-minimal | sed -n 's/.*Depends: \(python3\.[0-9]*\)-minimal.*/\1/p')
[ -x "image/root/usr/bin/$python" ] || unpack "$folder/image/root" libc6 zlib1g libexpat1 libbz2-1.0 liblzma5 libffi8 libssl3 libuuid1 \
  $python-minimal lib$python-minimal lib$python-stdlib dash grep coreutils util-linux tar libacl1 libselinux1 libpcre2-8-0 libgmp10 libattr1
[ -d "image/root/usr/share/python-wheels" ] || unpack "$folder/image/root" $python-venv python3-distutils python3-pip-whl python3-setuptools-whl

export CGO_ENABLED=0 GOFLAGS=-mod=mod GOWORK=off
module() { # module NAME: the sources of a program as a module of their own
  mkdir -p "$folder/src/$1"
  cd "$folder/src/$1"
  cp "$here/testdata/$1/main.go" .
  [ -f go.mod ] || go mod init "$1" 2>/dev/null
}
module pause
go build -trimpath -ldflags="-s -w" -o "$folder/image/bare/bin/pause" .
module names
go get "github.com/coredns/coredns@v$coredns"
go mod tidy
go build -p 2 -trimpath -ldflags="-s -w" -o "$folder/bin/names" .
module programs
# Kubernetes' go.mod expects its parts beside it; as modules they have versions 0.x.
mod=$(go mod download -json "k8s.io/kubernetes@v$kubernetes" | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p')
go mod edit -require "k8s.io/kubernetes@v$kubernetes"
for part in $(sed -n 's|^[[:space:]]*\(replace \)\{0,1\}\([^ ]*\) => \./staging/.*|\2|p' "$mod"); do
  go mod edit -replace "$part=$part@v0.${kubernetes#1.}"
done
go mod tidy
version=k8s.io/component-base/version
go build -p 2 -trimpath -o "$folder/bin/programs" \
  -ldflags="-s -w -X $version.gitVersion=v$kubernetes -X $version.gitMajor=1 -X $version.gitMinor=$(echo $kubernetes | cut -d. -f2)" .
cd "$folder"
for name in kube-apiserver kube-controller-manager kube-scheduler kubelet kubectl; do ln -sf programs bin/$name; done

# Images: one with Python and a shell, and one with neither.
cd image/root
for name in python python3; do ln -sf $python usr/bin/$name; done
mkdir -p bin tmp root etc proc sys dev
ln -sf dash bin/sh # that of BusyBox prefers its own tools to others
chmod 1777 tmp
cp "$folder/root/bin/busybox" bin/
for tool in $(bin/busybox --list); do [ -e bin/$tool ] || ln -s busybox bin/$tool; done
echo root:x:0:0:root:/root:/bin/sh >etc/passwd
cd "$folder"
python3 "$here/testdata/image.py" image/job.tar localhost/amlfix-job:1 image/root
python3 "$here/testdata/image.py" image/bare.tar localhost/amlfix-bare:1 image/bare /bin/pause
