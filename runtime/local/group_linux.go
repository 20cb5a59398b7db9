package local

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/amlfix/amlfix/runtime/lease"
	"github.com/amlfix/amlfix/runtime/runid"
)

// waited is empty: the leader is reaped at the very end.
type waited struct{} //nolint:unused // other systems keep how the leader ended here

// awaitLeader returns when the leader has ended, and leaves it unreaped so that its PID is not reused.
func (g *group) awaitLeader() {
	for {
		err := unix.Waitid(unix.P_PID, g.leader.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// reap collects the leader.
func (g *group) reap() (*os.ProcessState, error) { return g.leader.Wait() }

// others counts the living processes of the job, without the leader.
func (g *group) others() int { return len(g.members()) }

// sendStrays signals the descendants outside the group. It holds each with a pidfd and then checks it again, so that a
// signal cannot reach another process with the same PID.
func (g *group) sendStrays(sig syscall.Signal) {
	for _, pid := range g.members() {
		p, err := os.FindProcess(pid)
		if err != nil {
			continue
		}
		if pgrp, alive := groupOf(pid); alive && pgrp != g.leader.Pid && g.marked(pid) {
			_ = p.Signal(sig)
		}
		_ = p.Release()
	}
}

// members lists the living processes that are in the group or carry the mark, except the leader.
func (g *group) members() (pids []int) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	names, _ := proc.Readdirnames(-1)
	_ = proc.Close()
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || pid == g.leader.Pid || pid == os.Getpid() {
			continue
		}
		if pgrp, alive := groupOf(pid); alive && (pgrp == g.leader.Pid || g.marked(pid)) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// groupOf reads the process group from /proc/PID/stat. A zombie is not alive: only its parent can reap it.
func groupOf(pid int) (pgrp int, alive bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, false
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]) // state, parent, group, …
	if len(fields) < 3 || fields[0][0] == 'Z' || fields[0][0] == 'X' {
		return 0, false
	}
	pgrp, err = strconv.Atoi(string(fields[2]))
	return pgrp, err == nil
}

func (g *group) marked(pid int) bool {
	env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return false
	}
	return bytes.HasPrefix(env, []byte(g.mark+"\x00")) || bytes.Contains(env, []byte("\x00"+g.mark+"\x00"))
}

// Processes lists the living processes of a run.
func Processes(runID runid.ID) []int {
	g := &group{leader: &os.Process{Pid: -1}, mark: mark(runID)}
	return g.members()
}

// Leases returns the GPUs reserved by living processes of runs, as far as this user may see them, and the run of each.
func Leases() map[int]string {
	taken := map[int]string{}
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		env, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		var run, gpus string
		for v := range bytes.SplitSeq(env, []byte{0}) {
			switch name, value, _ := strings.Cut(string(v), "="); name {
			case Marker:
				run = value
			case lease.Variable:
				gpus = value
			}
		}
		if run == "" {
			continue
		}
		for _, n := range lease.Parse(gpus) {
			taken[n] = run
		}
	}
	return taken
}

// endMembers kills the living processes of a run.
func endMembers(runID runid.ID) {
	g := &group{leader: &os.Process{Pid: -1}, mark: mark(runID)}
	for range 100 { // a process can start while the others are being killed
		g.sendStrays(syscall.SIGKILL)
		if g.others() == 0 {
			return
		}
		time.Sleep(poll)
	}
}
