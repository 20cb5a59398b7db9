//go:build linux

// Package sshtest provides tests with a real, private sshd on loopback. It runs in a mount namespace with its own
// /etc/passwd, /etc/shadow and /etc/group, so its users and their passwords do not exist on the machine; all its files
// are in one temporary folder. It needs root and an installed sshd (Debian and Ubuntu: apt-get install openssh-server);
// without them, tests are skipped, or fail if the variable CI is "true".
package sshtest

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/crypto/ssh"

	"github.com/amlfix/amlfix/schema/testkit"
	"github.com/amlfix/amlfix/schema/testkit/daemon"
)

// The users that can log in, with the client's key or this password. Root is root; Worker is unprivileged.
const (
	Root     = "root"
	Worker   = "worker"
	Password = "correct horse"
)

// passwordHash is the hash of Password, made by `openssl passwd -6`.
const passwordHash = "$6$amlfixtest$GQ4.D3ULxgrxiUfSdIJxGV/XntEh04KNcaWZMXhVq6bfUtA6GHtr43IbERZMoqaUxdazvr7DTPsjAa4ia1rs60"

// workerID is Worker's user and group ID.
const workerID = 61234

// Options describes how a server differs from the default.
type Options struct {
	Config []string          // lines for sshd_config, which override the defaults
	Env    map[string]string // variables set for commands run there
	// Groups are additional groups of Worker, by name and ID.
	Groups map[string]int
	// SmallHome makes Worker's home folder a file system of this many bytes; 0: it is an ordinary folder.
	SmallHome int
	// Files are mounted over the machine's own, by absolute path, which must exist. Content that starts with #! becomes
	// executable.
	Files map[string]string
}

// Server is a running sshd.
type Server struct {
	Port int
	Dir  string // contains all its files
	// Home is the client's home folder: its .ssh has a key that every user there accepts, and lists the server's host
	// keys.
	Home string

	mu    sync.Mutex
	pid   int
	ended chan struct{}
}

// Address returns "127.0.0.1:PORT".
func (s *Server) Address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port)) }

// HomeOf returns the home folder of a user there.
func (s *Server) HomeOf(user string) string { return filepath.Join(s.Dir, "home", user) }

// The user's own SSH agent must not log anyone in. It is disabled for the whole test program, so that its tests can run
// in parallel.
var _ = os.Unsetenv("SSH_AUTH_SOCK")

// Start runs a server until the test ends. Each call starts a new one, so tests can run in parallel.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	sshd, err := exec.LookPath("sshd")
	if err != nil {
		if sshd = "/usr/sbin/sshd"; !exists(sshd) {
			testkit.Unavailable(t, "sshd is not installed (apt-get install openssh-server)")
		}
	}
	if os.Getuid() != 0 {
		testkit.Unavailable(t, "an sshd with users of its own needs root: run the tests as root")
	}
	dir, err := os.MkdirTemp("", "amlfix-sshd-")
	testkit.OK(t, err)
	s := &Server{Dir: dir, Home: filepath.Join(dir, "client")}
	t.Cleanup(func() {
		s.Stop(t)
		_ = os.RemoveAll(dir)
	})
	testkit.OK(t, s.prepare())
	for range 5 { // another process may take a free port in the meantime
		s.Port = freePort()
		err = s.configure(o)
		testkit.OK(t, err)
		if err = s.launch(sshd); err == nil {
			break
		}
	}
	testkit.OK(t, err)
	s.Know(t, s.HostKey(t, "ed25519"))
	return s
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

// ports are the ports of this test program's servers, which are not used twice.
var ports sync.Map

func freePort() int {
	for {
		if port := daemon.FreePort(); !taken(port) {
			return port
		}
	}
}

func taken(port int) bool { _, was := ports.LoadOrStore(port, true); return was }

// prepare creates keys and home folders.
func (s *Server) prepare() error {
	if err := os.Chmod(s.Dir, 0o755); err != nil {
		return err
	}
	for _, d := range []string{filepath.Join(s.Home, ".ssh"), s.HomeOf(Root), s.HomeOf(Worker), "/run/sshd"} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	if err := os.Chown(s.HomeOf(Worker), workerID, workerID); err != nil {
		return err
	}
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	public, err := WriteKey(filepath.Join(s.Home, ".ssh", "id_ed25519"), private, "")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.Dir, "authorized_keys"), ssh.MarshalAuthorizedKey(public), 0o644); err != nil {
		return err
	}
	key, err := firstRSA()
	if err != nil {
		return err
	}
	for ending, text := range key {
		if err := os.WriteFile(s.hostKeyFile("rsa")+ending, text, 0o600); err != nil {
			return err
		}
	}
	return s.makeHostKeys("ecdsa", "ed25519")
}

// hostKinds are the kinds of host keys that the server has.
var hostKinds = []string{"rsa", "ecdsa", "ed25519"}

// firstRSA is the initial RSA key of all servers of this test program, by file extension: generating one takes a fifth
// of a second of processor time.
var firstRSA = sync.OnceValues(func() (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "amlfix-sshd-key-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	s := &Server{Dir: dir}
	if err := s.makeHostKeys("rsa"); err != nil {
		return nil, err
	}
	key := map[string][]byte{"": nil, ".pub": nil}
	for ending := range key {
		if key[ending], err = os.ReadFile(s.hostKeyFile("rsa") + ending); err != nil {
			return nil, err
		}
	}
	return key, nil
})

// makeHostKeys generates new keys of the given kinds.
func (s *Server) makeHostKeys(kinds ...string) error {
	for _, kind := range kinds {
		_ = os.Remove(s.hostKeyFile(kind))
		args := []string{"-q", "-t", kind, "-N", "", "-f", s.hostKeyFile(kind)}
		if kind == "rsa" {
			args = append(args, "-b", "2048")
		}
		if out, err := exec.Command("ssh-keygen", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("ssh-keygen: %w: %s", err, out)
		}
	}
	return nil
}

// WriteKey writes a private key as OpenSSH does, encrypted unless the passphrase is empty, and returns the public key.
func WriteKey(path string, private ed25519.PrivateKey, passphrase string) (ssh.PublicKey, error) {
	var block *pem.Block
	var err error
	if passphrase == "" {
		block, err = ssh.MarshalPrivateKey(private, "")
	} else {
		block, err = ssh.MarshalPrivateKeyWithPassphrase(private, "", []byte(passphrase))
	}
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
		return nil, err
	}
	return ssh.NewPublicKey(private.Public())
}

func (s *Server) hostKeyFile(kind string) string { return filepath.Join(s.Dir, "host_"+kind) }

// HostKey returns one of the server's host keys: rsa, ecdsa or ed25519.
func (s *Server) HostKey(t testing.TB, kind string) ssh.PublicKey {
	t.Helper()
	text := []byte(testkit.Read(t, s.hostKeyFile(kind)+".pub"))
	key, _, _, _, err := ssh.ParseAuthorizedKey(text)
	testkit.OK(t, err)
	return key
}

// Know makes these the only host keys that the client knows for the server.
func (s *Server) Know(t testing.TB, keys ...ssh.PublicKey) {
	t.Helper()
	var b strings.Builder
	for _, k := range keys {
		fmt.Fprintf(&b, "[127.0.0.1]:%d %s", s.Port, ssh.MarshalAuthorizedKey(k))
	}
	testkit.OK(t, os.WriteFile(filepath.Join(s.Home, ".ssh", "known_hosts"), []byte(b.String()), 0o600))
}

func (s *Server) configure(o Options) error {
	lines := append([]string(nil), o.Config...) // the first value of a key counts
	env := []string{"PATH=" + os.Getenv("PATH")}
	for k, v := range o.Env {
		if k == "PATH" {
			env[0] = "PATH=" + v
		} else {
			env = append(env, k+"="+v)
		}
	}
	lines = append(lines, "SetEnv "+`"`+strings.Join(env, `" "`)+`"`,
		"Port "+strconv.Itoa(s.Port), "ListenAddress 127.0.0.1", "PidFile none", "UsePAM no", "StrictModes no", "PermitRootLogin yes", "PrintMotd no",
		"PasswordAuthentication yes", "AuthorizedKeysFile "+filepath.Join(s.Dir, "authorized_keys"), "MaxStartups 100", "MaxSessions 100")
	for _, kind := range hostKinds {
		lines = append(lines, "HostKey "+s.hostKeyFile(kind))
	}
	passwd := fmt.Sprintf("root:x:0:0::%s:/bin/sh\nsshd:x:60999:60999::/run/sshd:/usr/sbin/nologin\nworker:x:%d:%[2]d::%[3]s:/bin/bash\n", s.HomeOf(Root), workerID, s.HomeOf(Worker))
	groups := []string{"root:x:0:\nsshd:x:60999:\n", fmt.Sprintf("worker:x:%d:\n", workerID)}
	for name, id := range o.Groups {
		groups = append(groups, fmt.Sprintf("%s:x:%d:worker\n", name, id))
	}
	shadow := fmt.Sprintf("root:%s:19000:0:99999:7:::\nsshd:*:19000:0:99999:7:::\nworker:%[1]s:19000:0:99999:7:::\n", passwordHash)
	files := map[string]string{"sshd_config": strings.Join(lines, "\n") + "\n", "passwd": passwd, "group": strings.Join(groups, ""), "shadow": shadow}
	start := []string{"set -e"}
	mount := func(name, over string) { start = append(start, "mount --bind "+s.Dir+"/"+name+" "+over) }
	for _, name := range []string{"passwd", "group", "shadow"} {
		mount(name, "/etc/"+name)
	}
	if o.SmallHome > 0 {
		start = append(start, fmt.Sprintf("mount -t tmpfs -o size=%d,uid=%d,gid=%[2]d,mode=755 tmpfs %s", o.SmallHome, workerID, s.HomeOf(Worker)))
	}
	for path, text := range o.Files {
		name := "over" + strconv.Itoa(len(files))
		files[name] = text
		mount(name, path)
	}
	// -r: without it, sshd starts itself again for every connection, and reads its keys and settings again
	files["start.sh"] = strings.Join(start, "\n") + "\n" + `exec "$1" -D -e -r -f "$2"` + "\n"
	for name, text := range files {
		mode := os.FileMode(0o644)
		if strings.HasPrefix(text, "#!") {
			mode = 0o755
		}
		if err := os.WriteFile(filepath.Join(s.Dir, name), []byte(text), mode); err != nil {
			return err
		}
	}
	return nil
}

func (s *Server) launch(sshd string) error {
	cmd := exec.Command("unshare", "--mount", "sh", filepath.Join(s.Dir, "start.sh"), sshd, filepath.Join(s.Dir, "sshd_config"))
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	d, err := daemon.Start(cmd, filepath.Join(s.Dir, "sshd.log"))
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.pid, s.ended = d.PID, d.Ended
	s.mu.Unlock()
	return d.Await("sshd", func() bool { // and no other server on this port
		socket := "socket:[" + s.listener() + "]"
		files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", d.PID))
		return slices.ContainsFunc(files, func(f string) bool {
			to, _ := os.Readlink(f)
			return to == socket
		})
	})
}

// Log returns what sshd has logged.
func (s *Server) Log() string {
	b, _ := os.ReadFile(filepath.Join(s.Dir, "sshd.log"))
	return string(b)
}
