package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/amlfix/amlfix/schema/plain"
)

// registered is what a registry says about a package, in PyPI's JSON format.
type registered struct {
	name     string
	Releases map[string][]file `json:"releases"`
}

// file is one file of a release.
type file struct {
	Filename string  `json:"filename"`
	Requires *string `json:"requires_python"`
	Yanked   bool    `json:"yanked"`
}

// The limits of one request: the metadata of the largest packages is a few MB.
const (
	longest = time.Minute
	largest = 64 << 20
)

var errAbsent = errors.New("the registry has no package of this name")

// ask fetches the metadata of one package from a registry.
func ask(ctx context.Context, index, pkg string) (*registered, error) {
	name := plain.PackageName(pkg)
	address, err := url.JoinPath(index, "pypi", name, "json")
	if err != nil {
		return nil, fmt.Errorf("-index %s: %w", index, err)
	}
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "amlfix-catalog-refresh (one package at a time)")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close() //nolint:errcheck // only read from
	switch {
	case response.StatusCode == http.StatusNotFound:
		return nil, fmt.Errorf("%s: %w", address, errAbsent)
	case response.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%s: the registry answered %s", address, response.Status)
	}
	p := &registered{name: name}
	if err := json.NewDecoder(io.LimitReader(response.Body, largest)).Decode(p); err != nil {
		return nil, fmt.Errorf("%s: this is not PyPI's JSON: %w", address, err)
	}
	if len(p.Releases) == 0 {
		return nil, fmt.Errorf("%s: the registry lists no releases of %s", address, name)
	}
	return p, nil
}

// serves reports whether a file is a wheel for a minor version of Python and for Linux on x86-64 or every platform. A
// yanked wheel counts: pip installs it if its version is pinned.
func (f file) serves(python string) bool {
	stem, isWheel := strings.CutSuffix(f.Filename, ".whl")
	parts := strings.Split(stem, "-")
	if !isWheel || len(parts) < 5 || !f.allows(python) {
		return false
	}
	tags, abis, platforms := parts[len(parts)-3], parts[len(parts)-2], parts[len(parts)-1]
	if platforms != "any" && (!strings.Contains(platforms, "linux") || !strings.Contains(platforms, "x86_64")) {
		return false
	}
	major, minor, _ := strings.Cut(python, ".")
	for tag := range strings.SplitSeq(tags, ".") {
		since, generic := strings.CutPrefix(tag, "py"+major)
		switch {
		case generic && (since == "" || !older(python, major+"."+since)): // py39 also fits later versions
			return true
		case tag == "cp"+major+minor:
			return !strings.HasSuffix(abis, "t") // a build without the global lock
		case abis == "abi3" && strings.HasPrefix(tag, "cp"+major):
			if !older(python, major+"."+strings.TrimPrefix(tag, "cp"+major)) {
				return true
			}
		}
	}
	return false
}

// sources reports whether the file is a source distribution.
func (f file) sources() bool {
	return slices.ContainsFunc([]string{".tar.gz", ".zip", ".tar.bz2", ".tgz"}, func(suffix string) bool { return strings.HasSuffix(f.Filename, suffix) })
}
