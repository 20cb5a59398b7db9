package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

// version returns amlfix's version: that of the module it was built from, or
// "devel" for a build from a checkout without one.
var version = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return strings.TrimPrefix(info.Main.Version, "v")
})

func versionText() string {
	return fmt.Sprintf("%s (%s, %s/%s)", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
