package rules

import (
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestAddressFault checks that what is before and after the machine in an address, which may be a secret, is not shown.
func TestAddressFault(t *testing.T) {
	const advice = `is only the name of the machine: write "h.example.com" here, and the user in "username"`
	for text, want := range map[string]string{
		"h.example.com": "", "me@h.example.com": advice, "https://me@h.example.com/hook/0a1b2c": advice,
		"https://h.example.com/hook/0a1b2c": `is only the name of the machine, without a scheme: write "h.example.com"`,
	} {
		testkit.Same(t, want, addressFault(text), text)
	}
}
