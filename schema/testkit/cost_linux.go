package testkit

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// Cost returns the processor time that f takes on its goroutine. Unlike the time on a clock it hardly depends on what
// else the machine does.
func Cost(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := threadTime()
	f()
	return threadTime() - before
}

func threadTime() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
		panic(err) // every Linux has this clock
	}
	return time.Duration(now.Nano())
}
