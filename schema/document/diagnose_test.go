package document_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestProblems checks where each fault of a text is seen, a word of what is said, and the text after the repair, if
// there is one.
func TestProblems(t *testing.T) {
	for name, test := range map[string]struct{ text, want, repaired string }{
		"fine":                   {"a: 1\n", "", ""},
		"empty":                  {"", "", ""},
		"only a comment":         {"# nothing\n", "", ""},
		"merge markers":          {"a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> other\n", "2:1 merge conflict", ""},
		"fences":                 {"```yaml\na: 1\nb: |\n  ```\n  c\n  ```\n```\n", "1:1 code fence of Markdown", "a: 1\nb: |\n  ```\n  c\n  ```\n"},
		"fences, CRLF":           {"```\r\na: 1\r\n```", "1:1 code fence of Markdown", "a: 1\r\n"},
		"fence at the end":       {"a: 1\n```\n", "2:1 code fence of Markdown", "a: 1\n"},
		"fences, and prose":      {"```yaml\na: 1\n```\nSave this as job.yml.\n- and: run\n it\n", "1:1 everything outside of the code", ""},
		"a fence in a text":      {"a: |\n  ```\n  b\n  ```\n", "", ""},
		"backtick":               {"`$schema: b\nc: d\n", "1:1 only PowerShell", "$schema: b\nc: d\n"},
		"backtick, BOM":          {"\ufeff`$schema: b\nc: d\n", "1:1 only PowerShell", "\ufeff$schema: b\nc: d\n"},
		"half a conflict":        {"a: 1\n=======\nb: 3\n", "2:1 merge conflict", ""},
		"backslash":              {"a: \"C:\\Data\\x\" # \"\\D\"\nb: [\"D:\\new\\Up\"]\n", "1:7 this is not one", "a: \"C:\\\\Data\\\\x\" # \"\\D\"\nb: [\"D:\\\\new\\\\Up\"]\n"},
		"backslash, hex":         {"a: \"C:\\Users\"\nb: \"\\u00e4\\x41\"\n", "1:7 this is not one", "a: \"C:\\\\Users\"\nb: \"\\u00e4\\x41\"\n"},
		"backslash, doubled":     {"a: \"C:\\\\Data\\p\\\"\"\n", "1:13 this is not one", "a: \"C:\\\\Data\\\\p\\\"\"\n"},
		"backslash, quotes":      {"# \"\\D\"\na: '\"\\D\"'\nb: %\n", "3:1 put the value in quotes", ""},
		"commas of JSON":         {"a: \"x\",\nb:\n  - 'y', # it\nc: z,\nd: [\n  \"1\",\n  2]\n", "1:1 delete this one", ""},
		"a comma":                {"a: \"x\",\nb:\n  - 'y', # it\nc: z,\n", "1:7 delete this one", "a: \"x\"\nb:\n  - 'y' # it\nc: z,\n"},
		"after a quote":          {"b: 1\na: 'it's'\n", "2:1 after the closing quote", ""},
		"colon in a value":       {"b: 1\nimage: microsoft/mmlspark: plus-0.9.9\n", "2:8 a colon and a space inside a value", ""},
		"colon in a command":     {"a: python -c \"print('b: c'); print('d: e')\" # it\nb: |\n  c: d: e\n", "1:14 a colon and a space", "a: 'python -c \"print(''b: c''); print(''d: e'')\"' # it\nb: |\n  c: d: e\n"},
		"colon in a text":        {"a: 1\ndescription: It's new: b\n", "2:19 a colon and a space", "a: 1\ndescription: \"It's new: b\"\n"},
		"colon after azureml":    {"a: 1\ncompute: azureml: b\n", "2:10 delete the space", "a: 1\ncompute: azureml:b\n"},
		"colon at the end":       {"a: 1\ncompute: azureml: # which?\nb:\n  c: azureml:\n", "2:10 a colon at the end of a value", ""},
		"colon in a comment":     {"a: b # it: c\nname: a version: 1\n", "2:9 a line of its own", ""},
		"colon and a tab":        {"a: 1\nb: c:d:\te f: g\n", "2:4 a colon and a space", ""},
		"colon, two keys":        {"name: a version: 1\n", "1:9 a line of its own", ""},
		"colons, one unclear":    {"description: a: b\nname: a version: 1\n", "1:14 a line of its own", ""},
		"colon, last":            {"b: 1\n- a:\n", "2:1 this dash", "b: 1\na:\n"},
		"dash, above":            {"a:\n  x: 0\n  b:\n    c: 1\n  - d: 2\n", "5:3 delete it", "a:\n  x: 0\n  b:\n    c: 1\n  d: 2\n"},
		"dash, lost or added":    {"a:\n  b: 1\n  - c: 2\n", "3:3 or make the other lines", ""},
		"dash, or its lines":     {"a:\n  - b: 1\n  c: 2\n", "2:3 or make the other lines", ""},
		"dashes of lists":        {"a: 1\n- b: 1\n- c: 2\n", "2:1 cannot be read", ""},
		"quotes twice":           {"a: \"\"1\"\" # it\nb: 'c\"\nd: ''e'\nf: ''\ng: \"''h''\"\n", "1:4 write \"1\"", "a: \"1\" # it\nb: 'c'\nd: 'e'\nf: ''\ng: \"''h''\"\n"},
		"value on a line":        {"a:\n./b\nc: 1\n", "2:1 indented like its key", "a:\n  ./b\nc: 1\n"},
		"name on a line":         {"a:\nazureml:b@latest\nc: 1\n", "2:1 indented like its key", "a:\n  azureml:b@latest\nc: 1\n"},
		"list on a line":         {"a:\n  b:\n  # it\n  [\"c\", d]\n", "4:3 indented like its key", "a:\n  b:\n  # it\n    [\"c\", d]\n"},
		"text, first deeper":     {"a: >-\n    b c\n  --d\n  --e\nf: 1\n", "2:5 belongs to the text", "a: >-\n  b c\n  --d\n  --e\nf: 1\n"},
		"text, less deep":        {"a:\n  b: |\n      c\n    --d: 1\n      e\n", "4:5 belongs to the text", "a:\n  b: |\n      c\n      --d: 1\n      e\n"},
		"text, not indented":     {"a: >-\n  b c\n--d ${{e}}\n  --f\ng: 1\n", "3:1 belongs to the text", "a: >-\n  b c\n  --d ${{e}}\n  --f\ng: 1\n"},
		"text, a word":           {"a: >-\n  b c\nd e\n  --f\ng: 1\n", "3:1 belongs to the text", "a: >-\n  b c\n  d e\n  --f\ng: 1\n"},
		"key, deeper":            {"a: 1\nf: 1\n  g: 1\nh: 1\nb:\n  c: 1\n  d: 1\n", "3:3 write it with 0 spaces", "a: 1\nf: 1\ng: 1\nh: 1\nb:\n  c: 1\n  d: 1\n"},
		"key above, out":         {"a:\n  b: 1\n  x: 1\nc: 1\n  d: 1\n  e: 1\nf: 1\n", "4:1 write it with 2 spaces", "a:\n  b: 1\n  x: 1\n  c: 1\n  d: 1\n  e: 1\nf: 1\n"},
		"key over, out":          {"a:\n  b:\n    x: 1\nc:\n    y: 1\n    z: 1\n  d:\n    y: 1\nf: 1\n", "4:1 write it with 2 spaces", "a:\n  b:\n    x: 1\n  c:\n    y: 1\n    z: 1\n  d:\n    y: 1\nf: 1\n"},
		"key with lines":         {"a:\n  b: 1\n    c:\n    d: 1\n    e: 1\nf:\n  g: 1\n", "3:5 write it with 2 spaces", "a:\n  b: 1\n  c:\n    d: 1\n    e: 1\nf:\n  g: 1\n"},
		"key in a comment":       {"a:\n  b: 1\n  x: 1\n#  c:\n    d: 1\n    e: 1\nf: 1\n", "4:1 remove its #", ""},
		"its only line":          {"a: 1\nb: 1\n#c:\n  d: 1\nf: 1\ng: 1\n", "3:1 remove its #", ""},
		"odd key with lines":     {"a:\n- b: 1\n  c:\n    d: 1\n     e:\n    f: 1\n- b: 2\n", "5:6 indentation of this line, 5", "a:\n- b: 1\n  c:\n    d: 1\n  e:\n    f: 1\n- b: 2\n"},
		"key, or above":          {"a:\n  b:\n  c: 1\n    d: 1\n  e:\n    f: 1\n", "4:5 deeper than the line above", ""},
		"odd key above an item":  {"a: 1\nb: 2\nc:\n  d:\n    e: x\n  - {f\n", "6:3 does not fit the lines above it", ""},
		"odd key of nothing":     {"a:\n  b: 1\n  c: x\nd:\n     e: \n  f: \n  g: \n", "5:6 indentation of this line, 5", ""},
		"odd key of a block":     {"a: 1\nb:\n  c: 2\n   d: |\n      x\n  e: 4\n", "4:4 indentation of this line, 3", "a: 1\nb:\n  c: 2\n  d: |\n      x\n  e: 4\n"},
		"odd key of four":        {"a: 1\nb: 2\n  c: 3\nd: 4\n", "3:3 indentation of this line, 2", "a: 1\nb: 2\nc: 3\nd: 4\n"},
		"odd key, either":        {"x: 0\na:\n    b: 1\n    c: 1\n    e: 1\n   d: 2\n", "6:4 indentation of this line, 3", ""},
		"key of the one above":   {"a:\n  b:\nt: 1\n  d:\n    t: 1\n", "4:3 deeper than the line above", ""},
		"key like above":         {"a:\n  b:\n    t: 1\np: 1\n  d:\n    t: 1\n", "5:3 deeper than the line above", ""},
		"key of items":           {"a:\n  b:\n    c:\n    - d\n  e:\n    - f:\n    - g\n    h: 1\n", "8:5 cannot be read", ""},
		"odd key":                {"a: 1\nb:\n  c: 2\n   d: 3\n  e: 4\nf: 5\n", "4:4 indentation of this line, 3", "a: 1\nb:\n  c: 2\n  d: 3\n  e: 4\nf: 5\n"},
		"odd key, or above":      {"a: 1\nb:\nc: 2\n  d: 3\ne: 4\nf: 5\n", "4:3 indentation of this line, 2", ""},
		"odd key of two":         {"a: 1\nb:\n  g: 1\n  c: 2\n d: 3\ne: 4\nf: 5\n", "5:2 indentation of this line, 1", ""},
		"list beside key":        {"b: 1\na: - x\n", "2:1 on the next line", ""},
		"dashes in brackets":     {"b: 1\na:\n  [\n    - \"x\"\n  ]\n", "3:3 leave out the brackets", ""},
		"typographic quotes":     {"a: \u201cx:y\u201d # it\nb: [\u2018z\u2019]\n\u201cc\u201d: \u201cd e\u201d\n", "1:4 typographic quotes", "a: \"x:y\" # it\nb: [\"z\"]\n\"c\": \u201cd e\u201d\n"},
		"quotes in a text":       {"a: |\n  - \u201cx\u201d\nb: '\u201cx\u201d'\nc: \u201cx\n", "", ""},
		"path with a tab":        {"a: \"src\\train.py\"\nb: \"D:\\new\"\n", "1:4 not the path", "a: \"src\\\\train.py\"\nb: \"D:\\\\new\"\n"},
		"escapes":                {"a: \"x\\ty\"\nb: \"\\n\"\nc: \"C:\\\\x\\new\"\nd: \"see C:\\new\"\ne: \"Q:\\n\"\n", "", ""},
		"marked reference":       {"a: &azureml:b\nc: !azureml:d:1 # &azureml:e\n", "1:4 a meaning of its own", "a: azureml:b\nc: azureml:d:1 # &azureml:e\n"},
		"marked, commented":      {"# c: @azureml:b\na: @azureml:b\n", "2:4 a meaning of its own", "# c: @azureml:b\na: azureml:b\n"},
		"marked, unreadable":     {"a: *azureml:b\nc:\n  - @azureml:d:1\n", "1:4 a meaning of its own", "a: azureml:b\nc:\n  - azureml:d:1\n"},
		"star, cron":             {"a: b\nc: * * * * * # all\nd:\n  - **/*.csv\n  - */5 * * * *\n", "2:4 put the value in quotes", "a: b\nc: \"* * * * *\" # all\nd:\n  - \"**/*.csv\"\n  - \"*/5 * * * *\"\n"},
		"marked, but used":       {"a: &azureml b\nc: *azureml\nd: !azureml e\n", "", ""},
		"long dash":              {"b: 1\na:\n  - x\n  \u2013 y\n", "4:3 U+2013", "b: 1\na:\n  - x\n  - y\n"},
		"lost dash":              {"b: 1\na:\n  - x\n  y==1\n", "4:3 not a list item", "b: 1\na:\n  - x\n  - y==1\n"},
		"lost dash, key":         {"a:\n  - x\n  pip: # it\n    # b\n    - c\n", "3:3 not a list item", "a:\n  - x\n  - pip: # it\n    # b\n    - c\n"},
		"lost dash, below":       {"a:\n  - pip:\n    - b\n    # c\n    d\n    - e\n", "5:5 not a list item", "a:\n  - pip:\n    - b\n    # c\n    - d\n    - e\n"},
		"lost colon, pip":        {"a:\n  - x\n  - pip\n    # b\n    - c\n", "3:5 colon after pip", "a:\n  - x\n  - pip:\n    # b\n    - c\n"},
		"comma before brace":     {"{\n\"a\": [\"b\"\r\n {\"c\": 1}]}\n", "2:9 missing comma", "{\n\"a\": [\"b\",\r\n {\"c\": 1}]}\n"},
		"no-break space":         {"script: train.py\ndata:\u00a0\u00a0\n  mechanism:\u00a0mount\n", "2:6 no-break space", "script: train.py\ndata:  \n  mechanism: mount\n"},
		"spaces of prose":        {"a:\u00a0b\nc: \u0645\u06cc\u200c\u062e \u65e5\u3000\u672c \u200be\nd:\u00a0\u3000\n", "1:3 no-break", "a: b\nc: \u0645\u06cc\u200c\u062e \u65e5\u3000\u672c e\nd:   \n"},
		"mistaken, too":          {"a: >- b\nc: \u201cd\u201d\ne\u200b: f\n", "1:4 one line|2:4 typographic quotes", "a: b\nc: \"d\"\ne: f\n"},
		"two faults":             {"a\uff1ab\nargs:\n- x:y\nc:true\n", "1:2 U+FF1A|4:2 missing space after the colon", "a: b\nargs:\n- x:y\nc: true\n"},
		"faults of one line":     {"a: 1\ndescription\uff1a b: c: d\n", "2:12 U+FF1A|2:14 a colon and a space", "a: 1\ndescription: 'b: c: d'\n"},
		"faults, a tab":          {"a:b\nc:\n\td: e\n", "1:2 missing space|3:1 tab", "a: b\nc:\n  d: e\n"},
		"faults, a lost mark":    {"a\uff1ab\nc\nd: e\n  f: {g: ${{h}}}\n", "3:1 cannot be read", ""},
		"three faults":           {"a\uff1ab\nc = d\ne:\n  - f\n  -gh\n", "1:2 U+FF1A|2:1 ends with \"=\"|5:3 after the dash", "a: b\nc: d\ne:\n  - f\n  - gh\n"},
		"faults in JSON":         {"{\n\"a\": {b: ${{c}}}\n\"d\": 1\n}\n", "2:10 needs quotes|2:16 missing comma", "{\n\"a\": {b: \"${{c}}\"},\n\"d\": 1\n}\n"},
		"faults, one open":       {"a\uff1ab\nc: \"d\ne: f\n", "1:2 U+FF1A|2:4 never closed", "a: b\nc: \"d\"\ne: f\n"},
		"faults, one unclear":    {"a:b\nname: c version: 1\n", "1:2 missing space|2:9 a line of its own", ""},
		"faults, two tabs":       {"a:b\nname: a\n\tversion: 1\nbuild:\n\tpath: b\n", "3:1 tab", ""},
		"wide colons":            {"script\uff1atrain.py\ndata\uff1a\n  - mode\uff1a mount\n    b: c\uff1ad\n", "1:7 U+FF1A", "script: train.py\ndata:\n  - mode: mount\n    b: c\uff1ad\n"},
		"wide spaces":            {"data:\n\u3000a: b\n\u2003c: d\n", "", ""},
		"wide indentation":       {"data:\n\u3000a: b\n  c: d\n", "2:1 U+3000", "data:\n  a: b\n  c: d\n"},
		"invisible, words":       {"\u200ba: x\u200by\nb: \"c\u2060\"\nd: [\ufeffe]\nf: \u3000g\u00a0\n", "1:1 invisible", "a: xy\nb: \"c\"\nd: [e]\nf:   g\n"},
		"wide, consistent":       {"data:\n\u3000a: b\n\u3000c: d\u00a0\n", "2:1 U+3000", "data:\n  a: b\n  c: d\n"},
		"invisible, text":        {"a: x\u200b y\nb: \u0645\u06cc\u200c\u062e\nc: \"\\u200b\"\n# \u200b\n", "", ""},
		"tab, one way":           {"type: \"localdocker\"\n\tbaseDockerImage : \"x\"\n\t#old: y\n", "2:1 tab", "type: \"localdocker\"\nbaseDockerImage : \"x\"\n#old: y\n"},
		"tab, below a key":       {"name: a\nbuild: # it\n\tpath: b\n", "3:1 tab", "name: a\nbuild: # it\n  path: b\n"},
		"tab, both ways":         {"name: a\n\tversion: 1\nbuild:\n\tpath: b\n", "2:1 tab", ""},
		"tab, two ways":          {"dependencies:\n  - pip:\n    - a\n\t- b\n  - c\n", "4:1 tab", ""},
		"tab, deeper below":      {"a:\n- pip:\n\t- b\n    - c\n", "3:1 tab", "a:\n- pip:\n    - b\n    - c\n"},
		"tab, comment":           {"a:\n\t# b\n- c\n", "2:1 there is a tab here", "a:\n # b\n- c\n"},
		"tab, empty line":        {"a:\n- b\n\t\nc: |\n -\tx\n", "3:1 there is a tab here", "a:\n- b\n\nc: |\n -\tx\n"},
		"tab after a dash":       {"a:\n  -\tb\n  - \tc\n  - -\n", "2:4 there is a tab here", "a:\n  - b\n  - c\n  - -\n"},
		"glued":                  {"type: local\nnvidiaDocker:true\n", "2:13 missing space after the colon", "type: local\nnvidiaDocker: true\n"},
		"glued, in parts":        {"args:\n- x:y\ntype: local\nnvidiaDocker:true\nsharedVolumes:false\n", "4:13 missing space after the colon", "args:\n- x:y\ntype: local\nnvidiaDocker: true\nsharedVolumes: false\n"},
		"JSON comma":             {"{\r\n  \"Target\":\"docker\"\r\n  \"TrackedRun\":true\r\n}\r\n", "2:19 missing comma", "{\r\n  \"Target\":\"docker\",\r\n  \"TrackedRun\":true\r\n}\r\n"},
		"JSON comments":          {"{\n  \"a\": \"http://x\", // y\n  // z, \"\n  \"b\": \"c\" // d\n}\n", "2:20 write #", "{\n  \"a\": \"http://x\", # y\n  # z, \"\n  \"b\": \"c\" # d\n}\n"},
		"two JSON commas":        {"{\"a\": 1\n\"b\": 2\n\n\"c\": 3}", "1:7 missing comma", "{\"a\": 1,\n\"b\": 2,\n\n\"c\": 3}"},
		"text beside a mark":     {"a: >- b c\nd:\n  - e: |f\r\n     g\r\n", "1:4 one line", "a: b c\nd:\n  - e: |\r\n     f\r\n     g\r\n"},
		"more below a mark":      {"a: >-b c\n  d\ne: f\n", "1:4 next lines only", "a: >-\n  b c\n  d\ne: f\n"},
		"beside a mark, last":    {"b: c\na: >azureml:b", "2:4 one line", "b: c\na: azureml:b"},
		"comment on a mark":      {"a: >-#n\n  b\nc:\n  - |#n #m\n    >#d\ne: > #n\n  |#f\ng: '>#h'\n", "1:6 needs a space", "a: >- #n\n  b\nc:\n  - | #n #m\n    >#d\ne: > #n\n  |#f\ng: '>#h'\n"},
		"comment by a mark":      {"a: >b # c\n", "1:1 only a comment may follow", ""},
		"open double quote":      {"a: 1\nimage: \"x:y\nb: 2\n", "2:8 never closed", "a: 1\nimage: \"x:y\"\nb: 2\n"},
		"open quote, comment":    {"a: 1\nimage: \"x:y # it\nb: 2\n", "2:8 never closed", ""},
		"open quotes of keys":    {"a: 1\n\"b: x\nc:\n  - 'd:\n    - e\n", "2:1 before a key", "a: 1\nb: x\nc:\n  - d:\n    - e\n"},
		"open single quote":      {"a: 1\nb: 'x\n", "2:4 never closed", "a: 1\nb: 'x'\n"},
		"lost colon":             {"type localdocker\nbaseDockerImage: x\n", "1:1 colon after type", "type: localdocker\nbaseDockerImage: x\n"},
		"lost colon or value":    {"type:\n\ncommand # b\ncode: .\n", "3:1 command is read as neither a key nor a value", ""},
		"lost colon, at the end": {"code: .\ntype:\ncommand\n\n", "3:1 command is read as neither a key nor a value", ""},
		"lost colon, children":   {"inputs:\njobs\n  a: 1\n", "2:1 colon after jobs", "inputs:\njobs:\n  a: 1\n"},
		"lost colon, list":       {"name: x\ndependencies # all\n  - a\n", "2:1 colon after dependencies", "name: x\ndependencies: # all\n  - a\n"},
		"lost colon, JSON":       {"{\n  \"a\": 1,\n  \"b\" \"x\",\n  \"c\": 2\n}\n", "3:3 colon after \"b\" is missing: write \"b\":", "{\n  \"a\": 1,\n  \"b\": \"x\",\n  \"c\": 2\n}\n"},
		"wrong marks":            {"a =\n  - b = c\nd: e\nf:;\ng := h\ni;\n\"j\",\nk: l\n", "1:1 ends with \"=\"", "a:\n  - b = c\nd: e\nf:\ng: h\ni:\n\"j\":\nk: l\n"},
		"wrong marks, arrows":    {"x: 1\na ->\n  - b\nc => d\ne --> f\n", "2:1 ends with \"->\"", "x: 1\na:\n  - b\nc: d\ne: f\n"},
		"wrong mark, quoted":     {"a: 1\n\"b\" = 2\n", "2:1 write \"b\":", "a: 1\n\"b\": 2\n"},
		"no JSON comma":          {"{\n\"a\": 1,\n---\n\"b\": 2\n}\n", `3:1 this line starts with "---"`, ""},
		"lost hash":              {"name: x\nThe packages of all jobs.\ndependencies:\n- a\n", "2:1 if it is a comment", ""},
		"slipped hash":           {"7 The packages of all jobs.\n# of this one\nname: x\n# a\n# b\ndependencies:\n- a\n", `1:1 this line starts with "7"`, ""},
		"slipped hash alone":     {"7\nname: x\n", `1:1 this line has only "7"`, ""},
		"another comment":        {"name: x\n// all of them\n// and more\ndependencies:\n- a\n", `2:1 this line starts with "//"`, ""},
		"glued, quoted":          {"\"type\":\"local\"\n\"a-b.c\":\"x\"\n'd e':'y'\n", "1:7 missing space after the colon", "\"type\": \"local\"\n\"a-b.c\": \"x\"\n'd e': 'y'\n"},
		"glued dash":             {"dependencies:\n  - pip:\n    -numpy\n    -scipy\n", "3:5 missing space after the dash", "dependencies:\n  - pip:\n    - numpy\n    - scipy\n"},
		"lost dash, option":      {"dependencies:\n  - pip:\n    -r a.txt # all\nx: 1\n", `3:5 the dash before -r a.txt is missing, so this is not a list item: write "- -r a.txt"`, "dependencies:\n  - pip:\n    - -r a.txt # all\nx: 1\n"},
		"lost dash, long":        {"- pip:\n  - a\n  --extra-index-url https://x/" + strings.Repeat("y", 200) + "\n", `3:3 the dash before --extra-index-url https://x/` + strings.Repeat("y", 32) + "… is missing", "- pip:\n  - a\n  - --extra-index-url https://x/" + strings.Repeat("y", 200) + "\n"},
		"lost dash, option 2":    {"- pip:\n  - a\n  --extra-index-url https://x/y\n", "3:3 dash before", "- pip:\n  - a\n  - --extra-index-url https://x/y\n"},
		"lost dash, conda":       {"dependencies:\n  - pip:\n    - a\n  - b\n  -c conda-forge\n", "5:3", ""},
		"lost dash, arguments":   {"arguments:\n  - a\n  -r b.txt\n", "3:3", ""},
		"prose":                  {strings.Repeat("once upon a time\n", 30) + "a: b\n", "31:1", ""},
		"deeper":                 {"dependencies:\n  - a\n    - pip:\n    - b\n", "3:5 indented deeper", ""},
		"less deep":              {"a:\n    b: 1\n  c: 2\n", "3:3 does not fit", ""},
		"odd indentation":        {"a:\n  b:\n    c: 1\n  d:\n   e:\n      f: 1\n    g:\n      h: 2\ni: 3\n", "5:4 indentation of this line, 3", "a:\n  b:\n    c: 1\n  d:\n    e:\n      f: 1\n    g:\n      h: 2\ni: 3\n"},
		"two odd ones":           {"a:\n  b: 1\n  c:\n   d:\n      e: 1\n     f: 2\n  g: 3\nh: 1\n", "6:6 does not fit", ""},
		"open bracket":           {"a: [1, 2\nb: 3\n", "1:1 bracket", ""},
		"open bracket, last":     {"b: 3\na: [1, {2\n", "2:8 write }] at its end", ""},
		"bare expression":        {"a: {b: ${{c}}, d: [ ${{e}}/f ]}\ng: ${{h}}\n", "1:8 needs quotes", "a: {b: \"${{c}}\", d: [ \"${{e}}/f\" ]}\ng: ${{h}}\n"},
		"percent":                {"a: %x\n", "1:1 put the value in quotes", ""},
		"anchor":                 {"a: *nowhere\n", "1:1 not defined", ""},
		"version 2":              {"%YAML 2.0\n---\na: 1\n", "1:1 %YAML", "---\na: 1\n"},
		"version, no document":   {"\ufeff%YAML 1.1\na: 1\n", "1:1 a \"---\" below", "\ufeffa: 1\n"},
		"command of a notebook":  {"%%writefile job.yml\na: |\n %x\n", "1:1 as notebook commands do", "a: |\n %x\n"},
		"unknown directive":      {"# it\n\n%FOO bar\n%YAML 1.1\n---\na: 1\n", "", ""},
		"command below a line":   {"---\na: 1\n%matplotlib inline\nb: 2\n", "3:1 as notebook commands do", "---\na: 1\nb: 2\n"},
		"unknown, no document":   {"%FOO bar\na: 1\n%BAR\n", "1:1 as notebook commands do", "a: 1\n"},
		"undefined tag":          {"a: 1\nb: !e!x y\n", "2:1 no %TAG line", ""},
		"half a tag":             {"a: 1\nb: !<x y\n", "2:1 not a valid tag", ""},
		"half a pair":            {"a: 1\nb: \"\\ud800\"\n", "2:1 no character here", ""},
		"wrapped":                {"a:\n  b: x --c d\n--e f\n&& g\nh\n  i: 1\n", `3:1 continues the text of "b"`, "a:\n  b: x --c d\n    --e f\n    && g\n    h\n  i: 1\n"},
		"wrapped, an item":       {"- b: x y\n${{e}} f\n  i: 1\n", `2:1 continues the text of "b"`, "- b: x y\n    ${{e}} f\n  i: 1\n"},
		"wrapped, a text":        {"a: >-\n   x --c d\n-e f\n--g\nh: 1\n", `3:1 continues the text of "a"`, "a: >-\n   x --c d\n   -e f\n   --g\nh: 1\n"},
		"wrapped, or a comment":  {"a: x y\nz and so on\nto its end\nb: 1\n", `2:1 deeper than "a"`, ""},
		"wrapped, one word":      {"a:\n  b: x y\nz\nc: 1\n", `3:1 deeper than "b"`, ""},
		"wrapped, or a list":     {"a: x y\nz\n- 1\n", `2:1 colon after z is missing`, "a: x y\nz:\n- 1\n"},
		"wrapped, below a list":  {"a: x y\nb:\n- c\n--d e\nf: 1\n", "4:1 cannot be read", ""},
		"cut off in a key":       {"a: 1\nb:\n  c: 2\n  d", "4:3 the file ends here", ""},
		"cut off in a value":     {"a: 1\nb: \"x y", "2:4 where the file ends", ""},
		"cut off in an object":   {"{\n  \"a\": 1,\n  \"b\": {\n    \"c\": [", "4:10 write ]}}", ""},
		"cut off in a text":      {"{\"a\": \"}\\\"\", \"b\": \"c", `1:19 write "}`, ""},
		"version 1.2":            {"\ufeff# 1.3\r\n\r\n%YAML 1.2 # x\r\n---\r\na: \"\\/\"\r\n", "", ""},
		"version 1.2, fault":     {"%YAML 1.2\n---\na:\n    b: 1\n  c: 2\n", "5:3 does not fit", ""},
		"control character":      {"a: 1\nb: \"é\x1b\"\n", "2:6 control character (U+001B)", ""},
		"DOS's end of a file":    {"a: 1\n\x1a", "2:1 (U+001A)", ""},
		"NUL":                    {"a: 1\x00\n", "1:5 NUL", ""},
		"UTF-16":                 {"\xff\xfea\x00", "1:1 UTF-16", ""},
		"not UTF-8":              {"a: \xe4\n", "1:4 0xE4", ""},
		"too large":              {strings.Repeat("# x\n", 300_000), "1:1 larger than 1024 KiB", ""},
		"too deep":               {strings.Repeat("[", 100) + strings.Repeat("]", 100), "1:66 nested more than 64", ""},
		"far too deep":           {strings.Repeat("[", 200_000), "1:1 nested more than 64", ""},
		"duplicate key":          {"a: 1\nb:\n  c: 1\n  c: 2\n", "4:3 in this mapping twice", ""},
		"second file":            {"$schema: x\na: 1\n$schema: y\nb: 1\n", "3:1 second file", ""},
		"second file, alike":     {"a: 1\nb: 1\na: 1\nb: 2\na: 3\n", "3:1 second file", ""},
		"second of a file":       {"a: 1\nb: 1\na: 2\nc: 2\n", "3:1 in this mapping twice", ""},
		"two keys, once more":    {"a: 1\nb: 1\nc: 1\nb: 2\nc: 2\n", "4:1 in this mapping twice|5:1 in this mapping twice", ""},
		"two documents":          {"a: 1\n---\nb: 2\n", "2:1 second YAML document", ""},
		"documents, marked":      {"---\na: 1\n...\n", "", ""},
		"open quote, JSON":       {"{\n\"a\": [\n\"b,\n\"c\"\n]}\n", "3:1 never closed", "{\n\"a\": [\n\"b\",\n\"c\"\n]}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			src := source.New("x", []byte(test.text))
			s := document.Parse(src)
			want := strings.FieldsFunc(test.want, func(r rune) bool { return r == '|' })
			if len(s.Problems) != len(want) {
				t.Fatalf("got %+v, want %q", s.Problems, want)
			}
			for i, p := range s.Problems {
				at := src.Position(p.Span.Start)
				got := fmt.Sprintf("%d:%d %s", at.Line, at.Column, p.Message)
				if place, words, _ := strings.Cut(want[i], " "); !strings.HasPrefix(got, place+" ") || !strings.Contains(got, words) {
					t.Errorf("got %q, want %q", got, want[i])
				}
			}
			testkit.Same(t, test.repaired, repair(test.text, s.Repair()), "repaired text")
		})
	}
}

func repair(text string, splices []document.Splice) string {
	if len(splices) == 0 {
		return ""
	}
	for i := len(splices) - 1; i >= 0; i-- {
		s := splices[i]
		text = text[:s.Offset] + s.New + text[s.Offset+len(s.Old):]
	}
	return text
}

// TestRepairedSpans checks that a file with a repairable fault is read on, and that its nodes point into the original
// bytes.
func TestRepairedSpans(t *testing.T) {
	text := "type: local\nnvidiaDocker:true\nimage: x # c\n"
	src := source.New("x", []byte(text))
	s := document.Parse(src)
	if !s.Repaired {
		t.Fatal("not repaired")
	}
	got := map[string]string{}
	for _, e := range s.Root().Entries() {
		got[e.Key.Value] = string(src.Slice(e.Key.Span)) + "|" + string(src.Slice(e.Value.Span))
	}
	want := map[string]string{"type": "type|local", "nvidiaDocker": "nvidiaDocker|true", "image": "image|x"}
	testkit.Same(t, want, got)
}

// TestCauses checks which problems tell their cause.
func TestCauses(t *testing.T) {
	for text, want := range map[string]document.Cause{
		"a: 1\nb:2\n":                   document.GluedKey,
		"a: 1\n\tb: 2\n":                document.TabIndentation,
		"{\"a\": 1\n\"b\": 2}":          document.LostMark,
		"a: 1\nb\n":                     document.LostMark,
		"a: 1\nb = 2\n":                 document.LostMark,
		"a:\n- b:c\nd: e\nf:true\ng: h": document.GluedKey,
	} {
		s := document.Parse(source.New("x", []byte(text)))
		if len(s.Problems) != 1 || s.Problems[0].Cause != want {
			t.Errorf("%q: problems %+v, want one of cause %d", text, s.Problems, want)
		}
	}
}

// TestAliases checks what must not blow up: bombs, cycles, merges.
func TestAliases(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		bomb += fmt.Sprintf("%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n", c, c, c-1, c-1, c-1, c-1, c-1, c-1, c-1, c-1)
	}
	s := document.Parse(source.New("x", []byte(bomb)))
	if n := len(s.Root().Entries()); n != 10 || len(s.Problems) > 0 {
		t.Errorf("bomb: %d entries, problems %v", n, s.Problems)
	}
	s = document.Parse(source.New("x", []byte("a: &a {b: *a}\nc: &c\n  <<: *c\n")))
	if got := s.Root().Get("a").Get("b").Get("b").Get("b"); !got.IsMapping() {
		t.Errorf("cycle: %v", got)
	}
	if got := s.Root().Get("c").Get("nowhere"); got != nil {
		t.Errorf("merge with itself: %v", got)
	}
	s = document.Parse(source.New("x", []byte("base: &b {x: 1, y: 2}\nmine:\n  <<: *b\n  y: 3\nboth:\n  <<: [*b, {z: 4}]\n")))
	mine, both := s.Root().Get("mine"), s.Root().Get("both")
	if got := []string{mine.Get("x").Text(), mine.Get("y").Text(), both.Get("y").Text(), both.Get("z").Text()}; !cmp.Equal(got, []string{"1", "3", "2", "4"}) {
		t.Errorf("merge: %v", got)
	}
}

func TestPointers(t *testing.T) {
	s := document.Parse(source.New("x", []byte("a/b: {c~d: [1, {e: f}]}\n\"\": g\n")))
	for pointer, want := range map[string]string{"/a~1b/c~0d/0": "1", "/a~1b/c~0d/1/e": "f", "/": "g"} {
		n := s.Root().Find(pointer)
		if n.Text() != want {
			t.Errorf("%s: got %q, want %q", pointer, n.Text(), want)
			continue
		}
		if got := n.Pointer(); got != pointer {
			t.Errorf("pointer of %q: got %q, want %q", want, got, pointer)
		}
	}
	for _, pointer := range []string{"/x", "/a~1b/c~0d/2", "/a~1b/c~0d/x", "/a~1b/c~0d/0/0"} {
		if n := s.Root().Find(pointer); n != nil {
			t.Errorf("%s: got %v, want nothing", pointer, n)
		}
	}
}

func TestComments(t *testing.T) {
	text := "# top\na: b#c # one\nd: 'x # no' # two\ne: | # header\n  # text\n  more\n# three\nf: [1, # four\n  2]\ng: plain\n  # five\n"
	src := source.New("x", []byte(text))
	var got []string
	for _, c := range document.Parse(src).Comments() {
		got = append(got, string(src.Slice(c)))
	}
	want := []string{"# top", "# one", "# two", "# header", "# three", "# four", "# five"}
	testkit.Same(t, want, got)
}

// FuzzParse checks that any bytes end well and that every span lies in the text and in its parent's.
func FuzzParse(f *testing.F) {
	for _, text := range oddSyntax {
		f.Add(text)
	}
	for _, text := range []string{"a:\tb", "{\"a\":1\n\"b\":2}", "<<<<<<< x", "a:\u00a0b", "\xef\xbb\xbf- a\r\r\n", "? - a\n: b", "&a *a", "%YAML 1.2\n---\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		src := source.New("x", text)
		s := document.Parse(src)
		for _, p := range s.Problems {
			if p.Span.Start < 0 || p.Span.End < p.Span.Start || p.Span.End > len(text) || p.Message == "" {
				t.Fatalf("problem %+v of %d bytes", p, len(text))
			}
		}
		for _, root := range s.Documents {
			checkSpans(t, root, len(text), s.Exact && !s.Repaired)
		}
		for _, c := range s.Comments() {
			if text[c.Start] != '#' {
				t.Fatalf("comment %v begins with %q", c, text[c.Start])
			}
		}
	})
}

func checkSpans(t *testing.T, n *document.Node, size int, exact bool) {
	t.Helper()
	if n.Span.Start < 0 || n.Span.End < n.Span.Start || n.Span.End > size {
		t.Fatalf("span %v of %d bytes", n.Span, size)
	}
	var children []*document.Node
	for _, e := range n.Entries() {
		children = append(children, e.Key, e.Value)
	}
	for i, c := range append(children, n.Items()...) {
		if exact && (c.Span.Start < n.Span.Start || c.Span.End > n.Span.End) {
			t.Fatalf("child %d %v outside its parent %v", i, c.Span, n.Span)
		}
		checkSpans(t, c, size, exact)
	}
}

// TestManyKeys checks that duplicates are found in a mapping of any size, in time that grows with the size only.
func TestManyKeys(t *testing.T) {
	var b strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&b, "k%d: 1\n", i)
	}
	b.WriteString("k7: 2\n")
	s := document.Parse(source.New("x", []byte(b.String())))
	if len(s.Problems) != 1 || s.Problems[0].Kind != document.DuplicateKey || s.Source.Position(s.Problems[0].First.Start).Line != 8 {
		t.Errorf("problems %+v", s.Problems)
	}
}

// TestManySplices checks that a repair of many places costs no more when it leaves a short text.
//
//testkit:norace
func TestManySplices(t *testing.T) {
	src := source.New("x", []byte("a: 1\n"+strings.Repeat("%YAML 1.2\n", 50_000)+"---\nb: 1\n"))
	if took := testkit.Cost(func() { document.Parse(src) }); took > 2*time.Second {
		t.Errorf("%v", took)
	}
}
