package ssh

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"golang.org/x/crypto/ssh"
)

// keyFile is a private key in a file. A key with a passphrase is unlocked only when the other side requests a signature
// with it.
type keyFile struct {
	path       string
	text       []byte
	public     ssh.PublicKey
	signer     ssh.Signer // nil while the key is locked
	passphrase func() (string, error)
}

// readKey reads a key file. The public half of a locked key must be known: newer files contain it, and otherwise it is
// in the file with the suffix .pub.
func readKey(path string) (*keyFile, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	signer, err := ssh.ParsePrivateKey(text)
	var locked *ssh.PassphraseMissingError
	switch {
	case err == nil:
		return &keyFile{path: path, public: signer.PublicKey(), signer: signer}, nil
	case !errors.As(err, &locked):
		return nil, errors.New("it is not a private key in a supported form: load it into ssh-agent, or create another one with `ssh-keygen -t ed25519`")
	}
	k := &keyFile{path: path, text: text, public: locked.PublicKey}
	if k.public == nil {
		line, err := os.ReadFile(path + ".pub")
		if err == nil {
			k.public, _, _, _, err = ssh.ParseAuthorizedKey(line)
		}
		if err != nil {
			return nil, errors.New("it has a passphrase and no .pub file next to it: load it into ssh-agent")
		}
	}
	return k, nil
}

// unreadable returns why a file is not used: in this package's words, or the system's reason.
func unreadable(err error) string {
	var p *fs.PathError
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "this user may not read it"
	case errors.As(err, &p):
		return "it cannot be read (" + p.Err.Error() + ")"
	}
	return err.Error()
}

// PublicKey implements ssh.Signer.
func (k *keyFile) PublicKey() ssh.PublicKey { return k.public }

// Algorithms implements ssh.MultiAlgorithmSigner. It returns all algorithms that fit the key, newest first.
func (k *keyFile) Algorithms() []string {
	if k.public.Type() == ssh.KeyAlgoRSA {
		return []string{ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256}
	}
	return []string{k.public.Type()}
}

// Sign implements ssh.Signer.
func (k *keyFile) Sign(rand io.Reader, data []byte) (*ssh.Signature, error) {
	return k.SignWithAlgorithm(rand, data, k.Algorithms()[0])
}

// SignWithAlgorithm implements ssh.AlgorithmSigner. If the key is locked, it asks for the passphrase, up to
// passwordTries times.
func (k *keyFile) SignWithAlgorithm(rand io.Reader, data []byte, algorithm string) (*ssh.Signature, error) {
	for tries := 1; k.signer == nil; tries++ {
		phrase, err := k.passphrase()
		if err != nil {
			return nil, errors.New("key " + k.path + " has a passphrase: load it into ssh-agent with ssh-add")
		}
		k.signer, err = ssh.ParsePrivateKeyWithPassphrase(k.text, []byte(phrase))
		if err != nil && (tries == passwordTries || phrase == "") { // as with ssh, an empty answer gives up
			return nil, errors.New("key " + k.path + ": the passphrase is wrong")
		}
	}
	if s, ok := k.signer.(ssh.AlgorithmSigner); ok {
		return s.SignWithAlgorithm(rand, data, algorithm)
	}
	return k.signer.Sign(rand, data)
}
