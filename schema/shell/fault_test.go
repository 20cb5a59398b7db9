package shell_test

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/shell"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestFaults covers what a shell cannot run, or runs as another program.
func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"python a.py\n--b c\n  -d 1":                             "option 12 --b, option 20 -d",
		"python a.py \\\n--b c":                                  "",
		"python a.py\n\n# x\n--b":                                "option 17 --b",
		"python a.py\n$[[--b ${{inputs.b}}]]\n--c=${{inputs.c}}": "option 15 --b, option 35 --c=${{inputs.c}}",
		"a &&\n--b":             "",
		"a\n-1\n-\n--\nB=1 --c": "",
		"--a b":                 "",
		"a\n&& b":               "leading 2 &&",
		"a |\nb &&\n\nc;":       "",
		"a; ; b & | c":          "leading 3 ;, leading 9 |",
		"&& a":                  "leading 0 &&",
		"echo it's":             "open 7 '",
		"a 'b' \"c 'd'":         "open 6 \"",
		`a "${b:-it's}" "c"`:    "",
		"if a; then 'b":         "",
		"a \xab\u200b\xe2\x80":  "invisible 3 \u200b",
		"a <<E\nit's\nE":        "",
		"python\u00a0a.py\u200b --b \u201cc d\u201d": "space 6 \u00a0, invisible 12 \u200b, quote 20 \u201c, quote 26 \u201d",
		"a \u2014b \u2013c=1 d\u2014e \u2014 f":      "dash 2 \u2014, dash 7 \u2013",
		"echo \u201ca\u201d \u2014b && c\u3000d":     "space 22 \u3000",
		"a \"\u2014b\u00a0\" 'c\u200b' # \u201c":     "",
		"a don\u2019t":                               "",
		"pip install numpy>=1.2,<2 a[b]<3 'c>=1' d==1 && python -m pip install e>1.*; conda install -y f>=1": "cut 12 numpy>=1.2,<2, cut 26 a[b]<3, cut 70 e>1.*, cut 94 f>=1",
		"pip install a>log.txt b 2>1 > 3 c >=1; echo d>=1; pip download install>=1":                          "",
	} {
		var got []string
		for _, f := range shell.Read(text).Faults {
			kind := map[shell.FaultKind]string{shell.Open: "open", shell.Leading: "leading", shell.Option: "option",
				shell.Space: "space", shell.Invisible: "invisible", shell.Quote: "quote", shell.Dash: "dash", shell.Cut: "cut"}[f.Kind]
			got = append(got, fmt.Sprintf("%s %d %s", kind, f.Span.Start, text[f.Span.Start:f.Span.End]))
		}
		if d := cmp.Diff(want, strings.Join(got, ", ")); d != "" {
			t.Errorf("%q (-want +got):\n%s", text, d)
		}
	}
}

// TestFaultsAgree compares the syntax errors found in damaged commands with bash, which must reject each of them.
func TestFaultsAgree(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		testkit.Unavailable(t, "bash is not installed")
	}
	seeds := []string{
		"python a.py --b 'c d' \"e $f\" && cd g | tee h; i &\nj",
		"A=b c\nd \"$(e 'f')\" \\\n  --g=${h:-i} # it's j\nk",
		"a || b 2>&1 > c\nexport D=\"e\"\nf `g` $1 it\\'s",
	}
	extra := []string{"'", `"`, "&&", "|", ";", "\n", "\\", " ", "&", "#", "`", "$"}
	random := rand.New(rand.NewPCG(1, 1))
	errors := 0
	for range 1500 {
		text := seeds[random.IntN(len(seeds))]
		for range 1 + random.IntN(3) {
			at := random.IntN(len(text))
			text = text[:at] + extra[random.IntN(len(extra))] + text[at+random.IntN(2):]
		}
		if !slices.ContainsFunc(shell.Read(text).Faults, func(f shell.Fault) bool { return f.Kind < shell.Option }) {
			continue
		}
		errors++
		if exec.Command(bash, "-n", "-c", text).Run() == nil {
			t.Errorf("bash accepts %q", text)
		}
	}
	if errors < 100 {
		t.Errorf("only %d texts have syntax errors", errors)
	}
}
