package secret

import (
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestLettersInWords(t *testing.T) {
	testkit.Same(t, letters(nameLetters+"+/~"), &inWord, "inWord")
}
