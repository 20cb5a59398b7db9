package secret_test

import (
	"math/rand/v2"
	"testing"

	"github.com/amlfix/amlfix/schema/secret"
)

// TestBinary checks that hardly a login is found in an archive or an image, where user:password@ occurs by chance.
func TestBinary(t *testing.T) {
	t.Parallel()
	random, text := rand.New(rand.NewPCG(3, 4)), make([]byte, 1<<20)
	found := 0
	for range 8 {
		for i := range text {
			text[i] = byte(random.Uint32())
		}
		found += len(secret.Tokens(text))
	}
	if found > 8 {
		t.Errorf("%d logins in 8 MB", found)
	}
	for _, login := range []string{
		"me:hunter2@h", "me:pässword@h", "me:p\xe4ssword@h", "image: me:p\xe4ssw\xf6rd@reg.example.com/x:1", "me:p\x01ssword@h", "me:p\ufffdssw\ufffdrd@h",
		"A=b\x00IMAGE=me:p\xe4ssword@h\x00C=d\x00",
	} {
		if len(secret.Tokens([]byte(login))) != 1 {
			t.Errorf("%q is no login", login)
		}
	}
}
