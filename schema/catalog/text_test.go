package catalog

import (
	"regexp"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestLogPatterns(t *testing.T) {
	patterns := LogPatterns()
	if len(patterns) < 50 {
		t.Fatalf("%d patterns, want the whole table", len(patterns))
	}
	for _, p := range patterns {
		re, err := regexp.Compile(p.Regexp)
		if err != nil {
			t.Errorf("%s: %v", p.ID, err)
			continue
		}
		match := re.FindString(p.Example)
		if match == "" {
			t.Errorf("%s does not match its example %q", p.ID, p.Example)
		}
		if n := strings.Count(match, "\n") + 1; n > p.Lines {
			t.Errorf("%s matches %d lines, the table says %d", p.ID, n, p.Lines)
		}
		if re.MatchString("") || re.MatchString("epoch 1: loss 0.31, accuracy 0.92") {
			t.Errorf("%s matches ordinary output", p.ID)
		}
	}
}

// firstVerdict judges a whole log as LogPatterns says to.
func firstVerdict(log string) Verdict {
	for _, p := range LogPatterns() {
		if regexp.MustCompile(p.Regexp).MatchString(log) {
			return p.Verdict
		}
	}
	return ""
}

func TestVerdictOfLogs(t *testing.T) {
	const k80 = "name: Tesla K80\nmajor: 3 minor: 7 memoryClockRate (GHz) 0.8235\npciBusID 06c3:00:00.0\n" +
		"Total memory: 11.17GiB\nFree memory: 11.11GiB\n"
	tests := map[string]struct {
		log  string
		want Verdict
	}{
		"the article's device block": {k80, VerdictGPUPresent},
		"with Windows line ends":     {strings.ReplaceAll(k80, "\n", "\r\n"), VerdictGPUPresent},
		"used, not only present": {
			k80 + "Creating TensorFlow device (/gpu:0) -> (device: 0, name: Tesla K80, pci bus id: 06c3:00:00.0)\n", VerdictGPUUsed,
		},
		"used, though an optional library is missing": {
			"Could not load dynamic library 'libnvinfer.so.6'; dlerror: libnvinfer.so.6: cannot open shared object file\n" +
				"Created TensorFlow device (/job:localhost/replica:0/task:0/device:GPU:0 with 10 MB memory) -> physical GPU " +
				"(device: 0, name: Tesla K80, pci bus id: 0000:00:1e.0, compute capability: 3.7)\n", VerdictGPUUsed,
		},
		"present, then no library": {k80 + "ImportError: libcublas.so.9.0: cannot open shared object file\n", VerdictMissingLibrary},
		"Apple":                    {"Created TensorFlow device (/device:GPU:0 with 0 MB memory) -> physical PluggableDevice (device: 0, name: METAL", VerdictNotNVIDIA},
		"CNTK on the CPU":          {"Selected CPU as the process wide default device.\n", VerdictCPUOnly},
		"CNTK build line and CPU":  {"Build target: GPU\nSelected CPU as the process wide default device.\n", VerdictCPUOnly},
		"seen, but a library is missing": {
			"Found device 0 with properties:\nCannot dlopen some GPU libraries. Skipping registering GPU devices...\n", VerdictCPUFallback,
		},
		"only an optional library": {"Could not load dynamic library 'libnvinfer.so.6'; dlerror: libnvinfer.so.6: not found\n", ""},
		"nothing":                  {"epoch 1\n", ""},
	}
	for name, test := range tests {
		testkit.Same(t, test.want, firstVerdict(test.log), name)
	}
}

func TestDeviceBlockGroups(t *testing.T) {
	for _, p := range LogPatterns() {
		if p.ID != "tf-device-block" {
			continue
		}
		re := regexp.MustCompile(p.Regexp)
		got := map[string]string{}
		for i, v := range re.FindStringSubmatch(p.Example) {
			if name := re.SubexpNames()[i]; name != "" {
				got[name] = v
			}
		}
		want := map[string]string{"gpu": "Tesla K80", "major": "3", "minor": "7", "clock": "0.8235", "bus": "06c3:00:00.0"}
		testkit.Same(t, want, got)
		return
	}
	t.Error("no pattern tf-device-block")
}

func TestStdlib(t *testing.T) {
	tests := []struct {
		name, python string
		found, in    bool
		managers     []string
	}{
		{"io", "3.5.2", true, true, nil},
		{"OS", "3.5.2", true, true, nil},
		{"json", "", true, true, nil},
		{"cProfile", "3.6", true, true, nil},
		{"cprofile", "3.6", false, false, nil},
		{"dataclasses", "3.6.2", true, false, []string{Pip, Conda}},
		{"dataclasses", "3.7", true, true, []string{Pip, Conda}},
		{"dataclasses", "", true, false, []string{Pip, Conda}},
		{"argparse", "2.7", true, false, []string{Pip, Conda}},
		{"zlib", "3.5", true, true, []string{Conda}},
		{"imp", "3.11.4", true, true, nil},
		{"imp", "3.12", true, false, nil},
		{"numpy", "3.5", false, false, nil},
		{"", "3.5", false, false, nil},
	}
	for _, test := range tests {
		m, ok := Stdlib(test.name)
		if ok != test.found || (ok && m.In(test.python) != test.in) {
			t.Errorf("Stdlib(%s) = %v, in Python %s: %v, want %v, %v", test.name, ok, test.python, m.In(test.python), test.found, test.in)
		}
		testkit.Same(t, test.managers, m.Managers, "%s: managers", test.name)
	}
}

func TestMisspelt(t *testing.T) {
	tests := []struct{ manager, name, want string }{
		{Pip, "tensorflows", "tensorflow misspelt"},
		{Conda, "tensorflows", "tensorflow misspelt"},
		{Pip, "scikit_lear", "scikit-learn misspelt"},
		{Pip, "horovord", "horovod misspelt"},
		{Pip, "andas", "pandas misspelt"},
		{Pip, "sklearn", "scikit-learn stub"},
		{Conda, "sklearn", "scikit-learn import-name"},
		{Pip, "keras-gpu", "keras wrong-manager"},
		{Conda, "keras-gpu", ""},
		{Pip, "pytorch", "torch wrong-manager"},
		{Conda, "pytorch", ""},
		{Conda, "torch", "pytorch wrong-manager"},
		{Pip, "torch", ""},
		{Pip, "tensorflow", ""},
		{Pip, "", ""},
	}
	for _, test := range tests {
		m, ok := Misspelt(test.manager, test.name)
		got := ""
		if ok {
			got = m.Right + " " + m.Kind
		}
		if got != test.want {
			t.Errorf("Misspelt(%s, %s) = %q, want %q", test.manager, test.name, got, test.want)
		}
	}
}

func TestNamesake(t *testing.T) {
	for name, want := range map[string]bool{"graphviz": true, "Redis": true, "redis-py": false, "numpy": false, "": false} {
		testkit.Same(t, want, Namesake(name), "Namesake(%q)", name)
	}
	for _, row := range namesakeRows.all() {
		if !KnownPackage(row.Name) {
			t.Errorf("%s is a namesake, but packages.csv lacks it", row.Name)
		}
	}
}

func TestNameTablesAgree(t *testing.T) {
	for _, m := range misspeltRows.all() {
		if !KnownPackage(m.Right) {
			t.Errorf("%s leads to %s, which packages.csv lacks", m.Name, m.Right)
		}
		if spelling := m.Manager == Conda && strings.ReplaceAll(m.Name, "_", "-") == m.Right; m.Kind == "misspelt" && KnownPackage(m.Name) && !spelling {
			t.Errorf("%s is both misspelt and known", m.Name)
		}
		if _, again := Misspelt(m.Manager, m.Right); again {
			t.Errorf("%s leads to %s, which is wrong itself", m.Name, m.Right)
		}
	}
	names := PackageNames()
	if len(names) < 200 {
		t.Errorf("PackageNames: %d names", len(names))
	}
	for _, name := range names {
		if m, ok := Stdlib(name); ok && len(m.Managers) == 0 {
			t.Errorf("%s is a known package and a module of the standard library", name)
		}
		if !KnownPackage(strings.ToUpper(strings.ReplaceAll(name, "-", "_"))) {
			t.Errorf("%s is not known in another spelling", name)
		}
	}
	for _, v := range variantRows.all() {
		gpu, _, _ := strings.Cut(v.GPU, "[")
		for _, name := range []string{v.CPU, gpu} {
			if name != "" && !KnownPackage(name) {
				t.Errorf("package_variants.csv names %s, packages.csv does not", name)
			}
		}
	}
	if KnownPackage("") || KnownPackage("tensorflows") {
		t.Error("KnownPackage: wrong answer")
	}
}

func TestCredentialKind(t *testing.T) {
	const hex = "0123456789abcdef0123456789ABCDEF"
	tests := map[string]Credential{
		"":                                CredentialEmpty,
		" \t\r\n":                         CredentialEmpty,
		"AzureMlSecret=myvm#me#" + hex:    CredentialReference,
		"AzureMlSecret=my-hdi#sshuser#xy": CredentialReference,
		" AzureMlSecret=00000000-0000-0000-0000-000000000000 ": CredentialReference,
		"gpuvm#demouser#" + hex:                                CredentialReference,
		"a b#me#01234567-89ab-cdef-0123-456789abcdef":          CredentialReference,
		"01234567-89ab-cdef-0123-456789abcdef#vm#me":           CredentialReference,
		"AzureMlSecret=":                                       CredentialPlaceholder,
		"AzureMlSecret=<to be filled in>":                      CredentialPlaceholder,
		"<password>":                                           CredentialPlaceholder,
		"<THIS WILL COME LATER>":                               CredentialPlaceholder,
		"[AZUREMLSECRET]":                                      CredentialPlaceholder,
		"[]":                                                   CredentialPlaceholder,
		"PASSWORD":                                             CredentialPlaceholder,
		"Password":                                             CredentialPlaceholder,
		"your_password":                                        CredentialPlaceholder,
		"YOUR-SSH-PASSWORD":                                    CredentialPlaceholder,
		"yourpassword":                                         CredentialPlaceholder,
		"***":                                                  CredentialPlaceholder,
		"xxxxxxxx":                                             CredentialPlaceholder,
		"${VM_PASSWORD}":                                       CredentialPlaceholder,
		"$(VM_PASSWORD)":                                       CredentialPlaceholder,
		"{{ password }}":                                       CredentialPlaceholder,
		"%PASSWORD%":                                           CredentialPlaceholder,
		"your-account-key":                                     CredentialPlaceholder,
		"paste key here":                                       CredentialPlaceholder,
		"EXAMPLE_VALUE":                                        CredentialPlaceholder,
		"mykey":                                                CredentialLiteral,
		"your keyboard":                                        CredentialLiteral,
		"correct-horse-battery":                                CredentialLiteral,
		"Password1":                                            CredentialLiteral,
		"P@ssw0rd":                                             CredentialLiteral,
		"changeme":                                             CredentialLiteral,
		"a#b#c":                                                CredentialLiteral,
		"gpuvm#demouser#" + hex + "0":                          CredentialLiteral,
		"gpuvm#demouser#" + hex[1:]:                            CredentialLiteral,
		"vm##" + hex:                                           CredentialLiteral,
		"azuremlsecret=x":                                      CredentialLiteral,
		"secret AzureMlSecret=x":                               CredentialLiteral,
		"<a>real<b>":                                           CredentialLiteral,
		"<half":                                                CredentialLiteral,
		"**":                                                   CredentialLiteral,
		"$ecret{1}":                                            CredentialLiteral,
		hex:                                                    CredentialLiteral,
		"<a>\nsecret":                                          CredentialLiteral,
	}
	for value, want := range tests {
		testkit.Same(t, want, CredentialKind(value), "CredentialKind(%q)", value)
	}
}

func TestCredentialExamples(t *testing.T) {
	for _, p := range credentialRows.all() {
		if got := CredentialKind(p.Example); got != p.Kind || !p.regexp.Get().MatchString(p.Example) {
			t.Errorf("%s: example %q is %s, want %s", p.ID, p.Example, got, p.Kind)
		}
	}
}

func FuzzCredentialKind(f *testing.F) {
	f.Add("AzureMlSecret=vm#me#0123456789abcdef0123456789abcdef")
	f.Add("<x>")
	f.Add("\xff")
	f.Fuzz(func(t *testing.T, value string) {
		kind := CredentialKind(value)
		if kind != CredentialKind(" "+value+"\n") {
			t.Errorf("%q: spaces around the value matter", value)
		}
		if (strings.TrimSpace(value) == "") != (kind == CredentialEmpty) {
			t.Errorf("%q is %s", value, kind)
		}
	})
}
