# What amlfix does on a cluster's head node, in the run's folder:
#   yarn.sh submit STORE PROGRAM ARGUMENT…   runs spark-submit and fetches what the driver has stored in STORE
#   yarn.sh stop STORE                       asks the driver to end the script
#   yarn.sh kill STORE                       ends the application
# STORE is a folder of the cluster's file system. submit is started in the project's folder.

say() { echo "amlfix: $*" >&2; }

# A program may be only on a login shell's PATH.
found() {
  command -v -- "$1" || "${SHELL:-sh}" -lc 'command -v "$0"' "$1" 2>/dev/null | grep '^/' | tail -n 1
}

dfs() { "$hdfs" dfs "$@"; }

# application prints the ID of the application: spark-submit prints it, unless its log is silenced; the driver marks it.
application() {
  id=$(sed -n 's/.*Submitted application \(application_[0-9]*_[0-9]*\).*/\1/p' "$1" | tail -n 1)
  [ -n "$id" ] || [ -z "$hdfs" ] || id=$(dfs -ls "$store" 2>/dev/null | sed -n 's/.*\/\(application_[0-9]*_[0-9]*\)$/\1/p' | tail -n 1)
  echo "$id"
}

drop() { [ -z "$hdfs" ] || dfs -rm -r -f -skipTrash "$store" >/dev/null 2>&1; }

# YARN collects the logs when the application is over.
logs() {
  yarn=$(found yarn)
  [ -n "$yarn" ] || { say "there is no program yarn here to ask for its log"; return; }
  for i in 1 2 3 4 5; do
    "$yarn" logs -applicationId "$1" > ../ship/logs 2>/dev/null && [ -s ../ship/logs ] && break
    sleep 2
  done
  cat ../ship/logs >&2
}

submit() {
  trap '' HUP INT TERM # amlfix asks the driver to stop; what runs here sees that to its end
  case $1 in "~/"*) program=$HOME/${1#"~/"}; shift; set -- "$program" "$@" ;; esac
  [ -z "$hdfs" ] || dfs -Dfs.permissions.umask-mode=077 -mkdir -p "$store" || hdfs=
  "$@"
  code=$?
  if [ -z "$hdfs" ]; then
    say "hdfs does not work here: what the script printed and its outputs/ stay on the cluster"
    logs "$(application ../err)"
    return $code
  fi
  # All of it, or the store stays: the disk may be full here.
  if dfs -cat "$store/result.tar" 2>../ship/said | tar -xf - 2>>../ship/said && [ -s .amlfix/exit ]; then
    cat .amlfix/stdout 2>/dev/null
    cat .amlfix/stderr >&2 2>/dev/null
    own=$(cat .amlfix/exit)
    drop
    [ "$own" = 0 ] || return "$own"
    return $code
  fi
  if dfs -test -e "$store/result.tar"; then
    say "what the driver has left in $store of the cluster's file system cannot be fetched: $(tail -n 1 ../ship/said)"
    return 1
  fi
  id=$(application ../err)
  if [ -n "$id" ]; then
    say "the driver has left nothing: it was killed, or never started. YARN's log of $id:"
    logs "$id"
  fi
  drop
  return $code
}

task=$1 store=$2
shift 2
hdfs=$(found hdfs)
case $task in
submit) submit "$@" ;;
stop) [ ! -e ship/store ] || [ -z "$hdfs" ] || dfs -touchz "$store/stop" ;;
kill)
  id=$(application err) yarn=$(found yarn)
  [ -z "$id" ] || [ -z "$yarn" ] || "$yarn" application -kill "$id" >/dev/null 2>&1
  [ ! -e ship/store ] || drop
  ;;
esac
