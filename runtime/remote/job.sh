# shellcheck shell=sh
# What amlfix does for a run on another machine: functions for any POSIX shell,
# which it sends before the command that calls one of them. amlfix sets
#   amlfix_run    the run's folder, absolute
#   amlfix_mark   NAME=ID, which identifies the processes of the run: it is in
#                 their environments
#   amlfix_stop   a script to run there before the job is asked to stop
#   amlfix_kill   a script to run there before the job is killed
# A job may have variables of any other name. Exit codes: 67 the folder is gone, 68 the job was not
# started, 70 it ended without leaving an exit code, 71 too few GPUs are free, 72 it is not known
# which are. Needs /proc as only Linux has it.

# enter goes to the run's folder.
enter() { cd -- "$amlfix_run" 2>/dev/null || exit 67; }

# marked lists the environments of the processes of the run.
marked() { grep -lsxzF -e "$amlfix_mark" /proc/[0-9]*/environ; }

# alive PROCESS: a zombie has no environment.
alive() { grep -qsxzF -e "$amlfix_mark" "/proc/$1/environ"; }

# send SIGNAL [EXCEPT] signals all processes of the run but one, and fails if there are no others. It
# checks each process, because its PID may have been reused.
send() {
  sent=1
  for f in $(marked); do
    f=${f#/proc/}
    f=${f%/environ}
    [ "$f" != "$2" ] || continue
    kill -"$1" "$f" 2>/dev/null
    sent=0
  done
  return $sent
}

# kill_all [EXCEPT] kills all processes of the run but one: those that have not been killed yet may
# start others meanwhile.
kill_all() {
  k=0
  while [ $k -lt 20 ] && send KILL "$1"; do
    sleep 0.1
    k=$((k + 1))
  done
}

# end_stragglers ends all processes of the run within two seconds.
end_stragglers() {
  send TERM
  i=0
  while [ $i -lt 20 ] && marked >/dev/null; do
    sleep 0.1
    i=$((i + 1))
  done
  kill_all
}

# claim creates a folder: only the process that creates it stops the job for its time limit. A full
# disk must not keep a job running.
claim() { mkdir timedout 2>/dev/null || [ ! -d timedout ]; }

# stop_for_limit asks the job to end because its time limit has passed, unless watch has done so.
stop_for_limit() {
  if claim; then
    eval "$amlfix_stop"
    read -r p _ <pid
    send TERM "$p"
  fi
  true
}

# append NAME FOLDER appends a folder to a variable such as PYTHONPATH.
append() { eval "export $1=\"\${$1:+\$$1:}\$2\""; }

# share NAME FOLDER creates a folder and stores its path in a variable. ~/ is the user's home, to
# which a relative path refers as well.
share() {
  cd || exit 1
  case $2 in
    "~/"*) set -- "$1" "$HOME/${2#"~/"}" ;;
  esac
  mkdir -p -- "$2" && cd -- "$2" && export "$1=$(pwd -P)/" || exit 1
}

# leases prints "RUN GPUS" for this user's runs that have reserved GPUs of this machine. A lease is
# a variable of the run's processes, and ends with them.
leases() {
  grep -sHz -e "^${amlfix_mark%%=*}=" -e '^AMLFIX_GPUS=[0-9]' /proc/[0-9]*/environ | tr '\n\000' ' \n' |
    awk -F '[:=]' -v mark="${amlfix_mark%%=*}" '
      $2 == mark { run[$1] = $3 }
      $2 == "AMLFIX_GPUS" { gpus[$1] = $3 }
      END { for (p in gpus) if (p in run) print run[p], gpus[p] }' | sort -u
}

# choose N TOTAL prints N free GPUs, or otherwise who has them.
choose() (
  leases=$(leases)
  taken=,$(printf '%s\n' "$leases" | sed 's/.* //' | tr '\n' ,)
  gpus='' n=0 i=0
  while [ $i -lt "$2" ] && [ $n -lt "$1" ]; do
    case $taken in
      *",$i,"*) ;;
      *) gpus=$gpus${gpus:+,}$i n=$((n + 1)) ;;
    esac
    i=$((i + 1))
  done
  if [ $n -lt "$1" ]; then
    printf '%s\n' "$leases"
    exit 71
  fi
  echo "$gpus"
)

# lock waits until no other run is choosing GPUs, for at most a minute. The lock is on file
# descriptor 9, which no job may hold open.
lock() (
  command -v flock >/dev/null || exit 72
  i=0
  until flock -n 9; do
    [ $i -lt 600 ] || exit 72
    sleep 0.1
    i=$((i + 1))
  done
)

# lease N TOTAL reserves N of the machine's GPUs for the job. Other runs wait until it is started.
lease() {
  exec 9>>"${amlfix_run%/*/*}/gpus.lock"
  lock || exit 72
  amlfix_gpus=$(choose "$@") || {
    echo "$amlfix_gpus"
    exit 71
  }
  echo "gpus $amlfix_gpus"
  export AMLFIX_GPUS="$amlfix_gpus" CUDA_VISIBLE_DEVICES="$amlfix_gpus" NVIDIA_VISIBLE_DEVICES="$amlfix_gpus" CUDA_DEVICE_ORDER=PCI_BUS_ID
}

# start PROJECT WRAPPER WATCHDOG PROGRAM ARGUMENT… starts the job in the project's folder, under the
# script WRAPPER, and, if there is a limit, watched by the script WATCHDOG. If setsid cannot fork by
# itself, the job ignores SIGINT, like everything that a shell starts with "&"; it still gets
# SIGTERM later.
start() {
  enter
  cd -- "$1" || exit 1
  : >../out && : >../err || exit 1
  amlfix_wrapper=$2 amlfix_watchdog=$3
  shift 3
  if setsid -f true 2>/dev/null; then amlfix_fork=-f; else amlfix_fork=; fi
  if [ -n "$amlfix_watchdog" ] && ! command -v timeout >/dev/null; then
    echo "no timeout"
    amlfix_watchdog=
  fi
  if [ -n "$amlfix_fork" ]; then
    started "$@"
  else
    (
      exec >/dev/null 2>&1 9>&- # a redirection of its own would keep the session's streams open
      started "$@"
    ) &
  fi
  amlfix_i=0
  while [ ! -s ../pid ] && [ $amlfix_i -lt 100 ]; do
    sleep 0.05
    amlfix_i=$((amlfix_i + 1))
  done
  [ -s ../pid ]
}

# The watchdog does not carry the run's mark. Its standard input is a pipe that the job's own shell
# holds open: when that shell ends, the program timeout, which waits for the limit, sees the end of
# the pipe, so nothing outlives the job.
started() {
  if [ -n "$amlfix_watchdog" ]; then
    wrapped "$@" | unmarked >/dev/null 2>&1
  else
    wrapped "$@" >/dev/null
  fi
}

# shellcheck disable=SC2086 # an empty $amlfix_fork must not become an argument
wrapped() (exec setsid $amlfix_fork sh -c "$amlfix_wrapper" sh "$@" </dev/null 2>/dev/null 9>&-)

# shellcheck disable=SC2086
unmarked() (
  unset "${amlfix_mark%%=*}"
  exec setsid $amlfix_fork sh -c "$amlfix_watchdog" 9>&-
)

# over SECONDS waits, and fails if the job ends first.
over() {
  timeout "$1" cat
  [ $? = 124 ]
}

# watch LIMIT HALF SLACK enforces a time limit while nobody watches: after LIMIT the job is asked to
# end, after HALF of its grace period it is asked again, after the other half it is killed, and
# after SLACK it is given up; all in seconds. It starts in the project's folder. LIMIT counts from the
# job's start, of which the job's shell tells it: on a busy machine, that can be seconds later.
watch() {
  enter
  read -r _ || exit
  over "$1" || exit
  read -r p _ <pid
  if claim; then asks=true; else asks=false; fi
  if $asks; then
    {
      eval "$amlfix_stop"
      send TERM "$p"
    } </dev/null &
  fi
  if over "$2"; then
    if $asks; then send TERM "$p"; fi
    if over "$2"; then
      eval "$amlfix_kill"
      kill_all "$p"
      over "$3"
    fi
  fi
  end_stragglers
}

# follow OUT ERR passes the output on from these byte offsets until the job has ended or this
# session has lost its sshd.
follow() {
  enter
  i=0
  while [ ! -s pid ]; do
    [ $i -lt 20 ] || exit 68
    sleep 0.1
    i=$((i + 1))
  done
  read -r p _ <pid
  tail -c "+$1" -f out 2>/dev/null &
  a=$!
  tail -c "+$2" -f err >&2 2>/dev/null &
  b=$!
  while [ ! -e exit ] && kill -0 "$PPID" 2>/dev/null; do
    if ! alive "$p"; then
      sleep 0.2
      [ -e exit ] || c=70
      break
    fi
    sleep 0.1
  done
  sleep 0.1
  kill "$a" "$b" 2>/dev/null
  exit "${c:-0}"
}

# ended prints, one per line: the start, the end or "none", the current time, whether the limit had
# passed, and "full" if nothing can be written here.
ended() {
  enter
  cat pid
  cat exit 2>/dev/null || echo none
  date +%s.%N
  if [ -d timedout ]; then echo timedout; else echo "in time"; fi
  { echo x >room; } 2>/dev/null || echo full
  rm -f room
}

# keep_tree PROJECT FOLDER TREE ROOM keeps the project, without its outputs, as FOLDER/TREE for a
# later run, unless the disk has no room (in KiB) for another one or nothing could compare it.
keep_tree() {
  command -v python3 >/dev/null || exit 1
  free=$(df -Pk . | awk 'NR == 2 { print $4 }')
  [ "$free" -gt "$4" ] || exit 1
  chmod -R u+rwX -- "$1/outputs" 2>/dev/null
  rm -rf -- "$1/outputs" && (umask 077 && mkdir -p -- "$2") && touch -- "$1" && mv -- "$1" "$2/$3"
}

# sweep_trees STORE OWNER KNOWN EXCESS removes trees, given relative to the user's home: those in
# EXCESS, unknown ones of the owner, and those unused for a month.
sweep_trees() {
  cd && cd -- "$1" || exit 1
  for tree in */*; do
    case $4 in
      *" ${tree#*/} "*) ;;
      *)
        case $3 in
          *" ${tree#*/} "*) continue ;;
        esac
        old=43200
        [ "${tree%/*}" != "$2" ] || old=60
        [ -n "$(find "$tree" -prune -mmin +$old)" ] || continue
        ;;
    esac
    chmod -R u+rwX -- "$tree" 2>/dev/null
    rm -rf -- "$tree"
  done
  rmdir -- * 2>/dev/null
  true
}
