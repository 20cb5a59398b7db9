package format_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/format"
)

// TestCommandLine checks what is written for a command that is a list.
func TestCommandLine(t *testing.T) {
	table{
		{"words", "environment: azureml:e:1\ncommand: [python, train.py, --lr, 0.1, --data, '${{inputs.a}}']\n", []string{
			`2:10 «[python, train.py, --lr, 0.1, --data, '${{inputs.a}}']» error schema/type: "command" must be text, but the brackets [ ] make it a list: write python train.py --lr 0.1 --data ${{inputs.a}} [safe: write one line: 2: ": [python, train.py, --lr, 0.1, --data, '${{inputs.a}}']" → ": python train.py --lr 0.1 --data ${{inputs.a}}"]`,
		}},
		{"words below each other", "command:\n- python\n- train.py\nenvironment: azureml:e:1\n", []string{
			"2:1 «- python\n- train.py»" + ` error schema/type: "command" must be text, but the dashes make it a list: write python train.py [safe: write one line: 1: ":\n- python\n- train.py" → ": python train.py"]`,
		}},
		{"lines", "command:\n- pip install a\n- python train.py # b\nenvironment: azureml:e:1\n", []string{
			"2:1 «- pip install a\n- python train.py»" + ` error schema/type: "command" must be text, but the dashes make it a list: write pip install a && python train.py [unsafe: write one line: 1: ":\n- pip install a\n- python train.py" → ": pip install a && python train.py"]`,
		}},
		{"a comment between", "command:\n- python # a\n- train.py\nenvironment: azureml:e:1\n", []string{
			"2:1 «- python # a\n- train.py»" + ` error schema/type: "command" must be text, but the dashes make it a list: write python train.py`,
		}},
		{"a word that the shell changes", "environment: azureml:e:1\ncommand: [ls, '*.csv']\n", []string{
			`2:10 «[ls, '*.csv']» error schema/type: "command" must be text, but the brackets [ ] make it a list: write only the value, or put it in quotes`,
		}},
	}.run(t, format.V2Command)
}
