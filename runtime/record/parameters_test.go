package record

import (
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestParameters checks the parameters of a script and of a v2 job, whose inputs have names.
func TestParameters(t *testing.T) {
	end := []Parameter{{"target", "local"}}
	for _, tt := range []struct {
		record Record
		want   []Parameter
	}{
		{Record{Script: "train.py", Arguments: []string{"train.py", "--lr=0.1", "-n", "3", "data", "--fast"}},
			[]Parameter{{"lr", "0.1"}, {"n", "3"}, {"argument 4", "data"}, {"fast", "true"}, {"run configuration", "x"}}},
		{Record{Arguments: []string{`"ls\ncat a=b"`}, Plan: []Line{{Name: "command", Value: "ls"}, {Name: "command", Value: "cat a=b"}, {Name: "input", Value: "lr=0.1"},
			{Name: "input", Value: `where="a=b"`}, {Name: "variable", Value: "A=1"}}},
			[]Parameter{{"lr", "0.1"}, {"where", `"a=b"`}, {"command", "ls\ncat a=b"}, {"job", "x"}}},
		{Record{Kind: "azureml"}, []Parameter{{"job", "x"}}},
	} {
		tt.record.Name, tt.record.Target = "x", "local"
		testkit.Same(t, append(tt.want, end...), tt.record.Parameters())
	}
}
