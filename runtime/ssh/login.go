package ssh

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"github.com/amlfix/amlfix/schema/plain"
)

// passwordTries is how often a person may enter a password or the passphrase of a key.
const passwordTries = 3

// Options are what a Line needs besides the host. The zero value uses this user's own files and agent and prompts
// nobody.
type Options struct {
	Home     string // the folder that holds .ssh; empty: the user's home
	Password string // the user's password there, from AMLFIX_SSH_PASSWORD; empty: none
	// Ask prompts the person at the terminal for something secret, such as a password; nil: nobody is there.
	Ask func(ctx context.Context, question string) (string, error)
	// Notice receives things that the user should know; nil discards them.
	Notice func(format string, args ...any)
	// KeepAlive is how often the other side is asked for a sign of life, and how long it may take to answer before the
	// connection counts as lost; 0: 10 seconds.
	KeepAlive time.Duration
}

// login holds the user's credentials. It is kept for the life of a Line, so that a person is prompted only once.
type login struct {
	e        endpoint
	opts     Options
	ctx      context.Context // of the dial in progress
	pause    func()          // stops the handshake's clock while a person types
	password string          // the last one entered
	files    []*keyFile
	tried    []string // what was offered, for the error message
}

func newLogin(e endpoint, opts Options) *login {
	l := &login{e: e, opts: opts, password: opts.Password}
	for _, path := range e.keyFiles {
		k, err := readKey(path)
		switch {
		case err == nil:
			k.passphrase = func() (string, error) { return l.ask("passphrase of the key " + path) }
			l.files = append(l.files, k)
		case !errors.Is(err, fs.ErrNotExist):
			l.notice("key %s is not used: %s", path, unreadable(err))
		}
	}
	return l
}

func (l *login) notice(format string, args ...any) {
	if l.opts.Notice != nil {
		l.opts.Notice(format, args...)
	}
}

var errNobody = errors.New("there is no terminal")

func (l *login) ask(question string) (string, error) {
	if l.opts.Ask == nil {
		return "", errNobody
	}
	if l.pause != nil {
		l.pause()
	}
	return l.opts.Ask(l.ctx, question)
}

// methods returns the login methods for one attempt. done closes the connection to the agent.
func (l *login) methods() (list []ssh.AuthMethod, done func()) {
	l.tried = nil
	keys, done := l.agentKeys()
	var signers []ssh.Signer
	for _, f := range l.files {
		signers = append(signers, f)
	}
	for _, k := range keys {
		same := func(f *keyFile) bool { return string(f.PublicKey().Marshal()) == string(k.PublicKey().Marshal()) }
		if i := slices.IndexFunc(l.files, same); i >= 0 {
			signers[i] = k // the agent needs no passphrase
		} else if !l.e.keysOnly {
			signers = append(signers, k)
		}
	}
	if len(signers) > 0 { // one method for all keys: the library tries each kind of method once
		list = append(list, ssh.PublicKeysCallback(func() ([]ssh.Signer, error) {
			l.tried = append(l.tried, plain.Count(len(signers), "key"))
			return signers, nil
		}))
	}
	if l.password != "" || l.opts.Ask != nil {
		list = append(list, ssh.RetryableAuthMethod(ssh.PasswordCallback(l.givePassword()), l.tries()),
			ssh.RetryableAuthMethod(ssh.KeyboardInteractive(l.answer()), l.tries()))
	}
	return list, done
}

func (l *login) tries() int {
	if l.opts.Ask == nil {
		return 1
	}
	return passwordTries
}

// givePassword returns the known password first, and prompts from then on.
func (l *login) givePassword() func() (string, error) {
	known := l.password
	return func() (string, error) {
		if known == "" {
			var err error
			if known, err = l.ask("password of " + l.e.String()); err != nil {
				return "", err
			}
			l.password = known
		}
		l.tried = append(l.tried, "password")
		given := known
		known = ""
		return given, nil
	}
}

// answer answers the other side's questions: the first hidden one with the password, others by prompting.
func (l *login) answer() ssh.KeyboardInteractiveChallenge {
	password := l.givePassword()
	return func(_, _ string, questions []string, echos []bool) (answers []string, err error) {
		for i, q := range questions {
			var text string
			if i == 0 && !echos[i] && !strings.Contains(strings.ToLower(q), "code") {
				text, err = password()
			} else {
				text, err = l.ask(strings.TrimRight(strings.TrimSpace(q), ":"))
			}
			if err != nil {
				return nil, err
			}
			answers = append(answers, text)
		}
		return answers, nil
	}
}

// agentKeys returns the keys that the user's agent holds.
func (l *login) agentKeys() (keys []ssh.Signer, done func()) {
	done = func() {}
	socket := os.Getenv("SSH_AUTH_SOCK")
	if socket == "" {
		return nil, done
	}
	conn, err := net.DialTimeout("unix", socket, 2*time.Second) //nolint:gosec // the user chooses the agent
	if err != nil {
		l.notice("the SSH agent does not answer (SSH_AUTH_SOCK=%s), so its keys are not used: start one with `eval $(ssh-agent)` and `ssh-add`, or unset the variable", socket)
		return nil, done
	}
	_ = conn.SetReadDeadline(time.Now().Add(2 * time.Second))
	keys, err = agent.NewClient(conn).Signers()
	_ = conn.SetReadDeadline(time.Time{}) // a key on a token may have to be touched
	if err != nil {
		l.notice("the SSH agent provides no keys (SSH_AUTH_SOCK=%s): check whether `ssh-add -l` lists any", socket)
	}
	return keys, func() { _ = conn.Close() }
}
