// Package version says which amlfix this is.
package version

import (
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// release is set in builds from a source archive, which know their version but have no repository to provide it:
// -ldflags "-X github.com/amlfix/amlfix/cmd/internal/version.release=v1.2.3".
var release string

// Get returns amlfix's version: that of the module it was built from, or "devel" for a build from a checkout without
// one.
func Get() string { return version.Get() }

var version = plain.Once[string]{Make: func() string {
	if release != "" {
		return strings.TrimPrefix(release, "v")
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return strings.TrimPrefix(info.Main.Version, "v")
}}

// Text returns the version, and what built it for which system.
func Text() string {
	return fmt.Sprintf("amlfix %s (%s, %s/%s)", Get(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// Revision returns the revision of amlfix for others to use: this build's if it is a release, or else the commit from
// which it was built. A moving name such as main is the last resort: pre-commit warns about it.
func Revision() string {
	if ok, _ := regexp.MatchString(`^\d+\.\d+\.\d+$`, Get()); ok {
		return "v" + Get()
	}
	set := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			set[s.Key] = s.Value
		}
	}
	if set["vcs.modified"] == "false" && set["vcs.revision"] != "" {
		return set["vcs.revision"]
	}
	return "main"
}
