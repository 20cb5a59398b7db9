//go:build linux

package ssh

import (
	"bytes"
	"context"
	"crypto/ed25519"
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
