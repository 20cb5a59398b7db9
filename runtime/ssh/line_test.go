//go:build linux

package ssh

import (
	"bytes"
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
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	xssh "golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestMain(m *testing.M) {
	testkit.AtOnce(8) // they wait for connections
	os.Exit(m.Run())
}

// dial logs in to the server with the client's key.
func dial(t *testing.T, s *sshtest.Server, user string, change func(*Options)) (*Line, error) {
	t.Helper()
	opts := Options{Home: s.Home, Notice: t.Logf}
	if change != nil {
		change(&opts)
	}
	l, err := Dial(t.Context(), Host{Address: s.Address(), User: user}, opts)
	if err == nil {
		t.Cleanup(func() { _ = l.Close() })
	}
	return l, err
}

func connected(t *testing.T, s *sshtest.Server, change func(*Options)) *Line {
	t.Helper()
	l, err := dial(t, s, sshtest.Root, change)
	if err != nil {
		t.Fatalf("%v\n%s", err, s.Log())
	}
	return l
}

func TestScript(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{})
	for _, user := range []string{sshtest.Root, sshtest.Worker} {
		l, err := dial(t, s, user, nil)
		testkit.OK(t, err)
		word := "it's a \"word\" with $HOME, `id` and \\"
		out, err := l.Script(t.Context(), "whoami; echo "+escape.Word(word)+"; cat; echo $0")
		if d := cmp.Diff(user+"\n"+word+"\nsh\n", out); d != "" || err != nil {
			t.Errorf("%v %s", err, d)
		}
		if want := fmt.Sprintf("%s@127.0.0.1:%d", user, s.Port); l.Name() != want {
			t.Errorf("%s instead of %s", l.Name(), want)
		}
	}
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	l := connected(t, sshtest.Start(t, sshtest.Options{}), nil)
	for script, want := range map[string]ExitError{ // a killed shell's message is its own
		"echo why >&2; exit 3": {Code: 3, Said: "why"},
		"kill -TERM $$":        {Code: 143},
		"nosuchprogram":        {Code: 127, Said: "nosuchprogram: not found"},
	} {
		_, err := l.Script(t.Context(), script)
		exit, ok := errors.AsType[*ExitError](err)
		if !ok || exit.Code != want.Code || !strings.Contains(exit.Error(), want.Said) {
			t.Errorf("%s: %v instead of %v", script, err, want)
		}
	}
}

// endless is endless input.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// TestInputThatIsNotRead checks that a command may end before its input has been sent: only how it ended counts.
func TestInputThatIsNotRead(t *testing.T) {
	t.Parallel()
	l := connected(t, sshtest.Start(t, sshtest.Options{}), nil)
	for _, code := range []int{0, 3} {
		var out bytes.Buffer
		err := l.Exec(t.Context(), fmt.Sprint("echo out; exit ", code), endless{}, process.Streams{Stdout: &out})
		var exit *ExitError
		if got := out.String(); got != "out\n" || code == 0 && err != nil || code != 0 && (!errors.As(err, &exit) || exit.Code != code) {
			t.Errorf("exit %d: %q, %v", code, got, err)
		}
	}
}

// TestNoisyShell uses a start-up file that prints, which must not end up in the output of scripts.
func TestNoisyShell(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{})
	noise := "echo welcome; echo beware >&2\n"
	testkit.OK(t, os.WriteFile(filepath.Join(s.HomeOf(sshtest.Worker), ".bashrc"), []byte(noise), 0o644))
	l, err := dial(t, s, sshtest.Worker, nil)
	testkit.OK(t, err)
	var raw, out, errs bytes.Buffer
	if err := l.Exec(t.Context(), "true", nil, process.Streams{Stdout: &raw}); err != nil || raw.String() != "welcome\n" {
		t.Fatalf("the shell is not noisy: %q, %v", raw.String(), err)
	}
	err = l.ScriptTo(t.Context(), "printf a; printf b >&2", process.Streams{Stdout: &out, Stderr: &errs})
	if err != nil || out.String() != "a" || errs.String() != "b" {
		t.Errorf("%q, %q, %v", out.String(), errs.String(), err)
	}
	if _, err := l.Script(t.Context(), "echo why >&2; exit 3"); err == nil || err.Error() != "why" {
		t.Error(err)
	}
}

// TestSecretsAreInNoArgument inspects all arguments on the machine while a script with a secret runs.
func TestSecretsAreInNoArgument(t *testing.T) {
	l := connected(t, sshtest.Start(t, sshtest.Options{}), nil)
	const word = "hunter2-in-script"
	out, err := l.Script(t.Context(), "A="+word+"; cat /proc/[0-9]*/cmdline | tr '\\0' '\\n' | grep -c "+word[:7]+"'['-']'in || true")
	if err != nil || out != "0\n" {
		t.Errorf("%q, %v", out, err)
	}
}

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

func TestNoMachine(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	other, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.OK(t, err)
	defer func() { _ = other.Close() }()
	go func() {
		for {
			c, err := other.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(c, "220 mail.example.com ESMTP\r\n")
			_ = c.Close()
		}
	}()
	for _, tt := range []struct {
		name, address string
		problem       Problem
		want          string
	}{
		{"a placeholder", "<YOUR DSVM IP>", AddressInvalid, `address "<YOUR DSVM IP>": this is not a valid machine name`},
		{"no address", " ", AddressInvalid, "write its IP address"},
		{"no port", "host:ssh", AddressInvalid, "with :PORT"},
		{"an option", "-oProxyCommand=x", AddressInvalid, "not a valid machine name"},
		{"a user in it", "me@host", AddressInvalid, "not a valid machine name"},
		{"no such name", "gpu.invalid", HostNotFound, "me@gpu.invalid:22: there is no machine of this name"},
		{"nobody listens", "127.0.0.1:1", Unreachable, "connection refused"},
		{"not SSH", other.Addr().String(), NotSSH, "not from an SSH server"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Dial(t.Context(), Host{Address: tt.address, User: "me"}, Options{Home: home})
			if tt.name == "no such name" && Is(err, Unreachable) {
				t.Skip("SKIPPED: no DNS server answers here")
			}
			if !Is(err, tt.problem) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestFrozen stops the machine's answers without closing anything: only the keep-alive can notice this.
func TestFrozen(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{})
	l := connected(t, s, func(o *Options) { o.KeepAlive = 5 * time.Second })
	ended := make(chan error, 1)
	go func() {
		_, err := l.Script(t.Context(), "sleep 600")
		ended <- err
	}()
	time.Sleep(100 * time.Millisecond)
	s.Freeze(t)
	if err := testkit.Receive(t, "the line is lost", ended); !Is(err, LineLost) || !Temporary(err) {
		t.Error(err)
	}
	if out, err := l.Script(t.Context(), "echo back"); out != "back\n" || err != nil {
		t.Errorf("%q, %v", out, err)
	}
}

// TestUnansweredChannel opens a channel that the library never answers because the connection ends in that moment.
func TestUnansweredChannel(t *testing.T) {
	t.Parallel()
	l := connected(t, sshtest.Start(t, sshtest.Options{}), nil)
	var tries atomic.Int32
	got, err := opened(t.Context(), l, func(c *xssh.Client) (io.Closer, error) {
		if tries.Add(1) > 1 {
			return c, nil
		}
		_ = c.Close()
		select {}
	})
	if err != nil || got == nil {
		t.Errorf("%v, %v", got, err)
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{})
	l := connected(t, s, nil)
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(100*time.Millisecond, func() { cancel(&process.Signalled{Signal: os.Interrupt}) })
	_, err := l.Script(ctx, "sleep 20")
	if !process.Interrupted(ctx) || !errors.Is(err, context.Canceled) || Is(err, LineLost) {
		t.Error(err)
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts connections and then sends nothing
	testkit.OK(t, err)
	defer func() { _ = silent.Close() }()
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	if _, err := Dial(ctx, Host{Address: silent.Addr().String(), User: "me"}, Options{Home: s.Home}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// TestCancelSilent checks that nothing is waited for after a cancellation that may never answer: an agent, as one of a
// forwarding machine that is gone, and a machine that is asked for a channel. A channel that it opens later is closed.
func TestCancelSilent(t *testing.T) {
	s := sshtest.Start(t, sshtest.Options{Config: []string{"MaxSessions 1"}})
	l := connected(t, s, nil)
	silent := l.client
	within := func(what string, err error) {
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", what, err)
		}
	}
	s.Freeze(t)
	began := time.Now()
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	_, err := l.Script(ctx, "true")
	within("a channel", err)
	s.Thaw(t)
	if took := time.Since(began); took > defaultKeepAlive/2 {
		t.Errorf("cancelling took %v", took)
	}
	testkit.Until(t, "the only session is free", func() bool {
		_, err := l.Script(t.Context(), "true")
		return err == nil
	})
	if l.client != silent {
		t.Error("there is another connection")
	}
	text := []byte(testkit.Read(t, s.Home, ".ssh/id_ed25519"))
	parsed, err := xssh.ParseRawPrivateKey(text)
	testkit.OK(t, err)
	t.Setenv("SSH_AUTH_SOCK", serveAgent(t, deaf{keyring(t, *parsed.(*ed25519.PrivateKey))}))
	ctx, stop = context.WithTimeout(t.Context(), time.Second)
	defer stop()
	ended := make(chan error, 1)
	go func() {
		_, err := Dial(ctx, Host{Address: s.Address(), User: sshtest.Root}, Options{Home: s.Home})
		ended <- err
	}()
	within("an agent", testkit.Receive(t, "dialling ends", ended))
}

// deaf is an agent that lists its keys, and does not answer any more.
type deaf struct{ agent.Agent }

func (deaf) Sign(xssh.PublicKey, []byte) (*xssh.Signature, error) { select {} }

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
