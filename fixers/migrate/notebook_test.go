package migrate

import (
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestNotebook checks that the code of a notebook keeps its line numbers.
func TestNotebook(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"cells":               {"{\n\"cells\": [\n{\"cell_type\": \"code\", \"outputs\": [{\"source\": [\"no\"]}], \"source\": [\n\"a = 1\\n\",\n\"b = 2\"\n]},\n{\"cell_type\": \"markdown\", \"source\": [\n\"words\"\n]}\n],\n\"metadata\": {\"cells\": 1}}", "\n\n\na = 1\nb = 2\n\n\n\n\n\n"},
		"magic":               {"{\"cells\": [{\"cell_type\": \"code\", \"source\": [\n\"%matplotlib inline\\n\",\n\"!pip install x\\n\",\n\"a = 1\"\n]}]}", "\n\n\na = 1\n"},
		"files":               {"{\"cells\": [{\"cell_type\": \"code\", \"source\": [\n\"%%writefile a.py\\n\",\n\"a = 1\"\n]}]}", "\n\n\n"},
		"no Python":           {"{\"cells\": [{\"cell_type\": \"code\", \"source\": [\n\"a = (\\n\"]}, {\"cell_type\": \"code\", \"source\": [\n\"b = 2\"]}]}", "\n\nb = 2"},
		"all on one line":     {"{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"a = 1\\n\", \"b = 2\"]}]}", "a = 1\rb = 2\n"},
		"cells on one line":   {"{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"a = 1\\n\", \"b = (\"]}, {\"cell_type\": \"code\", \"source\": \"c = 1\\r\\n\\nd = 2\\n\"}, {\"cell_type\": \"code\", \"source\": [\"e = 3\"]}]\n}", "c = 1\r\rd = 2\re = 3\n"},
		"one text":            {"{\"cells\": [{\"cell_type\": \"code\", \"source\": \"a = 1\"}]}", "a = 1\n"},
		"one multi-line text": {"{\"cells\": [{\"cell_type\": \"code\", \"source\": \"a = 1\\nb = 2\"}]}", "a = 1\rb = 2\n"},
		"broken":              {"{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"a = 1\"", "a = 1\n"},
		"no notebook":         {"[]", "\n"},
		"odd":                 {"{\"cells\": {\"source\": \"a\"}, \"cell_type\": \"code\"}", "\n"},
	} {
		testkit.Same(t, test.want, notebook(test.text), name)
	}
}

func TestWrittenBy(t *testing.T) {
	const text = "{\"cells\": [\n{\"cell_type\": \"code\", \"source\": [\n\"%%writefile $folder/train.py\\n\",\n\"a = 1\"]},\n{\"cell_type\": \"code\", \"source\": \"%%writefile -a score.py\\nb = 2\"},\n{\"cell_type\": \"code\", \"source\": []},\n{\"cell_type\": \"code\", \"source\": \"%%writefile\"}]}"
	testkit.Same(t, map[string]string{"train.py": "a.ipynb:3", "score.py": "a.ipynb:5"}, writtenBy("a.ipynb", text))
}
