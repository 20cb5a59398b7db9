//go:build linux

package enginetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// otherEngine is the variable that names the folder of another engine's programs; if it is empty or not set, the
// machine's are used.
const otherEngine = "AMLFIX_TEST_DOCKERD"

// program returns the location of a daemon: a path, or a name to look up on PATH. A folder may contain only dockerd.
func program(name string) string {
	if folder := os.Getenv(otherEngine); folder != "" {
		path := filepath.Join(folder, name)
		if _, err := os.Stat(path); err == nil || name == "dockerd" {
			return path
		}
	}
	return name
}

// programs returns the daemons' PATH, where they find the shim, runc and NVIDIA's hook. first is a folder, or empty.
func programs(first string) string {
	folders := []string{first, os.Getenv(otherEngine), os.Getenv("PATH")}
	return strings.Join(slices.DeleteFunc(folders, func(f string) bool { return f == "" }), ":")
}

// otherSettings returns the contents of daemon.json in the other engine's folder.
func otherSettings() (settings map[string]any, err error) {
	folder := os.Getenv(otherEngine)
	if folder == "" {
		return nil, nil
	}
	file := filepath.Join(folder, "daemon.json")
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &settings)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return settings, nil
}

// API returns the newest API version that the engine supports, without its "1.": 41 is Docker 20.10, 44 is 25, 52 and
// up are 29. Tests use it to tell engines apart, because a daemon built from its module does not know its Docker
// version.
func (e *Engine) API(t testing.TB) int {
	t.Helper()
	text, err := e.do(http.MethodGet, "/version", nil)
	var version struct{ ApiVersion string }
	if err == nil {
		err = json.Unmarshal(text, &version)
	}
	minor, found := strings.CutPrefix(version.ApiVersion, "1.")
	n, odd := strconv.Atoi(minor)
	if err != nil || odd != nil || !found {
		t.Fatalf("the engine's version is %.200s: %v", text, err)
	}
	return n
}
