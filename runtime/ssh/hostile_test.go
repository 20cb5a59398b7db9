//go:build linux

package ssh

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestHostileMachine checks that a machine's error message can neither control the terminal nor flood it.
func TestHostileMachine(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{})
	l := connected(t, s, nil)
	for _, script := range []string{`printf '\033[2J\n::error::INJECTED\n' >&2`, `printf '\302\2332J\342\200\256' >&2`, `printf '##vso[task.x]' >&2`, `head -c 1000000 /dev/zero | tr '\0' '\033' >&2`} {
		_, err := l.Script(t.Context(), script+"; exit 3")
		if err == nil || escape.Terminal(err.Error()) != err.Error() || utf8.RuneCountInString(err.Error()) > 5*tailSize {
			t.Errorf("%s: %.300q", script, err)
		}
	}
}

// TestNoShell checks machines that let a user in and then run something else: a script that has not run is never taken
// for one that has succeeded or failed.
func TestNoShell(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{})
	home := s.HomeOf(sshtest.Worker)
	l, err := dial(t, s, sshtest.Worker, nil)
	testkit.OK(t, err)
	for start, said := range map[string]string{"exit": "runs no commands: check", "echo closed >&2; exit 1": "runs no commands (closed): check", "echo only git here; exit": "runs no commands (only git here): check", "echo no; exit 1": "runs no commands (no): check", "exec false": "runs no commands (it failed there with exit code 1): check"} {
		testkit.Write(t, home, ".bashrc", start+"\n")
		if out, err := l.Script(t.Context(), "echo ran"); out != "" || !Is(err, NoShell) || Temporary(err) || !strings.Contains(err.Error(), said) {
			t.Errorf("%s: %q, %v", start, out, err)
		}
	}
	testkit.Write(t, home, ".bashrc", "echo noise; tar() { echo mine; }\n")
	if err := l.ScriptTo(t.Context(), "exit 3", process.Streams{}); err == nil || Is(err, NoShell) {
		t.Error(err)
	}
	if err := l.Put(t.Context(), home, tarOf("sent", []byte("text"))); err != nil || testkit.Read(t, home, "sent") != "text" {
		t.Error(err)
	}
}

// TestUsers checks user names, which go into paths of keys and commands for people.
func TestUsers(t *testing.T) {
	for _, name := range []string{"me", "", "azure-user", "first.last", "DOMAIN\\me", "me@example.com", "jürgen", "svc_1"} {
		if _, err := resolve(Host{Address: "h", User: name}, t.TempDir()); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"-oProxyCommand=x", "a b", "$(touch X)", "`x`", "a;b", "a'b", "../../x", "a\nb", "a\x1b[2J", "x\u202e", "me\\", "<user>", "a&b", "~", strings.Repeat("x", 300)} {
		_, err := resolve(Host{Address: "h", User: name}, t.TempDir())
		if !Is(err, UserInvalid) || escape.Terminal(err.Error()) != err.Error() {
			t.Errorf("%q: %v", name, err)
		}
	}
	for host, want := range map[string]string{"me@h:22": "ssh me@h", "me@h:2200": "ssh -p 2200 me@h", "a\\b@h:22": `ssh 'a\b@h'`, "me@[2001:db8::1]:22": "ssh me@2001:db8::1"} {
		testkit.Same(t, want, command(host), host)
	}
}
