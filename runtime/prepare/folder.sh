# shellcheck shell=sh
# Makes an environment in the folder $1, unless it exists, from the folders new and masked in the
# working directory, with the command from $5 on, which runs in the folder $3. $2 is how it is made.
# Runs that need the same environment wait for each other, using a lock that ends with its process;
# what a killed run has left is made again. The file $4 exists meanwhile.
dir=$1 way=$2 at=$3 alive=$4 here=$(pwd)
shift 4
lock() {
  if command -v flock >/dev/null; then
    flock $1 9
  else
    python3 -c 'import fcntl, sys; fcntl.flock(9, fcntl.LOCK_EX | (fcntl.LOCK_NB if sys.argv[1:] else 0))' $1
  fi
}
mkdir -p "${dir%/*}" && : >"$alive" || exit
trap 'rm -f "$alive"' EXIT
exec 9>"$dir.lock"
if ! lock -n 2>/dev/null; then
  echo "another run is making this environment: waiting for it"
  lock || exit
fi
if [ -e "$dir/done" ]; then
  exit 0
fi
rm -rf "$dir"
mkdir "$dir" && cp -R "$here/new/." "$dir" && cd "$at" && "$@" 9>&- && cp -R "$here/masked/." "$dir"
code=$?
cd /
if [ $code = 0 ]; then
  sync -f "$dir" 2>/dev/null # a node that crashes has either all of it or no mark
  echo "$way" >"$dir/done" || code=$?
fi
[ $code = 0 ] || rm -rf "$dir"
exit $code
