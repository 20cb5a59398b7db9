package migratetest

import "github.com/amlfix/amlfix/fixers/migrate/yamlout"

// DockerRun returns a Workbench run configuration for a target named docker, with the argument vector argv.
func DockerRun(argv []string) []byte {
	list := make(yamlout.List, len(argv))
	for i, arg := range argv {
		list[i] = arg
	}
	return yamlout.Bytes(nil, yamlout.Map{{Key: "ArgumentVector", Value: list}, {Key: "Target", Value: "docker"}, {Key: "Framework", Value: "Python"}})
}

// Vectors returns argument vectors that begin with a script, each with a trap of shells, YAML, Compose, Kubernetes or
// Azure ML. An emitter has to write them so that the script gets them unchanged.
func Vectors() [][]string {
	return [][]string{
		{"train.py"},
		{"train.py", "--lr", "0.01"},
		{"train.py", "234", "-v"},
		{"train.py", "--name", "two words"},
		{"train.py", "it's"},
		{"train.py", `a"b`},
		{"train.py", "--glob", "*.csv"},
		{"train.py", "--money", "$5"},
		{"train.py", "--home", "$HOME"},
		{"train.py", "`date`"},
		{"train.py", "$(date)"},
		{"train.py", "a;b"},
		{"train.py", "a&&b"},
		{"train.py", "--out", ">x"},
		{"train.py", "#notacomment"},
		{"train.py", "~"},
		{"train.py", "--empty", ""},
		{"train.py", `back\slash`},
		{"train.py", `C:\temp\x.whl`},
		{"train.py", "line1\nline2"},
		{"train.py", "tab\there"},
		{"train.py", `{"a": [1, 2]}`},
		{"train.py", "--x=1 2"},
		{"train.py", "!bang"},
		{"train.py", "ünïcode"},
		{"train.py", "-"},
		{"train.py", "--"},
		{"scripts/with - spaces/train model.py", "--n", "3"},
		{"train.py", "name: value"},
		{"train.py", "yes"},
		{"train.py", "010"},
		{"train.py", "1e3"},
		{"train.py", "null"},
		{"train.py", "trailing "},
		{"train.py", " leading"},
		{"train.py", "a  b"},
		{"train.py", "%s"},
		{"train.py", "[x]"},
		{"train.py", "?"},
		{"train.py", "A=B"},
		{"train.py", "$$"},
		{"train.py", "$(HOME)"},
	}
}
