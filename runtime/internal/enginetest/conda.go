//go:build linux

package enginetest

import "testing"

// CondaImage is the name of the image with Python and a stand-in for conda, which is not on its PATH.
const CondaImage = "amlfix-test/conda:1"

// CondaText is a program that stands in for conda, which no package system here provides. It proves how conda is
// called, that its output is shown and that its failures are noticed; it does not prove that any package can be found
// or installed. The environment that it makes is the image's Python. A file that contains the word nosuch fails, slow
// takes long, enormous fills the disk, and activated installs packages with scripts that conda runs when an environment
// is activated. The comment "# show" prints the file, and "# list" lists the files in the working directory.
const CondaText = `#!/bin/sh
echo "` + StandInMark + ` conda $*"
[ $# = 6 ] && [ "$1 $2 $3 $5" = "env create -p -f" ] || { echo "the stand-in does not know this call" >&2; exit 2; }
text=$(cat "$6") || exit 3
case $text in
*nosuch*) printf 'ResolvePackageNotFound: \n  - nosuch=1.0\n' >&2; exit 1 ;;
*"# show"*) echo "$text" ;;
*"# list"*) pwd; for f in * */* ../*.txt; do [ ! -f "$f" ] || { echo "$f:"; cat "$f"; }; done ;;
*enormous*) mkdir -p "$4"; cat /dev/zero > "$4/package"; exit 1 ;;
*slow*) trap 'echo Traceback >&2; exit 130' INT TERM; printf 'Solving environment: ...'; sleep 600 & wait ;;
esac
mkdir -p "$4/bin"
case $text in
*activated*)
  mkdir -p "$4/etc/conda/activate.d"
  printf 'export CUDA_HOME="$CONDA_PREFIX/cuda" ORDER="$ORDER"b\nset -- spoilt\n' > "$4/etc/conda/activate.d/b.sh"
  printf 'export ORDER="$ORDER"a\n' > "$4/etc/conda/activate.d/a.sh"
  printf 'export ORDER="$ORDER"fish\n' > "$4/etc/conda/activate.d/c.fish" ;;
esac
ln -s /usr/bin/python3 "$4/bin/python"
`

// Conda returns the name of an image with the stand-in for conda, which it makes if it does not exist.
func (e *Engine) Conda(t testing.TB) string {
	t.Helper()
	e.Derive(t, CondaImage, e.Python(t), map[string]string{"/opt/miniconda3/bin/conda": CondaText}, "ENV A=b PATH=/bin:/usr/bin", "ENTRYPOINT [\"/bin/sh\"]")
	return CondaImage
}
