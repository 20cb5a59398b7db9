# shellcheck shell=sh
# The shell that waits for the job, in the project's folder. It survives the signals that the job
# gets, so that there is an exit code. It appends to the output file, because a job may truncate it,
# and opens the file in a separate process, so that this shell's own messages about a signal are not
# in it. It reserves space for the exit code before the job can fill the disk.
trap : TERM INT HUP PIPE
echo "$$ $(date +%s.%N)" >../pid.part && mv ../pid.part ../pid
echo # to the watchdog
printf '%60s\n' "" >../exit.part
(exec "$@" >>../out 2>>../err)
c=$?
printf '%-60s\n' "$c $(date +%s.%N)" 1<>../exit.part && mv ../exit.part ../exit
