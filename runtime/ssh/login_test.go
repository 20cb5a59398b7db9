//go:build linux

package ssh

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	xssh "golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestHostKeys(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{})
	known := filepath.Join(s.Home, ".ssh", "known_hosts")
	shown := xssh.FingerprintSHA256(s.HostKey(t, "ed25519"))
	_, other, err := ed25519.GenerateKey(rand.Reader)
	testkit.OK(t, err)
	wrong, err := xssh.NewPublicKey(other.Public())
	testkit.OK(t, err)
	write := func(text string) func() {
		return func() {
			testkit.OK(t, os.WriteFile(known, []byte(text), 0o600))
		}
	}
	port := fmt.Sprint(s.Port)
	own := "[127.0.0.1]:" + port + " " + string(xssh.MarshalAuthorizedKey(s.HostKey(t, "ed25519")))
	for _, tt := range []struct {
		name    string
		prepare func()
		problem Problem
		want    []string
	}{
		{"known", func() { s.Know(t, s.HostKey(t, "ed25519")) }, "", nil},
		// The server prefers other kinds than the known one: without HostKeyAlgorithms, each of these would be a false
		// alarm.
		{"only the RSA key is known", func() { s.Know(t, s.HostKey(t, "rsa")) }, "", nil},
		{"only the ECDSA key is known", func() { s.Know(t, s.HostKey(t, "ecdsa")) }, "", nil},
		{"no file", func() { _ = os.Remove(known) }, HostUnknown, []string{"is not known here", "SHA256:", "ssh -p " + port + " root@127.0.0.1"}},
		{"empty file", write("\n"), HostUnknown, []string{"ssh-keygen -lf"}},
		{"changed", func() { s.Know(t, wrong) }, HostChanged, []string{"presents a different host key than before, ssh-ed25519 " + shown, known + ":1 has ssh-ed25519 " + xssh.FingerprintSHA256(wrong), "ssh-keygen -R '[127.0.0.1]:" + port + "'"}},
		{"another machine's authority", write("@cert-authority * " + string(xssh.MarshalAuthorizedKey(wrong))), HostUnknown, []string{"is not known here", "SHA256:"}},
		{"revoked", write("@revoked [127.0.0.1]:" + port + " " + string(xssh.MarshalAuthorizedKey(s.HostKey(t, "ecdsa")))), HostRevoked, []string{known + ":1", "do not use"}},
		// What ssh ignores: a number as in SSH 1, an unknown kind of key, a damaged key, a host without one, an unknown
		// mark.
		{"broken lines", write("old 1024 35 1234\nnew ssh-ed448 AAAACXNzaC1lZDQ0OA==\n[127.0.0.1]:" + port + " ssh-rsa !!!\nalone\n@mark " + own + own), "", nil},
		{"broken lines, and unknown", write("# hosts\nold 1024 35 1234\n\nalone\n"), HostUnknown, []string{"SHA256:", "(ignored, because it is not a host's name and a supported key: " + known + ":2, " + known + ":4). Compare"}},
		{"broken line, and changed", write("old 1024 35 1234\n" + "[127.0.0.1]:" + port + " " + string(xssh.MarshalAuthorizedKey(wrong))), HostChanged, []string{known + ":2 has ssh-ed25519"}},
		{"broken line, and revoked", write("alone\n@revoked [127.0.0.1]:" + port + " " + string(xssh.MarshalAuthorizedKey(s.HostKey(t, "ecdsa")))), HostRevoked, []string{known + ":2: do not use"}},
		{"revoked, and broken", write(own + "@revoked [127.0.0.1]:22 ssh-rsa !!!\n"), KnownHostsBroken, []string{"fix or remove the given line (" + known + ":2 revokes a key that cannot be read)"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.prepare()
			_, err := dial(t, s, sshtest.Root, nil)
			if tt.problem == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if !Is(err, tt.problem) || Temporary(err) {
				t.Fatalf("%v, not %s", err, tt.problem)
			}
			testkit.Has(t, err.Error(), tt.want...)
		})
	}
}

// TestHashedHost uses a known_hosts file hashed by ssh-keygen, as Debian's ssh does by default.
func TestHashedHost(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{})
	run(t, "ssh-keygen", "-q", "-H", "-f", filepath.Join(s.Home, ".ssh", "known_hosts"))
	connected(t, s, nil)
}

func TestPassword(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{Config: []string{"PubkeyAuthentication no"}})
	pam := sshtest.Start(t, sshtest.Options{Config: []string{"UsePAM yes", "KbdInteractiveAuthentication yes", "PasswordAuthentication no", "PubkeyAuthentication no"},
		Files: map[string]string{"/etc/pam.d/sshd": "auth required pam_unix.so\naccount required pam_permit.so\nsession required pam_permit.so\n"}})
	for _, tt := range []struct {
		name     string
		server   *sshtest.Server
		password string
		typed    []string
		problem  Problem
		want     string
	}{
		{name: "from the environment", server: s, password: sshtest.Password},
		{name: "typed", server: s, typed: []string{sshtest.Password}},
		{name: "typed on the second attempt", server: s, typed: []string{"wrong", sshtest.Password}},
		{name: "wrong password in the environment", server: s, password: "hunter2-wrong", problem: AuthRefused, want: "does not let this user in (refused: password)"},
		{name: "three slips", server: s, typed: []string{"hunter2-a", "hunter2-b", "hunter2-c"}, problem: AuthRefused, want: "check username"},
		{name: "none", server: s, problem: AuthRefused, want: "set AMLFIX_SSH_PASSWORD"},
		{name: "keyboard-interactive, from the environment", server: pam, password: sshtest.Password},
		{name: "keyboard-interactive, typed", server: pam, typed: []string{"wrong", sshtest.Password}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, err := dial(t, tt.server, sshtest.Worker, func(o *Options) {
				o.Password = tt.password
				if tt.typed != nil {
					o.Ask = func(_ context.Context, question string) (string, error) {
						if want := "password of worker@" + tt.server.Address(); question != want {
							t.Errorf("asked for %q instead of %q", question, want)
						}
						if len(tt.typed) == 0 {
							return "", io.EOF
						}
						answer := tt.typed[0]
						tt.typed = tt.typed[1:]
						return answer, nil
					}
				}
			})
			if tt.problem != "" {
				if !Is(err, tt.problem) || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "hunter2") {
					t.Errorf("%v", err)
				}
				return
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, tt.server.Log())
			}
			tt.server.Cut() // the connection is re-established without asking again
			awaitDead(t, l)
			if out, err := l.Script(t.Context(), "whoami"); out != "worker\n" || err != nil {
				t.Errorf("%q, %v", out, err)
			}
		})
	}
}

func TestKeys(t *testing.T) {
	s := sshtest.Start(t, sshtest.Options{Config: []string{"PasswordAuthentication no"}})
	ssh := filepath.Join(s.Home, ".ssh")
	plain := []byte(testkit.Read(t, ssh, "id_ed25519"))
	parsed, err := xssh.ParseRawPrivateKey(plain)
	testkit.OK(t, err)
	key := *parsed.(*ed25519.PrivateKey)
	_ = os.Remove(filepath.Join(ssh, "id_ed25519"))

	t.Run("none", func(t *testing.T) {
		if _, err := dial(t, s, sshtest.Root, nil); !Is(err, NoCredentials) || !strings.Contains(err.Error(), "ssh-copy-id") {
			t.Error(err)
		}
	})
	t.Run("of an agent", func(t *testing.T) {
		t.Setenv("SSH_AUTH_SOCK", startAgent(t, key))
		connected(t, s, nil)
	})
	t.Run("an agent that is gone", func(t *testing.T) {
		t.Setenv("SSH_AUTH_SOCK", filepath.Join(t.TempDir(), "none"))
		said := ""
		_, err := dial(t, s, sshtest.Root, func(o *Options) { o.Notice = func(f string, a ...any) { said = fmt.Sprintf(f, a...) } })
		if !Is(err, NoCredentials) || !strings.Contains(said, "agent does not answer") {
			t.Errorf("%v, %q", err, said)
		}
	})
	if _, err := sshtest.WriteKey(filepath.Join(ssh, "my key"), key, "open sesame"); err != nil {
		t.Fatal(err)
	}
	config := "Host gpu*\n  HostName 127.0.0.1\n  Port " + fmt.Sprint(s.Port) + "\n  User worker\n  IdentityFile \"~/.ssh/my key\"\n" +
		"Host jump\n  ProxyJump gate\n"
	testkit.OK(t, os.WriteFile(filepath.Join(ssh, "config"), []byte(config), 0o600))
	t.Run("a passphrase, asked for", func(t *testing.T) {
		asked := 0
		l, err := Dial(t.Context(), Host{Address: "gpu1"}, Options{Home: s.Home, Ask: func(_ context.Context, q string) (string, error) {
			asked++
			if !strings.HasPrefix(q, "passphrase of the key ") || !strings.HasSuffix(q, "my key") {
				t.Errorf("asked for %q", q)
			}
			return "open sesame", nil
		}})
		testkit.OK(t, err)
		defer func() { _ = l.Close() }()
		s.Cut()
		awaitDead(t, l)
		if out, err := l.Script(t.Context(), "whoami"); out != "worker\n" || err != nil || asked != 1 {
			t.Errorf("%q, %v, asked %d times", out, err, asked)
		}
	})
	t.Run("a wrong passphrase", func(t *testing.T) {
		for _, tt := range []struct {
			answers []string
			asked   int
			in      bool
		}{{[]string{"wrong", "open sesame"}, 2, true}, {[]string{"a", "b", "c", "open sesame"}, 3, false}, {[]string{"", "open sesame"}, 1, false}} {
			asked := 0
			l, err := Dial(t.Context(), Host{Address: "gpu1"}, Options{Home: s.Home, Ask: func(_ context.Context, q string) (string, error) {
				if !strings.HasPrefix(q, "passphrase ") {
					return "", errors.New("the person gives up")
				}
				asked++
				return tt.answers[asked-1], nil
			}})
			if err == nil {
				_ = l.Close()
			}
			if asked != tt.asked || tt.in != (err == nil) {
				t.Errorf("%v: asked %d times, %v", tt.answers, asked, err)
			}
		}
	})
	t.Run("a passphrase, nobody there", func(t *testing.T) {
		if _, err := Dial(t.Context(), Host{Address: "gpu1"}, Options{Home: s.Home}); !Is(err, NoCredentials) || !strings.Contains(err.Error(), "ssh-add") {
			t.Error(err)
		}
	})
	t.Run("a proxy", func(t *testing.T) {
		if _, err := Dial(t.Context(), Host{Address: "jump", User: "me"}, Options{Home: s.Home}); !Is(err, ConfigUnsupported) || !strings.Contains(err.Error(), "ProxyJump of ~/.ssh/config is not supported") {
			t.Error(err)
		}
	})
}

func startAgent(t *testing.T, key ed25519.PrivateKey) string {
	t.Helper()
	return serveAgent(t, keyring(t, key))
}

func keyring(t *testing.T, key ed25519.PrivateKey) agent.Agent {
	t.Helper()
	ring := agent.NewKeyring()
	testkit.OK(t, ring.Add(agent.AddedKey{PrivateKey: key}))
	return ring
}

func serveAgent(t *testing.T, ring agent.Agent) string {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "agent")
	l, err := net.Listen("unix", socket)
	testkit.OK(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				_ = agent.ServeAgent(ring, c)
				_ = c.Close()
			}()
		}
	}()
	return socket
}
