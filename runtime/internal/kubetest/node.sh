#!/bin/sh
# Starts and stops a Kubernetes cluster of one node from what build.sh has put into FOLDER: node.sh
# start|stop|clear FOLDER. Everything is in that folder, with separate ports and a separate bridge, except for what
# the kubelet and containerd always write elsewhere, which stop removes. It needs root, Linux and version 1 of
# cgroups.
#
# FOLDER/env has what a shell needs: kubectl on its PATH, and KUBECONFIG. The PIDs are in FOLDER/pid.
set -eu
mkdir -p "$2"
cd "$2"
folder=$(pwd)
bridge=amlfixkube0 net=10.91.7 node=node1
etcd=27379 api=27443 kubelet=27250
export KUBECONFIG="$folder/kubeconfig" PATH="$folder/bin:$PATH"
images() { ctr -a "$folder/run/containerd.sock" -n k8s.io "$@"; }

# daemon NAME ARGUMENT... starts one of the node's programs in the background.
daemon() {
  name=$1; shift
  setsid "$@" >"log/$name" 2>&1 </dev/null &
  echo $! >"pid/$name"
}

# until_ok WHAT COMMAND... waits for at most a minute.
until_ok() {
  what=$1 tries=300; shift
  until "$@" >/dev/null 2>&1; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || { echo "node.sh: $what did not come; see $folder/log" >&2; exit 1; }
    sleep 0.2
  done
}

configure() {
  mkdir -p certs cni log pid run kubelet pods
  [ -f certs/sa.key ] || openssl genrsa -out certs/sa.key 2048 2>/dev/null
  openssl rsa -in certs/sa.key -pubout -out certs/sa.pub 2>/dev/null
  # Two users: one who may do everything, and one who may do nothing. A third one is unknown.
  printf 'all,admin,1,system:masters\nnothing,guest,2,guests\n' >certs/tokens
  cat >kubeconfig <<EOF
apiVersion: v1
kind: Config
clusters:
- {name: node, cluster: {server: 'https://127.0.0.1:$api', insecure-skip-tls-verify: true}}
- {name: away, cluster: {server: 'https://127.0.0.1:1', insecure-skip-tls-verify: true}}
users:
- {name: admin, user: {token: all}}
- {name: guest, user: {token: nothing}}
- {name: stranger, user: {token: wrong}}
contexts:
- {name: node, context: {cluster: node, user: admin}}
- {name: guest, context: {cluster: node, user: guest}}
- {name: away, context: {cluster: away, user: admin}}
- {name: stranger, context: {cluster: node, user: stranger}}
current-context: node
EOF
  cat >env <<EOF
export KUBECONFIG=$folder/kubeconfig PATH=$folder/bin:\$PATH
EOF
  cat >containerd.toml <<EOF
version = 2
root = "$folder/containerd"
state = "$folder/run/containerd"
disabled_plugins = ["io.containerd.internal.v1.opt", "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.aufs"]
[grpc]
  address = "$folder/run/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/amlfix-bare:1"
  disable_apparmor = true
  restrict_oom_score_adj = true # without CAP_SYS_RESOURCE, runc cannot set it
[plugins."io.containerd.grpc.v1.cri".containerd]
  default_runtime_name = "runc"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
  SystemdCgroup = false
[plugins."io.containerd.grpc.v1.cri".cni]
  bin_dir = "$folder/root/usr/lib/cni"
  conf_dir = "$folder/cni"
EOF
  cat >cni/node.conflist <<EOF
{"cniVersion": "1.0.0", "name": "amlfix", "plugins": [{
  "type": "bridge", "bridge": "$bridge", "isGateway": true, "hairpinMode": true,
  "ipam": {"type": "host-local", "dataDir": "$folder/run/addresses", "routes": [{"dst": "0.0.0.0/0"}],
    "ranges": [[{"subnet": "$net.0/24", "gateway": "$net.1"}]]}}]}
EOF
  # Anyone on this machine may talk to the kubelet: it listens only on the bridge.
  cat >kubelet.yaml <<EOF
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: $net.1
port: $kubelet
healthzPort: 0
authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
containerRuntimeEndpoint: unix://$folder/run/containerd.sock
cgroupDriver: cgroupfs
failCgroupV1: false
failSwapOn: false
enforceNodeAllocatable: []
makeIPTablesUtilChains: false
clusterDomain: cluster.local
clusterDNS: [$net.1]
podLogsDir: $folder/pods
volumePluginDir: $folder/kubelet/plugins
evictionHard: {nodefs.available: 100Mi, imagefs.available: 100Mi}
evictionPressureTransitionPeriod: 5s
imageGCHighThresholdPercent: 99
imageGCLowThresholdPercent: 98
EOF
  cat >names.conf <<EOF
.:53 {
  bind $net.1
  errors
  kubernetes cluster.local {
    kubeconfig $folder/kubeconfig
  }
}
EOF
}

start() {
  configure
  ls /run/netns >run/netns.before 2>/dev/null || true
  sysctl vm.overcommit_memory kernel.panic kernel.panic_on_oops | tr -d ' ' >run/sysctl.before # the kubelet sets them
  ip link show $bridge >/dev/null 2>&1 || { ip link add $bridge type bridge; ip address add $net.1/24 dev $bridge; ip link set $bridge up; }
  url=http://127.0.0.1:$etcd peers=http://127.0.0.1:$((etcd + 1))
  daemon etcd root/usr/bin/etcd --data-dir etcd --listen-client-urls $url --advertise-client-urls $url \
    --listen-peer-urls $peers --initial-advertise-peer-urls $peers --initial-cluster default=$peers --unsafe-no-fsync
  daemon containerd containerd -c containerd.toml
  api
  daemon manager kube-controller-manager --kubeconfig=kubeconfig --leader-elect=false --service-account-private-key-file=certs/sa.key \
    --root-ca-file=certs/apiserver.crt --bind-address=127.0.0.1 --secure-port=27257 --cert-dir=certs --node-monitor-grace-period=20s
  daemon scheduler kube-scheduler --kubeconfig=kubeconfig --leader-elect=false --bind-address=127.0.0.1 --secure-port=27259 --cert-dir=certs
  until_ok containerd images version
  # Removes images of earlier tests' registries: a node reports at most five names of an image.
  images images ls -q | grep '^127\.0\.0\.1:' | xargs -r ctr -a "$folder/run/containerd.sock" -n k8s.io images rm >/dev/null || true
  for image in image/*.tar; do images images import "$image" >/dev/null; done
  images images tag --force localhost/amlfix-job:1 docker.io/library/python:3.12-slim >/dev/null # what docs/kubernetes.md calls it
  kubelet
  daemon names names -conf names.conf
  until_ok "a node that is ready" kubectl wait --for=condition=Ready node/$node --timeout=0s
  until_ok "the service account" kubectl get serviceaccount default
}

api() {
  daemon api kube-apiserver --etcd-servers=http://127.0.0.1:$etcd --bind-address=127.0.0.1 --secure-port=$api --cert-dir=certs --token-auth-file=certs/tokens \
    --authorization-mode=RBAC --service-cluster-ip-range=10.96.0.0/16 --service-account-issuer=https://kubernetes.default.svc \
    --service-account-key-file=certs/sa.pub --service-account-signing-key-file=certs/sa.key --allow-privileged \
    --endpoint-reconciler-type=none --kubelet-preferred-address-types=InternalIP
  until_ok "the API server" kubectl get --raw /readyz
}

kubelet() {
  daemon kubelet kubelet --config=kubelet.yaml --kubeconfig=kubeconfig --root-dir="$folder/kubelet" --cert-dir="$folder/certs" --hostname-override=$node --node-ip=$net.1
}

# end NAME ends one of the node's programs, and waits until it is gone.
end() {
  [ -f "pid/$1" ] || return 0
  process=$(cat "pid/$1")
  rm -f "pid/$1"
  case $(cat "/proc/$process/environ" 2>/dev/null | tr '\000' '\n') in
    *"KUBECONFIG=$KUBECONFIG"*) ;; # another process has the number by now
    *) return 0 ;;
  esac
  kill "$process" 2>/dev/null || return 0
  tries=50
  while [ -d "/proc/$process" ] && [ $tries -gt 0 ]; do sleep 0.2; tries=$((tries - 1)); done
  kill -9 "$process" 2>/dev/null || true
}

stop() {
  set +e
  kubectl delete jobs,pods,services --all --force --grace-period=0 --timeout=20s >/dev/null 2>&1
  for name in names kubelet scheduler manager api etcd; do end $name; done
  for exe in /proc/[0-9]*/exe; do # a program of the folder whose number was lost
    case $(readlink "$exe") in "$folder/bin/"* | "$folder/root/"*) kill -9 "$(basename "$(dirname "$exe")")" ;; esac
  done 2>/dev/null
  for task in $(images tasks ls -q 2>/dev/null); do images tasks kill -s KILL "$task"; done >/dev/null 2>&1
  sleep 1
  for c in $(images containers ls -q 2>/dev/null); do images tasks rm -f "$c"; images containers rm "$c"; done >/dev/null 2>&1
  end containerd
  awk -v folder="$folder/" 'index($2, folder) == 1 { print $2 }' /proc/mounts | sort -r | while read -r mount; do umount -l "$mount"; done
  ip link delete $bridge 2>/dev/null
  [ ! -f run/sysctl.before ] || sysctl -q -p run/sysctl.before
  for group in /sys/fs/cgroup/*/kubepods; do
    [ ! -d "$group" ] || find "$group" -depth -type d -exec rmdir {} \; 2>/dev/null
  done
  [ ! -f run/netns.before ] || for n in $(ls /run/netns 2>/dev/null | grep '^cni-' | grep -vxFf run/netns.before); do umount "/run/netns/$n"; rm -f "/run/netns/$n"; done
  find /var/log/containers -lname "$folder/*" -delete 2>/dev/null
  rm -f /var/lib/cni/results/amlfix-*
  rm -rf run/containerd run/containerd.sock*
  true
}

case $1 in
start) start ;;
kubelet | api) $1 ;; # for tests that have killed it
stop) stop ;;
clear) # a new cluster, with the programs that are built
  stop
  rm -rf etcd containerd kubelet pods run log pid cni certs env kubeconfig ./*.yaml names.conf containerd.toml
  ;;
*) echo "node.sh: start, stop or clear, and a folder" >&2; exit 2 ;;
esac
