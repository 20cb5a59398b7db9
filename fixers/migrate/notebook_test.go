package migrate

import (
	"slices"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestNotebook checks that the code of a notebook keeps its line numbers.
func TestNotebook(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"cells":               {"{\n\"cells\": [\n{\"cell_type\": \"code\", \"outputs\": [{\"source\": [\"no\"]}], \"source\": [\n\"a = 1\\n\",\n\"b = 2\"\n]},\n{\"cell_type\": \"markdown\", \"source\": [\n\"words\"\n]}\n],\n\"metadata\": {\"cells\": 1}}", "\n\n\na = 1\nb = 2\n\n\n\n\n\n"},
		"magic":               {"{\"cells\": [{\"cell_type\": \"code\", \"source\": [\n\"%matplotlib inline\\n\",\n\"!pip install x\\n\",\n\"a = 1\"\n]}]}", "\n\n\na = 1\n"},
		"files":               {"{\"cells\": [{\"cell_type\": \"code\", \"source\": [\n\"%%writefile a.py\\n\",\n\"a = 1\"\n]}]}", "\nget_ipython().run_cell_magic(\"writefile\", f\"a.py\", 0)\n\n"},
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

// TestWritings checks what the cells that write files contain.
func TestWritings(t *testing.T) {
	const text = `{"cells": [
{"cell_type": "code", "source": [
"%%writefile $folder/train.py\n",
"a = 1"]},
{"cell_type": "code", "source": "%%writefile -a score.py\r\nb = 2\r\n"},
{"cell_type": "code", "source": []},
{"cell_type": "code", "source": "%%writefile"},
{"cell_type": "markdown", "source": "%%writefile a.py"},
{"cell_type": "code", "source": "%%writefile \"two words.py\"\n"}]}`
	want := []writing{
		{at: "a.ipynb:3", name: "$folder/train.py", text: "a = 1\n"},
		{at: "a.ipynb:5", name: "score.py", appends: true, text: "b = 2\n"},
		{at: "a.ipynb:9", text: "\n"},
	}
	if got := writings("a.ipynb", text); !slices.Equal(want, got) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestWrites checks what becomes of the name of a file in such a cell.
func TestWrites(t *testing.T) {
	for name, want := range map[string]string{
		"train.py": "train.py", "./a/b.py": "./a/b.py", "$a/b.py": "{a}/b.py", "$a": "{a}", "a/$b/$c/d.py": "a/{b}/{c}/d.py",
		"$a.py": "", "$$a": "", "{a}/b.py": "{a}/b.py", "{a.b}/c.py": "", "{a": "", "~/a.py": "", `a"b`: "", "": "",
	} {
		if want != "" {
			want = `get_ipython().run_cell_magic("writefile", f"` + want + `", 2)`
		}
		testkit.Same(t, want, writing{name: name}.writes(2), name)
	}
}
