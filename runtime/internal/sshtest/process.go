//go:build linux

package sshtest

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/amlfix/amlfix/schema/testkit"
)

// Stop ends the server and its connections; processes started over them continue.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	s.mu.Lock()
	pid, ended := s.pid, s.ended
	s.pid = 0
	s.mu.Unlock()
	if pid == 0 {
		return
	}
	_ = syscall.Kill(pid, syscall.SIGSTOP) // it no longer accepts clients that reconnect
	s.killSessions(pid)
	_ = syscall.Kill(pid, syscall.SIGKILL)
	testkit.Receive(t, "sshd ends", ended)
}

// Restart starts a stopped server again, on the same port.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	testkit.OK(t, s.launch("/usr/sbin/sshd"))
}

// NewHostKeys restarts the server with different host keys, like a machine that was reinstalled. Existing connections
// stay open.
func (s *Server) NewHostKeys(t testing.TB) {
	t.Helper()
	if err := s.makeHostKeys(hostKinds...); err != nil {
		t.Error(err)
	}
	before := s.listener()
	s.mu.Lock()
	_ = syscall.Kill(s.pid, syscall.SIGHUP) // sshd restarts itself with the same PID
	s.mu.Unlock()
	want := string(s.HostKey(t, "ed25519").Marshal())
	testkit.Until(t, "sshd shows its new host key", func() bool {
		if now := s.listener(); now == "" || now == before { // it shows new keys before it restarts, and then is briefly not listening
			return false
		}
		key := s.shownKey()
		return key != nil && string(key.Marshal()) == want
	})
}

// listener identifies the server's listening socket, which changes with a restart; empty: it is not listening.
func (s *Server) listener() string {
	text, _ := os.ReadFile("/proc/net/tcp")
	at := fmt.Sprintf(":%04X", s.Port)
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 9 && strings.HasSuffix(f[1], at) && f[3] == "0A" {
			return f[9]
		}
	}
	return ""
}

// shownKey returns the host key that the server currently shows; nil if it does not answer.
func (s *Server) shownKey() (key ssh.PublicKey) {
	conn, err := net.DialTimeout("tcp", s.Address(), testkit.Patience)
	if err != nil {
		return nil
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(testkit.Patience))
	_, _, _, _ = ssh.NewClientConn(conn, s.Address(), &ssh.ClientConfig{HostKeyAlgorithms: []string{ssh.KeyAlgoED25519}, HostKeyCallback: func(_ string, _ net.Addr, k ssh.PublicKey) error {
		key = k
		return nil
	}})
	return key
}

// Cut kills the processes of all connections, as if the network were gone for good, and returns how many there were.
func (s *Server) Cut() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pid == 0 {
		return 0
	}
	return s.killSessions(s.pid)
}

func (s *Server) killSessions(listener int) int {
	list := s.sessionsOf(listener)
	signal(list, syscall.SIGKILL)
	time.Sleep(20 * time.Millisecond) // for one that was just being created
	signal(s.sessionsOf(listener), syscall.SIGKILL)
	return len(list)
}

// Freeze stops the processes of all connections: nothing arrives any more, and nothing is closed. They are killed when
// the test ends.
func (s *Server) Freeze(t testing.TB) {
	t.Helper()
	signal(s.sessions(), syscall.SIGSTOP)
	t.Cleanup(func() { // not the saved list: the PIDs of processes that have ended may be reused by now
		signal(s.sessions(), syscall.SIGKILL)
	})
}

// Thaw undoes Freeze.
func (s *Server) Thaw(t testing.TB) {
	t.Helper()
	signal(s.sessions(), syscall.SIGCONT)
}

func signal(pids []int, sig syscall.Signal) {
	for _, pid := range pids {
		_ = syscall.Kill(pid, sig)
	}
}

func (s *Server) sessions() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pid == 0 {
		return nil
	}
	return s.sessionsOf(s.pid)
}

// sessionsOf lists the processes of connections: every sshd in the listener's mount namespace. The process tree does
// not show them all, because a process created just when its parent was killed has another parent.
func (s *Server) sessionsOf(listener int) (pids []int) {
	of := func(pid string) string { link, _ := os.Readlink("/proc/" + pid + "/ns/mnt"); return link }
	own := of(strconv.Itoa(listener))
	all, _ := os.ReadDir("/proc")
	for _, d := range all {
		pid, err := strconv.Atoi(d.Name())
		if err != nil || pid == listener {
			continue
		}
		text, _ := os.ReadFile("/proc/" + d.Name() + "/comm")
		if strings.HasPrefix(string(text), "sshd") && of(d.Name()) == own {
			pids = append(pids, pid)
		}
	}
	return pids
}
