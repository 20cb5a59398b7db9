package testkit

import (
	"flag"
	"runtime"
	"strconv"
)

// AtOnce lets a package run n of its parallel tests at a time, unless -parallel says how many: where they wait, more
// can go on than there are processors. A TestMain calls it before it runs the tests.
func AtOnce(n int) {
	flag.Parse()
	said := false
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == "test.parallel" })
	if said {
		return
	}
	if err := flag.Set("test.parallel", strconv.Itoa(max(n, runtime.GOMAXPROCS(0)))); err != nil {
		panic(err) // every test program has this flag
	}
}
