package format_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestNumbersThatTrapTheLibrary validates numbers on which the library panics, or with which it computes for minutes,
// at keys that expect text, an integer or both.
func TestNumbersThatTrapTheLibrary(t *testing.T) {
	for _, number := range []string{".nan", ".inf", "-.INF", "1e999999999", "-1e-999999999", "0x1F", "0o17", "1_000", "99999999999999999999"} {
		for _, key := range []string{"nodeCount", "pythonLocation", "priority"} {
			validate(format.Compute, "type: local\n"+key+": "+number+"\n")
		}
		validate(format.SDKRunConfig, "nodeCount: "+number+"\nenvironment: {version: "+number+"}\n")
		validate(format.Spark, "version: "+number+"\nconfiguration: {a: "+number+"}\n")
	}
	table{
		{"not a number", "type: local\nnodeCount: .nan\n", []string{
			`2:12 «.nan» error schema/type: "nodeCount" must be a whole number, but .nan is read as a number: write digits only, without quotes`,
		}},
		{"whole floats", "type: local\nnodeCount: 2.0\n", nil},
		{"binary", "type: local\npythonLocation: !!binary aGVsbG8=\n", []string{
			`2:26 «aGVsbG8=» error schema/type: "pythonLocation" must be text, but aGVsbG8= is read as binary data: put it in quotes`,
		}},
		{"own tags", "type: !mine local\npythonLocation: !mine {a: b}\n", []string{
			`2:23 «{a: b}» error schema/type: "pythonLocation" must be text, but the braces { } make it a mapping: write only the value, or put it in quotes`,
		}},
		{"times", "type: local\npythonLocation: 2001-12-14t21:59:43.10-05:00\n", []string{
			`2:17 «2001-12-14t21:59:43.10-05:00» error schema/type: "pythonLocation" must be text, but 2001-12-14t21:59:43.10-05:00 is read as a date: put it in quotes [unsafe: set "pythonLocation" to "2001-12-14t21:59:43.10-05:00": /pythonLocation = 2001-12-14t21:59:43.10-05:00]`,
		}},
	}.run(t, format.Compute)
}

// TestKeysThatNeedEscapes checks that the library's locations are translated back.
func TestKeysThatNeedEscapes(t *testing.T) {
	for _, key := range []string{"a/b", "~", "~1", "a%2Fb", "%", "ä ö", "a b", "#", "?x=1", "0", ""} {
		text := fmt.Sprintf("Target: a\nEnvironmentVariables:\n  %q: [x]\n", key)
		got := validate(format.WorkbenchRunConfig, text)
		want := []string{fmt.Sprintf(`3:%d «[x]» error schema/type: %q must be text, but the brackets [ ] make it a list: write only the value, or put it in quotes`, 5+len([]rune(fmt.Sprintf("%q", key))), key)}
		testkit.Same(t, want, got, "%q", key)
	}
	table{
		{"pointer of a fix", "dataReferences:\n  a/b~c:\n    dataStoreName: x\n    overwrit: true\n", []string{
			`4:5 «overwrit» warning schema/unknown-key: "overwrit" is not a key of "dataReferences.a/b~c", and the SDK ignores it silently: did you mean "overwrite"? [safe: rename "overwrit" to "overwrite": /dataReferences/a~1b~0c/overwrit → overwrite]`,
		}},
	}.run(t, format.SDKRunConfig)
}

func TestDuplicateKeys(t *testing.T) {
	table{
		{"the first counts, and both are pointed out elsewhere", "type: localdocker\nnvidiaDocker: 2\nnvidiaDocker: 3\nfoo: 1\nfoo: 2\n", []string{
			`2:15 «2» error schema/type: "nvidiaDocker" must be true or false, but 2 is read as a number`,
			`4:1 «foo» warning schema/unknown-key: "foo" is not a key of a localdocker target, so it has no effect: remove it, or correct its name`,
		}},
	}.run(t, format.Compute)
}

func TestAliases(t *testing.T) {
	table{
		{"repeated values", "type: localdocker\nbaseDockerImage: &x image\nnativeSharedDirectory: *x\nnvidiaDocker: &y true\nsharedVolumes: *y\n", nil},
		{"a fault has no fix where an alias would carry it elsewhere", "type: localdocker\nbaseDockerImage: &x yes\nnvidiaDocker: *x\n", []string{
			`3:15 «*x» error schema/type: "nvidiaDocker" must be true or false, but "yes" is read as text by some programs: write true (2:21 the alias repeats this value)`,
		}},
		{"merge keys", "type: localdocker\n<<: {nvidiaDocker: true, baseDockerImage: 3, nvidiaDoker: true, sharedVolums: true}\nbaseDockerImage: x\n", []string{
			`2:46 «nvidiaDoker» warning schema/unknown-key: "nvidiaDoker" is not a key of a localdocker target, so it has no effect; "nvidiaDocker", which it resembles, also exists`,
			`2:65 «sharedVolums» warning schema/unknown-key: "sharedVolums" is not a key of a localdocker target, so it has no effect: did you mean "sharedVolumes"?`,
		}},
		{"type by a merge key", "<<: [{type: cluster}, {address: a, username: b}]\n", nil},
		{"merge key without mapping", "type: local\n<<: text\n", []string{
			`2:5 «text» error schema/type: the merge key << needs a mapping, or a list of mappings, to take entries from`,
		}},
		{"alias as a key", "type: local\n&k pythonLocation: python\n*k : python3\n", nil},
		{"endless", "type: local\npythonLocation: &a\n- *a\n", []string{
			`3:3 «*a» error yaml/syntax: the alias *a is inside the value that it repeats, so the document has no end: write the value out`,
		}},
		{"infinite under an unknown key", "type: local\nfoo: &a {b: *a}\n", []string{
			`2:13 «*a» error yaml/syntax: the alias *a is inside the value that it repeats, so the document has no end: write the value out`,
		}},
		{"infinite merge", "&a\ntype: local\n<<: *a\n", []string{
			`3:5 «*a» error yaml/syntax: the alias *a is inside the value that it repeats, so the document has no end: write the value out`,
		}},
	}.run(t, format.Compute)
}

// bomb returns a document whose aliases expand to 9^levels values.
func bomb(levels int) string {
	text := "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i <= levels; i++ {
		text += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), ", "))
	}
	return text
}

func TestAliasBomb(t *testing.T) {
	took := testkit.Cost(func() {
		for _, place := range []string{"", "EnvironmentVariables: *a15\n", "ArgumentVector: *a15\n", "<<: *a15\n"} {
			want := []string{`5:10 «*a3» error yaml/syntax: the aliases up to *a3 expand to more than 10000 values, which no configuration needs: write the values out`}
			testkit.Same(t, want, validate(format.WorkbenchRunConfig, bomb(15)+place+"Target: a\n"), "%q", place)
		}
	})
	if took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

// TestLongDocuments checks that the work is proportional to the text.
func TestLongDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: long documents, because of -short")
	}
	var keys, items strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&keys, "  key%d: [x]\n", i)
		fmt.Fprintf(&items, "- [%d]\n", i)
	}
	cases := []struct {
		kind format.Kind
		text string
		want int
	}{
		{format.WorkbenchRunConfig, "Target: a\nEnvironmentVariables:\n" + keys.String(), 5000},
		{format.WorkbenchRunConfig, "Target: a\nArgumentVector:\n" + items.String(), 5000},
		{format.Spark, "packages:\n-\n" + keys.String(), 5003},
		{format.SDKRunConfig, strings.Repeat("x", 500_000) + ": 1\n", 1},
		{format.Compute, "type: " + strings.Repeat("local", 100_000) + "\n", 1},
	}
	for i, c := range cases {
		got := validate(c.kind, c.text)
		if len(got) != c.want {
			t.Errorf("case %d: %d findings, want %d", i, len(got), c.want)
		}
		for _, line := range got {
			if len(line) > 600_000 {
				t.Errorf("case %d: a finding of %d bytes", i, len(line))
			}
		}
	}
}

// TestWordsThatAreBooleans checks text that may only be true or false: without quotes, it is not text.
func TestWordsThatAreBooleans(t *testing.T) {
	deployment := "endpoint_name: e\ninstance_type: Standard_D4as_v4\ndata_collector:\n  collections:\n    model_inputs:\n      enabled: "
	table{
		{"quoted", deployment + "\"true\"\n", nil},
		{"a boolean", deployment + "True\n", []string{
			`6:16 «True» error schema/type: "enabled" must be text, but True is read as a boolean: put it in quotes ` +
				`[safe: set "enabled" to "True": /data_collector/collections/model_inputs/enabled = True]`,
		}},
		{"another word", deployment + "1\n", []string{
			`6:16 «1» error schema/type: "enabled" must be true or false, but 1 is read as a number`,
		}},
	}.run(t, "v2-online-deployment")
}

// TestSeconds checks that the advice about a time limit leads to the same limit: 1h is not 1.
func TestSeconds(t *testing.T) {
	table{
		{"unit", "type: command\ncommand: a\nenvironment: azureml:e:1\nlimits: {timeout: 1h}\n", []string{
			`4:19 «1h» error schema/type: "timeout" must be a whole number, but "1h" is read as text: write the number of seconds, without quotes`,
		}},
	}.run(t, format.Kind("v2-command"))
}
