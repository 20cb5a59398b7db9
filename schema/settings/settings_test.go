package settings_test

import (
	"math/rand/v2"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/settings"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

var ids = []string{"gpu/base-image", "gpu/framework", "image/removed", "yaml/syntax", "wheel/license"}

func parse(text string) *document.Stream {
	return document.Parse(source.New(filepath.FromSlash("team/.amlfix.yaml"), []byte(text)))
}

func TestRead(t *testing.T) {
	got := settings.Read(parse(`
select: [gpu, 1, yaml/syntax]
ignore:
- image
severity: {gpu/framework: warning, image/removed: off, x/y: loud}
exclude: ["vendor/**"]
paths:
- match: [a, b]
  ignore: [image]
- match: c
gpu: [vm]
cpu: vm
computes: {gpu-cluster: Standard_NC6s_v3, other: [x]}
choices: {cntk: 1bit-sgd}
images: {"a:1": b}
migrate: {nodes: 4, spot: true, none: null, list: []}
fail-on: never
max-warnings: 10
baseline: known/faults.yaml
`))
	want := &settings.Settings{
		Folder: "team",
		Path:   filepath.FromSlash("team/.amlfix.yaml"), Select: []string{"gpu", "yaml/syntax"}, Ignore: []string{"image"},
		Severity: map[string]settings.Severity{"gpu/framework": finding.Warning, "image/removed": settings.Off},
		Exclude:  []string{"vendor/**"}, GPU: []string{"vm"}, Computes: map[string]string{"gpu-cluster": "Standard_NC6s_v3"}, Choices: map[string]string{"cntk": "1bit-sgd"}, Images: map[string]string{"a:1": "b"},
		Paths:   []settings.PathSettings{{Match: []string{"a", "b"}, Ignore: []string{"image"}, Severity: map[string]settings.Severity{}}, {Severity: map[string]settings.Severity{}}},
		Migrate: map[string]string{"nodes": "4", "spot": "true"}, FailOn: settings.Never, MaxWarnings: 10,
		Baseline: filepath.FromSlash("team/known/faults.yaml"),
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(settings.Settings{})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for pointer, want := range map[string]int{"/select": 2, "/ignore/0": 4, "/severity/gpu~1framework": 5, "/paths/0/ignore": 9, "/nowhere": 0} {
		if _, line, ok := got.Origin(pointer); line != want || ok != (want > 0) {
			t.Errorf("%s is on line %d, %v; want %d", pointer, line, ok, want)
		}
	}
}

// TestNotRead checks that no setting leads out of its folder, and where a count begins and ends.
func TestNotRead(t *testing.T) {
	for text, want := range map[string]int{
		"baseline: ../known.yaml":                  -1,
		"baseline: /etc/known.yaml":                -1,
		"baseline: [known.yaml]":                   -1,
		"max-warnings: 0":                          0,
		"max-warnings: 99999999999999999999999999": -1,
		"max-warnings: -3":                         -1,
	} {
		if got := settings.Read(parse(text)); got.Baseline != "" || got.MaxWarnings != want {
			t.Errorf("%s: %q and %d", text, got.Baseline, got.MaxWarnings)
		}
	}
}

// TestTooMuch checks that patterns and names that cost too much are reported once, where they begin.
func TestTooMuch(t *testing.T) {
	for _, text := range []string{
		"exclude:\n" + strings.Repeat("- a/**\n", 1000),
		"ignore: [gpu]\npaths:\n" + strings.Repeat("- {match: [a], ignore: [image]}\n", 1000),
		"exclude: ['" + strings.Repeat("{a,b}", 25) + "']\nselect: [gpu]\n",
		"exclude: ['" + strings.Repeat("{", 10_000) + strings.Repeat("}", 10_000) + "', 'a']\n",
	} {
		found := settings.Check(parse(text), ids, asked)
		if len(found) != 1 || !strings.Contains(found[0].Message, "write fewer") {
			t.Errorf("%.40q: %d findings", text, len(found))
		}
	}
}

// TestVerdict checks the effect of settings on an info of image/removed in a file.
func TestVerdict(t *testing.T) {
	for _, tt := range []struct{ settings, path, want string }{
		{"", "a/x.compute", "info"},
		{"select: [gpu]", "a/x.compute", "off"},
		{"select: [gpu]", ".amlfix.yaml", "info"},
		{"select: [image]", "a/x.compute", "info"},
		{"ignore: [image]", "a/x.compute", "off"},
		{"ignore: [image/removed]\nselect: [image]", "a/x.compute", "off"},
		{"ignore: [image]\nselect: [image/removed]", "a/x.compute", "info"},
		{"ignore: [image]\nselect: [image]", "a/x.compute", "off"},
		{"severity: {image: error}", "a/x.compute", "error"},
		{"severity: {image: error, image/removed: warning}", "a/x.compute", "warning"},
		{"severity: {image: off}", "a/x.compute", "off"},
		{"severity: {image: off, image/removed: error}", "a/x.compute", "error"},
		{"ignore: [image]\nseverity: {image/removed: error}", "a/x.compute", "error"},
		{"ignore: [image]\nseverity: {image: error}", "a/x.compute", "off"},
		{"select: [gpu]\nseverity: {image/removed: error}", "a/x.compute", "off"},
		{"exclude: [a]", "a/x.compute", "off"},
		{"exclude: [a/]", "a/b/x.compute", "off"},
		{"exclude: [./a/**]", "a/b/x.compute", "off"},
		{"exclude: ['*.compute']", "a/x.compute", "info"},
		{"exclude: ['**/*.compute']", "a/x.compute", "off"},
		{"exclude: ['b*', 'a/y*']", "a/x.compute", "info"},
		{"exclude: ['**']", ".amlfix.yaml", "info"},
		{"exclude: ['']", "a/x.compute", "info"},
		{"exclude: ['**/*.{yml,compute}']", "a/x.compute", "off"},
		{"exclude: ['{b,a{,/[}]}}/{x}.*']", "a/x.compute", "off"},
		{"exclude: ['" + strings.Repeat("*{a,?}", 6) + "b']", strings.Repeat("a", 250), "info"},
		{"exclude: ['" + strings.Repeat("{a,?}", 25) + "b']", strings.Repeat("a", 25), "info"},
		{"exclude: [" + strings.Repeat("b, ", 1000) + "a]", "a/x.compute", "info"},
		{"ignore: ['{i*,?}/*{d,?}']", "a/x.compute", "off"},
		{"ignore: ['" + strings.Repeat("{i,?}", 12) + "']", "a/x.compute", "info"},
		{"exclude: [a]", "../a/x.compute", "info"},
		{"paths: [{match: [a], ignore: [image]}]", "a/x.compute", "off"},
		{"paths: [{match: [a], ignore: [image]}]", "b/x.compute", "info"},
		{"ignore: [image]\npaths: [{match: [a], severity: {image: warning}}]", "a/x.compute", "warning"},
		{"ignore: [image]\npaths: [{match: [a], severity: {image: warning}}]", "b/x.compute", "off"},
		{"paths: [{match: [a], ignore: [image/removed]}, {match: [a/x*], severity: {image: error}}]", "a/x.compute", "error"},
		{"paths: [{match: [a], severity: {image: error}}, {match: ['**'], ignore: [image]}]", "a/x.compute", "off"},
	} {
		s := settings.Read(parse(tt.settings))
		severity, counts := s.Verdict("image/removed", filepath.Join("team", filepath.FromSlash(tt.path)), finding.Info)
		got := severity.String()
		if !counts {
			got = "off"
		}
		if got != tt.want {
			t.Errorf("%s in %s: %s, want %s", tt.settings, tt.path, got, tt.want)
		}
	}
	var none *settings.Settings
	if severity, counts := none.Verdict("image/removed", "x", finding.Info); severity != finding.Info || !counts || none.Excluded("x") {
		t.Error("nil settings differ from the defaults")
	}
}

// TestExcluded compares what patterns exclude with doublestar's own verdict on them and on what is below them.
func TestExcluded(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func(letters string) string {
		var b strings.Builder
		for range 1 + random.IntN(7) {
			b.WriteByte(letters[random.IntN(len(letters))])
		}
		return b.String()
	}
	excluded := 0
	for range 20_000 {
		pattern, file := text(`aabb***//?[]^\`), path.Join("a", text("aabb//*"))
		s := settings.Read(parse("exclude: ['" + pattern + "']"))
		p := strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
		self, _ := doublestar.Match(p, file)
		below, _ := doublestar.Match(p+"/**", file)
		want := p != "" && (self || below)
		if got := s.Excluded(filepath.Join("team", filepath.FromSlash(file))); got != want {
			t.Errorf("%q excludes %s: %v, want %v", pattern, file, got, want)
		}
		if want {
			excluded++
		}
	}
	if excluded < 1000 {
		t.Errorf("only %d files are excluded", excluded)
	}
}

// TestWhy checks which setting is said to decide.
func TestWhy(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "",
		"severity: {image/removed: off}":   "/severity/image~1removed",
		"severity: {image/removed: error}": "/severity/image~1removed",
		"ignore: [image]\nseverity: {image/removed: error}":                           "/severity/image~1removed",
		"ignore: [image]\nseverity: {image: error}":                                   "/ignore",
		"select: [gpu]\nseverity: {image/removed: error}":                             "/select",
		"select: [gpu]\npaths: [{match: ['**'], severity: {image/removed: off}}]":     "/paths/0/severity/image~1removed",
		"ignore: [image]\npaths: [{match: ['**'], severity: {image/removed: error}}]": "/paths/0/severity/image~1removed",
	} {
		testkit.Same(t, want, settings.Read(parse(text)).Why("image/removed", filepath.FromSlash("team/a/x.compute")), text)
	}
}

func TestFilterTakesFixesOfExcludedFiles(t *testing.T) {
	s := settings.Read(parse("exclude: [shared]"))
	src := source.New("team/a/x.runconfig", nil)
	list := []finding.Finding{{Rule: "gpu/framework", Severity: finding.Error, Location: finding.Location{Source: src}, Fix: &finding.Fix{
		Changes: []finding.Change{{Op: finding.SetScalar, File: "team/a/x.runconfig"}, {Op: finding.SetScalar, File: "team/shared/conda.yml"}},
	}}}
	if got := s.Filter(list); len(got) != 1 || got[0].Fix != nil || list[0].Fix == nil {
		t.Errorf("%+v", got)
	}
}

// asked are the questions that repairs ask here.
var asked = map[string][]string{"cuda": nil, "cntk": {"GPU", "1bit-sgd"}}

func TestCheck(t *testing.T) {
	for text, want := range map[string]string{
		"select: [gpu, yaml/syntax]":                "",
		"select: [gpu/framwork]":                    `unknown rule or group "gpu/framwork": did you mean gpu/framework? [fix /select/0]`,
		"ignore: [license]":                         `unknown rule or group "license": did you mean wheel/license? [fix /ignore/0]`,
		"severity: {imag: off}":                     `unknown rule or group "imag": did you mean image? [fix /severity/imag]`,
		"severity: {gpu/*: off}":                    `severity takes no patterns such as "gpu/*": write gpu [fix /severity/gpu~1*]`,
		"severity: {'*i*': off}":                    `severity takes no patterns such as "*i*": write the name of each rule or group`,
		"severity: {gpu: error, gpu/*: off}":        `severity takes no patterns such as "gpu/*": write gpu`,
		"severity: {'*/*': off}":                    `severity takes no patterns such as "*/*": write the name of each rule or group`,
		"severity: {cpu/*: off}":                    `no rule matches "cpu/*"; amlfix rules lists all`,
		"paths: [{match: [a], ignore: [nonsense]}]": `unknown rule or group "nonsense"; amlfix rules lists all`,
		"exclude: ['[']":                            `"[" is not a valid path pattern: a bracket [ or brace { is not closed, or it ends with a backslash`,
		`exclude: ['a\b']`:                          `"a\\b" has a backslash, which escapes the next character: write slashes between folders`,
		"paths: [{match: [/a]}]":                    `"/a" matches nothing: paths begin at the folder of this file, without a slash`,
		"exclude: [' ']":                            `this pattern is empty and matches nothing: write a path such as vendor/**, or remove the item`,
		"baseline: ../known.yaml":                   `"../known.yaml" is not a file below the folder of these settings: write a path such as .amlfix-baseline.yaml`,
		"baseline: ''":                              `"" is not a file below the folder of these settings: write a path such as .amlfix-baseline.yaml`,
		"max-warnings: -3":                          `"max-warnings" must be 0 or a greater number, in digits only`,
		"max-warnings: 1e3":                         `"max-warnings" must be 0 or a greater number, in digits only`,
		"max-warnings: 5.0":                         `"max-warnings" must be 0 or a greater number, in digits only`,
		"choices: {cuda: 9.0, cntk: GPU}":           "",
		"computes: {a: Standard_NC24ads_A100_v4, b: nc6, c: STANDARD_D4S_V5, d: 1}": "",
		"images: {a b: c:1, d: e f, g: 1}":                                          "this is not a valid image reference: a space inside the image name",
		"computes: {a: Standard_NC24ads_A100v4}":                                    `"Standard_NC24ads_A100v4" is not a VM size that amlfix knows, so the machines of "a" remain unknown: did you mean Standard_NC24ads_A100_v4? [fix /computes/a]`,
		"computes: {a: Standard_NC9}":                                               `"Standard_NC9" is not a VM size that amlfix knows, so the machines of "a" remain unknown: did you mean Standard_NC6? [unsafe fix /computes/a]`,
		"computes: {a: A100}":                                                       `"A100" is not a VM size that amlfix knows, so the machines of "a" remain unknown: write a name such as Standard_NC24ads_A100_v4`,
		"gpu: [a, b]\ncpu: [c, b]":                                                  `"b" is under "gpu", too, and counts as a CPU target: remove it from one of them`,
		"choices: {cudda: 9.0}":                                                     `no repair has a question "cudda": did you mean cuda? [fix /choices/cudda]`,
		"choices: {cntk: 2bit}":                                                     `"2bit" is not an answer to "cntk": write GPU or 1bit-sgd`,
		"choices: {flavour: GPU}":                                                   `no repair has a question "flavour"`,
		"select: [ALL]\nseverity: {all: off}": `unknown rule or group "ALL": did you mean '*'?
unknown rule or group "all"; amlfix rules lists all`,
		"select: gpu\nignore: {a: b}\nseverity: [x]\npaths:": "",
	} {
		var got []string
		for _, f := range settings.Check(parse(text), ids, asked) {
			line := f.Message
			if f.Fix != nil {
				line += " [" + strings.TrimPrefix(string(f.Fix.Applicability)+" ", "safe ") + "fix " + f.Fix.Changes[0].Pointer + "]"
			}
			got = append(got, line)
		}
		testkit.Same(t, want, strings.Join(got, "\n"), text)
	}
}

// FuzzSettings reads arbitrary text as settings, and checks that nothing panics, that findings point into the text, and
// that no verdict raises a severity unless the settings say so.
func FuzzSettings(f *testing.F) {
	for _, seed := range []string{
		"", "- a", "select: [gpu]\nignore: [x]\nseverity: {a: off}\n", "paths: [{match: ['**/[a-z]{b,c}?'], ignore: [image]}, x, [y]]",
		"exclude: &a ['*']\ngpu: *a\n<<: {cpu: [x]}", "max-warnings: 0x10\nfail-on: never\nbaseline: ../../x\n", "choices: {a: {b: c}}\n? [x]\n: y\n",
		"exclude: ['{a,b', '\\', '[]']", "severity: {image: warning", "a: &a [*a]\nselect: *a\n", "\xff", "exclude: ['{{{{{{{{a,b},c},d},e},f},g},h},i}/**/**/**/**/*a*a*a*a*b']",
	} {
		f.Add(seed, "a/b/aml_config/x.compute")
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		stream := parse(text)
		s := settings.Read(stream)
		for _, found := range settings.Check(stream, ids, asked) {
			if span := found.Span; span.Start < 0 || span.End < span.Start || span.End > len(text) || found.Message == "" {
				t.Errorf("%+v", found)
			}
		}
		for _, id := range ids {
			severity, counts := s.Verdict(id, path, finding.Warning)
			if counts && severity != finding.Warning && len(s.Severity)+len(s.Paths) == 0 {
				t.Errorf("%s: %s without any input", id, severity)
			}
			if _, counts := s.Verdict(id, s.Path, finding.Warning); !counts {
				t.Errorf("%s: the settings hide their own faults", id)
			}
		}
	})
}
