package finding

// Answer is one way to answer the question of a fix.
type Answer struct {
	// Flag is the command line flag that gives the answer: "gpu" and "cpu" name a compute target, "choose" answers the
	// question Key.
	Flag AnswerFlag
	// Key is the question, for "choose"; Value is the answer, or the target.
	Key, Value string
	// Title says, in the imperative, what the answer does.
	Title string
}

// AnswerFlag is the flag that gives an answer, without its dashes.
type AnswerFlag string

// The flags that give an answer.
const (
	AnswerGPU    AnswerFlag = "gpu"
	AnswerCPU    AnswerFlag = "cpu"
	AnswerChoose AnswerFlag = "choose"
)

// Argument returns what follows the flag: "TARGET" or "KEY=VALUE".
func (a Answer) Argument() string {
	if a.Flag == AnswerChoose {
		return a.Key + "=" + a.Value
	}
	return a.Value
}
