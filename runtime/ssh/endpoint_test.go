package ssh

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// configured returns a home folder with this ~/.ssh/config.
func configured(t testing.TB, text string) string {
	t.Helper()
	home := t.TempDir()
	testkit.OK(t, os.Mkdir(filepath.Join(home, ".ssh"), 0o700))
	testkit.OK(t, os.WriteFile(filepath.Join(home, ".ssh", "config"), []byte(text), 0o600))
	return home
}

func TestResolve(t *testing.T) {
	const text = "Host vm gpu*\n HostName %h.example.com\n Port 2200\n User azureuser\n IdentityFile ~/keys/vm\n IdentitiesOnly yes\nHost *\n User everyone\n"
	for _, tt := range []struct {
		name string
		host Host
		text string
		want string
		keys []string
	}{
		{"nothing configured", Host{"203.0.113.7", "me"}, "", "me@203.0.113.7:22", []string{".ssh/id_ed25519", ".ssh/id_ecdsa", ".ssh/id_rsa"}},
		{"an alias", Host{"vm", ""}, text, "azureuser@vm.example.com:2200", []string{"keys/vm"}},
		{"the file's user and port take precedence", Host{"gpu1:22", "me"}, text, "me@gpu1.example.com:22", []string{"keys/vm"}},
		{"another machine", Host{"other", ""}, text, "everyone@other:22", []string{".ssh/id_ed25519", ".ssh/id_ecdsa", ".ssh/id_rsa"}},
		{"IPv6", Host{"2001:db8::1", "me"}, "", "me@[2001:db8::1]:22", []string{".ssh/id_ed25519", ".ssh/id_ecdsa", ".ssh/id_rsa"}},
		{"IPv6 with a port", Host{"[2001:db8::1]:2222", "me"}, "", "me@[2001:db8::1]:2222", []string{".ssh/id_ed25519", ".ssh/id_ecdsa", ".ssh/id_rsa"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home := configured(t, tt.text)
			e, err := resolve(tt.host, home)
			if err != nil || e.String() != tt.want {
				t.Errorf("%s instead of %s, %v", e, tt.want, err)
			}
			var keys []string
			for _, k := range e.keyFiles {
				rel, err := filepath.Rel(home, k)
				testkit.OK(t, err)
				keys = append(keys, filepath.ToSlash(rel))
			}
			testkit.Same(t, tt.keys, keys)
		})
	}
}

// TestConfigThatCannotBeRead checks that such a configuration is ignored and reported, without library jargon.
func TestConfigThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]string{
		"Host a\n\nMatch exec \"true\"\n User other\n": ": the Match of line 3 is not understood here; instead, write address, with :PORT, and username in the .compute file, and load the key into ssh-agent",
		"Host a\nInclude [\n":                          ": line 2 is not understood here; instead, write",
	} {
		home := configured(t, text)
		e, err := resolve(Host{"vm", "me"}, home)
		if err != nil || e.String() != "me@vm:22" || len(e.notes) != 1 || !strings.HasPrefix(e.notes[0], filepath.Join(home, ".ssh", "config")+" is not used"+want) || strings.Contains(e.notes[0], "ssh_config") {
			t.Errorf("%s, %v, %q", e, err, e.notes)
		}
	}
}

// TestKeysThatCannotBeRead checks that such keys are not used, and that the reason and the next step are reported.
func TestKeysThatCannotBeRead(t *testing.T) {
	home := configured(t, "IdentityFile ~/.ssh/config\nIdentityFile ~/.ssh\n")
	t.Setenv("SSH_AUTH_SOCK", filepath.Join(home, "nobody"))
	e, err := resolve(Host{"vm", "me"}, home)
	testkit.OK(t, err)
	var said []string
	l := newLogin(e, Options{Notice: func(format string, args ...any) {
		said = append(said, strings.ReplaceAll(fmt.Sprintf(format, args...), home, "~"))
	}})
	_, done := l.agentKeys()
	done()
	want := []string{
		"key ~/.ssh/config is not used: it is not a private key in a supported form: load it into ssh-agent, or create another one with `ssh-keygen -t ed25519`",
		"key ~/.ssh is not used: it cannot be read (is a directory)",
		"the SSH agent does not answer (SSH_AUTH_SOCK=~/nobody), so its keys are not used: start one with `eval $(ssh-agent)` and `ssh-add`, or unset the variable",
	}
	testkit.Same(t, want, said)
}

func FuzzResolve(f *testing.F) {
	for _, s := range []string{"vm", "203.0.113.7:22", "[::1]:2222", "-oProxyCommand=x", "a b", "me@vm", "vm:0"} {
		f.Add(s)
	}
	home := f.TempDir()
	f.Fuzz(func(t *testing.T, address string) {
		e, err := resolve(Host{address, "me"}, home)
		if err != nil {
			if !Is(err, AddressInvalid) {
				t.Error(err)
			}
			return
		}
		if e.host == "" || e.host[0] == '-' {
			t.Errorf("%q became %q", address, e.host)
		}
	})
}
