# shellcheck shell=sh
# The shell that waits for the job, in the project's folder: it survives the signals
# that the job gets, so that there is an exit code. The output is appended to,
# because a job may empty its own output file; it is opened in a process of its
# own, so that what this shell says of a signal is not in it. The room for the exit code is taken
# before the job can fill the disk.
trap : TERM INT HUP
echo "$$ $(date +%s.%N)" >../pid.part && mv ../pid.part ../pid
printf '%60s\n' "" >../exit.part
(exec "$@" >>../out 2>>../err)
c=$?
printf '%-60s\n' "$c $(date +%s.%N)" 1<>../exit.part && mv ../exit.part ../exit
