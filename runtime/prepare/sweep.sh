# shellcheck shell=sh
# Removes from the folder $1 the environments that no run has used for a month, and the remains of
# killed runs, except those still being made.
cd "$1" && command -v flock >/dev/null || exit 0
for lock in *.lock; do
  env=${lock%.lock}
  [ -d "$env" ] || continue
  (
    flock -n 9 || exit
    [ ! -e "$env/done" ] || [ -n "$(find "$env/done" -mtime +30)" ] || exit
    rm -f "$env/done"
    rm -rf "$env"
  ) 9>"$lock"
done
