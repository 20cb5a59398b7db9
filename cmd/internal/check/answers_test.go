package check

import (
	"testing"

	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/settings"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestAnswers checks that answers go before those in the settings, are left alone in copies, and make a command line.
func TestAnswers(t *testing.T) {
	first := Answers{GPU: make([]string, 1, 8), Choices: map[string]string{"q": "a b"}}
	first.GPU[0] = "one"
	second := first
	for _, one := range []finding.Answer{{Flag: finding.AnswerGPU, Value: "two"}, {Flag: finding.AnswerCPU, Value: "the third"}, {Flag: finding.AnswerChoose, Key: "p", Value: "c"}} {
		second.Add(one)
	}
	third := first
	third.Add(finding.Answer{Flag: finding.AnswerGPU, Value: "four"})
	testkit.Same(t, []string{"--gpu", "one", "--choose", "'q=a b'"}, first.Words())
	testkit.Same(t, []string{"--gpu", "one", "--gpu", "two", "--cpu", "'the third'", "--choose", "p=c", "--choose", "'q=a b'"}, second.Words())
	testkit.Same(t, []string{"--gpu", "one", "--gpu", "four", "--choose", "'q=a b'"}, third.Words())

	set := &settings.Settings{GPU: []string{"the third", "five"}, CPU: []string{"one", "six"}, Choices: map[string]string{"q": "x", "r": "y"}}
	for range 2 { // the settings stay
		got := second.options(Root{Settings: set})
		testkit.Same(t, []string{"one", "two", "five"}, got.GPU)
		testkit.Same(t, []string{"the third", "six"}, got.CPU)
		testkit.Same(t, map[string]string{"p": "c", "q": "a b", "r": "y"}, got.Choices)
	}
}
