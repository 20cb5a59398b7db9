package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

// release is set in builds from a source archive, which know their version but have no repository to provide it:
// -ldflags "-X main.release=v1.2.3".
var release string

// version returns amlfix's version: that of the module it was built from, or "devel" for a build from a checkout
// without one.
var version = sync.OnceValue(func() string {
	if release != "" {
		return strings.TrimPrefix(release, "v")
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return strings.TrimPrefix(info.Main.Version, "v")
})

func versionText() string {
	return fmt.Sprintf("%s (%s, %s/%s)", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
