package secret

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestLettersInWords(t *testing.T) {
	testkit.Same(t, letters(nameLetters), &inNames, "inNames")
	testkit.Same(t, letters(nameLetters+"+/~"), &inWord, "inWord")
}

// TestWordsAgain finds the same tokens in words that were seen before, whatever is beside them.
func TestWordsAgain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // any texts will do
	pieces := []string{
		"mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu22.04", "webhook.office.com/webhookb2/", "a-very-long-name-of-something", "ghp_" + strings.Repeat("a1B2", 9),
		"5af3_5af3_5af3_5af3_5af3_5af3_5af3_5af3", "hf_", "sk-", "Q~", "@", "@", "=", "==", " ", " ", "\n", "\\", "\"", ":", "//", "Bearer ", strings.Repeat("Ab1+", 21), "x", "7",
	}
	for range 20000 {
		var b strings.Builder
		for range 2 + random.IntN(9) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		text := []byte(b.String())
		for start := 0; start < len(text); start++ {
			end := start
			for end < len(text) && inWord[text[end]] {
				end++
			}
			if end-start >= shortestWord && (start == 0 || !inWord[text[start-1]]) {
				got, argument := knownWord(text, start, end, nil)
				testkit.Same(t, inLongWord(text, start, end, nil), got, "%q from %d", text, start)
				testkit.Same(t, hasRun(inKey.Get(), text[start:end], shortestArgument), argument, "%q from %d", text, start)
			}
			start = end
		}
	}
}
