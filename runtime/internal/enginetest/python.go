//go:build linux

package enginetest

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// PythonImage is the name of the image with Debian's Python, its module venv, and a shell.
const PythonImage = "amlfix-test/python:1"

// pythonArchive makes the file system of an image from Debian packages, without a registry and without installing
// anything, and keeps it between test runs. It returns the path of a tar archive.
var pythonArchive = sync.OnceValues(func() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	archive := filepath.Join(cache, "amlfix-test", "python-compiled.tar")
	if _, err := os.Stat(archive); err == nil {
		return archive, nil
	}
	out, err := exec.Command("apt-cache", "depends", "python3-minimal").Output()
	if err != nil {
		return "", fmt.Errorf("no apt-cache here, so no image with Python: %w", err)
	}
	version := regexp.MustCompile(`Depends: python(3\.\d+)-minimal`).FindStringSubmatch(string(out))
	if version == nil {
		return "", errors.New("apt knows no Python 3 (run apt-get update)")
	}
	python := "python" + version[1]
	dir, err := os.MkdirTemp("", "amlfix-python-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	script := fmt.Sprintf(`set -e
mkdir debs root
(cd debs && apt-get download -qq -o APT::Sandbox::User=root libc6 libcrypt1 zlib1g libexpat1 libbz2-1.0 liblzma5 libffi8 libssl3 %[1]s-minimal lib%[1]s-minimal lib%[1]s-stdlib \
  %[1]s-venv python3-distutils python3-pip-whl python3-setuptools-whl busybox-static)
for d in debs/*.deb; do dpkg -x "$d" root; done
for f in bin lib lib64; do [ -e root/$f ] || ln -s usr/$f root/$f; done
ln -sf %[1]s root/usr/bin/python
ln -sf %[1]s root/usr/bin/python3
for f in sh cat ln mkdir sleep; do ln -s busybox root/bin/$f; done
mv root/usr/share/python-wheels . && rm -rf root/usr/share && mkdir root/usr/share && mv python-wheels root/usr/share/
mkdir -p root/tmp root/etc && chmod 1777 root/tmp
# as the packages do when they are installed: otherwise each container compiles the modules that it imports
chroot root /usr/bin/python3 -m compileall -q -x '/(ctypes|curses|dbm|lib2to3|pydoc_data|sqlite3|test|tkinter|unittest|wsgiref|xmlrpc)/' /usr/lib/%[1]s
mkdir -p %[2]s
tar -C root -cf %[3]s.$$ . && mv %[3]s.$$ %[3]s`, python, filepath.Dir(archive), archive)
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("no image with Python could be made of Debian's packages: %w\n%.500s", err, strings.TrimSpace(string(out)))
	}
	return archive, nil
})

// Python returns the name of an image with Python, which it makes if it does not exist.
func (e *Engine) Python(t testing.TB) string {
	t.Helper()
	archive, err := pythonArchive()
	if err != nil {
		testkit.Unavailable(t, err.Error())
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, err := e.do(http.MethodGet, "/images/"+PythonImage+"/json", nil); err != nil {
		text := []byte(testkit.Read(t, archive))
		e.Import(t, PythonImage, text)
	}
	return PythonImage
}
