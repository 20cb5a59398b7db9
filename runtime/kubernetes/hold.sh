# shellcheck shell=sh
# The first process of a job's container. Its arguments are the run's folder and the mark of its
# processes. amlfix sends the project, starts the job beside this process, fetches the outputs and
# writes the exit code to FOLDER.over, with which the container then ends. When the pod is deleted,
# it asks the job to end. Without amlfix, it keeps everything for a day after the job's end, and for
# an hour before its start, not counting the time while FOLDER.alive exists: the environment is then
# being made. If the job has failed and is one of several ($3 is the exit code that ends the
# others), it keeps everything for an hour, unless amlfix has created FOLDER/seen. The job's output
# is then the pod's log. A pod that replaces a deleted or evicted one never gets a job: it, too, ends
# the others after an hour. On a claim, it finds the folder of the other pod.
run=$1 mark=$2 alone=$3 idle=0 stopping= former=
trap 'stopping=1' TERM INT
marked() { grep -lsxzF -e "$mark" /proc/[0-9]*/environ; }
finish() {
  rm -f "$run.over" "$run.alive"
  exit "$1"
}
forsake() { # the job's exit code is then in the pod's status
  [ -z "$alone" ] || echo "$1" 2>/dev/null >/dev/termination-log
  finish "${alone:-$1}"
}
ended() { c=; [ -s "$run/exit" ] && read -r c _ <"$run/exit"; }
forsaken() { [ -n "$alone" ] && [ "$c" != 0 ] && [ ! -e "$run/seen" ] && [ -n "$(find "$run/exit" -mmin +60)" ]; }
mkdir -p "${run%/*}"
rm -f "$run.alive"
[ ! -e "$run/pid" ] || former=1
while :; do
  if [ -s "$run.over" ]; then
    read -r c <"$run.over"
    finish "$c"
  fi
  if [ "$stopping" = 1 ]; then
    : 2>/dev/null >"$run/stopping" # amlfix looks for it
    for f in $(marked); do
      f=${f#/proc/}
      kill -TERM "${f%/environ}" 2>/dev/null
    done
    stopping=2
  fi
  if [ "$stopping" = 2 ] && ! marked >/dev/null; then
    sleep 1
    ended
    finish "${c:-143}"
  fi
  if ended; then
    idle=$((idle + 1))
    [ $idle -lt 86400 ] || finish "$c"
    if [ $((idle % 10)) = 1 ] && forsaken; then
      cat "$run/out"
      cat "$run/err" >&2
      forsake "$c"
    fi
  elif [ -n "$former" ] || [ ! -e "$run/pid" ] && [ ! -e "$run.alive" ]; then
    idle=$((idle + 1))
    [ $idle -lt 3600 ] || forsake 125
  else
    idle=0
  fi
  sleep 1 &
  wait $!
done
