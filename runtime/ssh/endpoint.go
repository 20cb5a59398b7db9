package ssh

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kevinburke/ssh_config"

	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

const defaultPort = "22"

// Host is the machine and the user that a compute target names.
type Host struct {
	Address string // a name, an IP address or an alias in ~/.ssh/config; with :port if SSH does not listen on port 22
	User    string // empty: the user in ~/.ssh/config, or else the user of this machine
}

// endpoint is a Host after applying ~/.ssh/config.
type endpoint struct {
	host, port, user string
	keyFiles         []string // in the order in which they are offered
	keysOnly         bool     // use only those agent keys that are in keyFiles
	knownHosts       []string // the files that exist
	notes            []string
}

// String returns "user@host:22".
func (e endpoint) String() string { return e.user + "@" + net.JoinHostPort(e.host, e.port) }

// nameText matches what can be a host's name or address; underscores are common on internal networks.
var nameText = plain.Regexp{Text: `^[\pL\pN]([\pL\pN._-]*[\pL\pN.])?$`}

// resolve parses the address and applies the user's SSH configuration: HostName, User, Port, IdentityFile,
// IdentitiesOnly and UserKnownHostsFile. The port and user in the address take precedence.
func resolve(h Host, home string) (endpoint, error) {
	address := strings.TrimSpace(h.Address)
	name, port := splitPort(address)
	number, err := strconv.Atoi(port)
	if err != nil || number < 1 || number > 65535 || net.ParseIP(name) == nil && !nameText.Get().MatchString(name) {
		return endpoint{}, &Error{Problem: AddressInvalid, Detail: secret.HideValue(address)}
	}
	if !isUser(h.User) {
		return endpoint{}, &Error{Problem: UserInvalid, Detail: h.User}
	}
	e := endpoint{host: name, port: port, user: h.User}
	c := readConfig(filepath.Join(home, ".ssh", "config"), &e)
	if to := c.get(name, "HostName"); to != "" {
		e.host = strings.ReplaceAll(to, "%h", name)
	}
	if p := c.get(name, "Port"); p != "" && !hasPort(address) {
		e.port = p
	}
	if e.user = cmp.Or(e.user, c.get(name, "User")); e.user == "" {
		if me, err := user.Current(); err == nil {
			e.user = me.Username
		}
	}
	for _, key := range []string{"ProxyJump", "ProxyCommand"} {
		if v := c.get(name, key); v != "" && !strings.EqualFold(v, "none") {
			return e, &Error{Problem: ConfigUnsupported, Host: e.String(), Detail: key + " of ~/.ssh/config"}
		}
	}
	expand := func(path string) string {
		path = strings.NewReplacer("%d", home, "%h", e.host, "%r", e.user, "%%", "%").Replace(strings.Trim(path, `"`))
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			path = filepath.Join(home, rest)
		}
		return path
	}
	for _, f := range c.all(name, "IdentityFile") {
		e.keyFiles = append(e.keyFiles, expand(f))
	}
	e.keysOnly = strings.EqualFold(c.get(name, "IdentitiesOnly"), "yes")
	if len(e.keyFiles) == 0 {
		for _, f := range []string{"id_ed25519", "id_ecdsa", "id_rsa"} {
			e.keyFiles = append(e.keyFiles, filepath.Join(home, ".ssh", f))
		}
	}
	known := []string{filepath.Join(home, ".ssh", "known_hosts"), filepath.Join(home, ".ssh", "known_hosts2")}
	if own := c.get(name, "UserKnownHostsFile"); own != "" {
		known = nil
		for f := range strings.FieldsSeq(own) {
			known = append(known, expand(f))
		}
	}
	for _, f := range append(known, "/etc/ssh/ssh_known_hosts") {
		if _, err := os.Stat(f); err == nil {
			e.knownHosts = append(e.knownHosts, f)
		}
	}
	return e, nil
}

// isUser reports whether a text can be a user name, by the rules of OpenSSH's client: it goes into messages, paths of
// key files and commands that people are asked to run. An empty name is left to the configuration.
func isUser(name string) bool {
	return !strings.HasPrefix(name, "-") && !strings.HasSuffix(name, `\`) && !strings.ContainsAny(name, "'`\"$;&|<>(){}*?[]!#~/ \t") && escape.Terminal(name) == name && len(name) <= 256
}

// splitPort splits off the port; an IPv6 address may be bare or in brackets.
func splitPort(address string) (name, port string) {
	if n, p, err := net.SplitHostPort(address); err == nil {
		return n, p
	}
	return strings.TrimSuffix(strings.TrimPrefix(address, "["), "]"), defaultPort
}

func hasPort(address string) bool {
	_, _, err := net.SplitHostPort(address)
	return err == nil
}

// config is the user's SSH configuration; nil if there is none.
type config struct{ file *ssh_config.Config }

// readConfig reads the user's own file. It ignores a file that cannot be read, with a note.
func readConfig(path string, e *endpoint) config {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return config{}
	}
	var file *ssh_config.Config
	if err == nil {
		file, err = ssh_config.Decode(bytes.NewReader(text))
	}
	if err != nil {
		e.notes = append(e.notes, fmt.Sprintf("%s is not used: %s", path, unread(err)))
	}
	return config{file}
}

// lineText matches the position at which the configuration library stopped: "(3, 1): …".
var lineText = plain.Regexp{Text: `^\((\d+), \d+\): `}

// unread returns why the configuration is not used, and what to do without it.
func unread(err error) string {
	const instead = "; instead, write address, with :PORT, and username in the .compute file, and load the key into ssh-agent"
	m := lineText.Get().FindStringSubmatch(err.Error())
	switch {
	case m != nil && strings.Contains(err.Error(), "Match"):
		return "the Match of line " + m[1] + " is not understood here" + instead
	case m != nil:
		return "line " + m[1] + " is not understood here" + instead
	}
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return unreadable(err)
	}
	return "it is not understood here" + instead
}

func (c config) get(alias, key string) string {
	if c.file == nil {
		return ""
	}
	v, err := c.file.Get(alias, key)
	if err != nil {
		return ""
	}
	return v
}

func (c config) all(alias, key string) []string {
	if c.file == nil {
		return nil
	}
	v, err := c.file.GetAll(alias, key)
	if err != nil {
		return nil
	}
	return v
}
