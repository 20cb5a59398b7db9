package migrate

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNotebook: the code of a notebook is on the lines of its file.
func TestNotebook(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"cells":             {"{\n\"cells\": [\n{\"cell_type\": \"code\", \"outputs\": [{\"source\": [\"no\"]}], \"source\": [\n\"a = 1\\n\",\n\"b = 2\"\n]},\n{\"cell_type\": \"markdown\", \"source\": [\n\"words\"\n]}\n],\n\"metadata\": {\"cells\": 1}}", "\n\n\na = 1\nb = 2\n\n\n\n\n\n"},
		"magic":             {"{\"cells\": [{\"cell_type\": \"code\", \"source\": [\n\"%matplotlib inline\\n\",\n\"!pip install x\\n\",\n\"a = 1\"\n]}]}", "\n\n\na = 1\n"},
		"files":             {"{\"cells\": [{\"cell_type\": \"code\", \"source\": [\n\"%%writefile a.py\\n\",\n\"a = 1\"\n]}]}", "\n\n\n"},
		"no Python":         {"{\"cells\": [{\"cell_type\": \"code\", \"source\": [\n\"a = (\\n\"]}, {\"cell_type\": \"code\", \"source\": [\n\"b = 2\"]}]}", "\n\nb = 2"},
		"all on one line":   {"{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"a = 1\\n\", \"b = 2\"]}]}", ""},
		"one text":          {"{\"cells\": [{\"cell_type\": \"code\", \"source\": \"a = 1\"}]}", "a = 1"},
		"one text of lines": {"{\"cells\": [{\"cell_type\": \"code\", \"source\": \"a = 1\\nb = 2\"}]}", ""},
		"broken":            {"{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"a = 1\"", "a = 1"},
		"no notebook":       {"[]", ""},
		"odd":               {"{\"cells\": {\"source\": \"a\"}, \"cell_type\": \"code\"}", ""},
	} {
		if diff := cmp.Diff(test.want, notebook(test.text)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
