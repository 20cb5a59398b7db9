package requirement

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

var cntkCPU = Wheel{Dist: "cntk", Version: "2.1", Python: "cp35", ABI: "cp35m", Platform: "linux_x86_64"}

func TestParsePip(t *testing.T) {
	for _, test := range []struct {
		in   string
		want Requirement
	}{
		{"pandas", Requirement{Name: "pandas", Key: "pandas"}},
		{"  pandas\t", Requirement{Name: "pandas", Key: "pandas"}},
		{"Keras==2.0.5", Requirement{Name: "Keras", Key: "keras", Constraint: "==2.0.5"}},
		{"sklearn_pandas", Requirement{Name: "sklearn_pandas", Key: "sklearn-pandas"}},
		{"azureml.datacollector==0.1.0a13", Requirement{Name: "azureml.datacollector", Key: "azureml-datacollector", Constraint: "==0.1.0a13"}},
		{"flake8__formatter.-x", Requirement{Name: "flake8__formatter.-x", Key: "flake8-formatter-x"}},
		{"azureml-sdk>1.18.*", Requirement{Name: "azureml-sdk", Key: "azureml-sdk", Constraint: ">1.18.*"}},
		{"azureml-sdk==1.6.*", Requirement{Name: "azureml-sdk", Key: "azureml-sdk", Constraint: "==1.6.*"}},
		{"azureml-model-management-sdk==1.0.1b6.post1", Requirement{Name: "azureml-model-management-sdk", Key: "azureml-model-management-sdk", Constraint: "==1.0.1b6.post1"}},
		{"azureml-core<0.1.50", Requirement{Name: "azureml-core", Key: "azureml-core", Constraint: "<0.1.50"}},
		{"torch == 1.0.0+cpu", Requirement{Name: "torch", Key: "torch", Constraint: "== 1.0.0+cpu"}},
		{"numpy >= 1.2 , != 1.3, <2", Requirement{Name: "numpy", Key: "numpy", Constraint: ">= 1.2 , != 1.3, <2"}},
		{"numpy~=1.4.2", Requirement{Name: "numpy", Key: "numpy", Constraint: "~=1.4.2"}},
		{"numpy===1.0/weird", Requirement{Kind: Path, Details: &Details{Path: "numpy===1.0/weird"}}}, // pip sees a separator first
		{"numpy===foobar", Requirement{Name: "numpy", Key: "numpy", Constraint: "===foobar"}},
		{"numpy (>=1.2,<2)", Requirement{Name: "numpy", Key: "numpy", Constraint: ">=1.2,<2"}},
		{"numpy==1!1.0", Requirement{Name: "numpy", Key: "numpy", Constraint: "==1!1.0"}},

		{"inference-schema[numpy-support]==1.0.1", Requirement{Name: "inference-schema", Key: "inference-schema", Constraint: "==1.0.1", Details: &Details{Extras: []string{"numpy-support"}}}},
		{"azureml-dataprep [ pandas , fuse ]", Requirement{Name: "azureml-dataprep", Key: "azureml-dataprep", Details: &Details{Extras: []string{"pandas", "fuse"}}}},
		{"name[]", Requirement{Name: "name", Key: "name", Details: &Details{Extras: []string{}}}},
		{`futures[x]==1.2; python_version<"3"`, Requirement{Name: "futures", Key: "futures", Constraint: "==1.2", Details: &Details{Extras: []string{"x"}, Marker: `python_version<"3"`}}},
		{`futures;python_version<"3"`, Requirement{Name: "futures", Key: "futures", Details: &Details{Marker: `python_version<"3"`}}},
		{"scipy==1.3.1 #1.3.1", Requirement{Name: "scipy", Key: "scipy", Constraint: "==1.3.1"}},
		{"azureml-sdk[notebooks]    # lock it ==0.1.74", Requirement{Name: "azureml-sdk", Key: "azureml-sdk", Details: &Details{Extras: []string{"notebooks"}}}},

		{"tensorflow=1.3.0", Requirement{Name: "tensorflow", Key: "tensorflow", Constraint: "=1.3.0", SingleEquals: true}},
		{"azure-ml-api-sdk = 0.1.0a9 ; python_version > '3'", Requirement{Name: "azure-ml-api-sdk", Key: "azure-ml-api-sdk", Constraint: "= 0.1.0a9", SingleEquals: true, Details: &Details{Marker: "python_version > '3'"}}},

		{"--index-url https://example.org/simple", Requirement{Kind: Option, Details: &Details{Option: "--index-url", OptionValue: "https://example.org/simple"}}},
		{"--extra-index-url=https://example.org/simple", Requirement{Kind: Option, Details: &Details{Option: "--extra-index-url", OptionValue: "https://example.org/simple"}}},
		{"--extra-index-url", Requirement{Kind: Option, Details: &Details{Option: "--extra-index-url"}}},
		{"--pre", Requirement{Kind: Option, Details: &Details{Option: "--pre"}}},
		{"--pre --index-url https://x.y/z", Requirement{Kind: Option, Details: &Details{Option: "--pre", Flags: "--index-url https://x.y/z"}}},
		{"-i https://x.y/z  --trusted-host x.y", Requirement{Kind: Option, Details: &Details{Option: "-i", OptionValue: "https://x.y/z", Flags: "--trusted-host x.y"}}},
		{"-f https://download.pytorch.org/whl/cpu/torch_stable.html", Requirement{Kind: Option, Details: &Details{Option: "-f", OptionValue: "https://download.pytorch.org/whl/cpu/torch_stable.html"}}},
		{"-fhttps://x.y/z", Requirement{Kind: Option, Details: &Details{Option: "-f", OptionValue: "https://x.y/z"}}},
		{"-r requirements.txt", Requirement{Kind: Option, Details: &Details{Option: "-r", OptionValue: "requirements.txt"}}},
		{"-r 'my requirements.txt'", Requirement{Kind: Option, Details: &Details{Option: "-r", OptionValue: "my requirements.txt"}}},
		{`--requirement="my requirements.txt"`, Requirement{Kind: Option, Details: &Details{Option: "--requirement", OptionValue: "my requirements.txt"}}},
		{"lightgbm --install-option=--gpu", Requirement{Name: "lightgbm", Key: "lightgbm", Details: &Details{Flags: "--install-option=--gpu"}}},
		{"x==1 --hash=sha256:aa --hash=sha256:bb", Requirement{Name: "x", Key: "x", Constraint: "==1", Details: &Details{Flags: "--hash=sha256:aa --hash=sha256:bb"}}},

		{"-e git+https://host/o/n.git@v1#egg=name", Requirement{Kind: URL, Name: "name", Key: "name", Details: &Details{Option: "-e", OptionValue: "git+https://host/o/n.git@v1#egg=name", URL: "git+https://host/o/n.git@v1#egg=name", Fragment: "egg=name"}}},
		{"git+https://host/o/n#subdirectory=src&egg=My_Name[a,b]", Requirement{Kind: URL, Name: "My_Name", Key: "my-name", Details: &Details{URL: "git+https://host/o/n#subdirectory=src&egg=My_Name[a,b]", Fragment: "subdirectory=src&egg=My_Name[a,b]", Extras: []string{"a", "b"}}}},
		{"-e git+git@host:o/n.git#egg=name", Requirement{Kind: URL, Name: "name", Key: "name", Details: &Details{Option: "-e", OptionValue: "git+git@host:o/n.git#egg=name", URL: "git+git@host:o/n.git#egg=name", Fragment: "egg=name"}}},
		{"git+https://host/o/n#egg=name==1.0", Requirement{Kind: URL, Details: &Details{URL: "git+https://host/o/n#egg=name==1.0", Fragment: "egg=name==1.0"}}},
		{"-e .[dev] ; python_version > '3'", Requirement{Kind: Path, Details: &Details{Option: "-e", OptionValue: ".[dev]", Path: ".", Extras: []string{"dev"}, Marker: "python_version > '3'"}}},
		{"--editable=src", Requirement{Kind: Path, Details: &Details{Option: "--editable", OptionValue: "src", Path: "src"}}},
		{`-e "my src" --pre`, Requirement{Kind: Path, Details: &Details{Option: "-e", OptionValue: "my src", Path: "my src", Flags: "--pre"}}},
		{`--find-links='"a b"'`, Requirement{Kind: Option, Details: &Details{Option: "--find-links", OptionValue: `"a b"`}}},
		{`-e "my src" ; os_name == 'nt'`, Requirement{Kind: Path, Details: &Details{Option: "-e", OptionValue: "my src", Path: "my src", Marker: "os_name == 'nt'"}}},

		{"https://cntk.ai/PythonWheel/CPU-Only/cntk-2.1-cp35-cp35m-linux_x86_64.whl", Requirement{Kind: URL, Details: &Details{URL: "https://cntk.ai/PythonWheel/CPU-Only/cntk-2.1-cp35-cp35m-linux_x86_64.whl", Wheel: &cntkCPU}}},
		{"https://h.example/w/a.b-1.0.0-py3-none-any.whl?sv=2016-05-31&si=ro&sr=c&sig=a%2Fb%3D", Requirement{
			Kind: URL, Details: &Details{
				URL: "https://h.example/w/a.b-1.0.0-py3-none-any.whl?sv=2016-05-31&si=ro&sr=c&sig=a%2Fb%3D", Wheel: &Wheel{Dist: "a.b", Version: "1.0.0", Python: "py3", ABI: "none", Platform: "any"},
			},
		}},
		{"https://d.example/whl/cpu/torch-1.0.0%2Bcpu-cp36-cp36m-linux_x86_64.whl#sha256=00", Requirement{
			Kind: URL, Details: &Details{
				URL: "https://d.example/whl/cpu/torch-1.0.0%2Bcpu-cp36-cp36m-linux_x86_64.whl#sha256=00", Fragment: "sha256=00", Wheel: &Wheel{Dist: "torch", Version: "1.0.0+cpu", Python: "cp36", ABI: "cp36m", Platform: "linux_x86_64"},
			},
		}},
		{"https://h.example/f?name=cntk.whl", Requirement{Kind: URL, Details: &Details{URL: "https://h.example/f?name=cntk.whl"}}},
		{"https://h.example/slim-0.1.tar.gz", Requirement{Kind: URL, Details: &Details{URL: "https://h.example/slim-0.1.tar.gz"}}},
		{"https://h.example/a;b.zip ; os_name == 'nt'", Requirement{Kind: URL, Details: &Details{URL: "https://h.example/a;b.zip", Marker: "os_name == 'nt'"}}},
		{"https://h.example/a.zip; os_name == 'nt'", Requirement{Kind: URL, Details: &Details{URL: "https://h.example/a.zip", Marker: "os_name == 'nt'"}}},
		{"https://h.example/a; ; os_name == 'nt'", Requirement{Kind: URL, Details: &Details{URL: "https://h.example/a;", Marker: "os_name == 'nt'"}}},
		{"file:///wheels/x-1.0-py3-none-any.whl", Requirement{Kind: URL, Details: &Details{URL: "file:///wheels/x-1.0-py3-none-any.whl", Wheel: &Wheel{Dist: "x", Version: "1.0", Python: "py3", ABI: "none", Platform: "any"}}}},
		{"name @ https://h.example/n.zip", Requirement{Kind: URL, Name: "name", Key: "name", Details: &Details{URL: "https://h.example/n.zip"}}},
		{"cntk[x]@https://cntk.ai/GPU/cntk-2.1-cp35-cp35m-linux_x86_64.whl ; os_name == 'posix'", Requirement{
			Kind: URL, Name: "cntk", Key: "cntk", Details: &Details{
				Extras: []string{"x"}, URL: "https://cntk.ai/GPU/cntk-2.1-cp35-cp35m-linux_x86_64.whl", Wheel: &cntkCPU, Marker: "os_name == 'posix'",
			},
		}},
		{"https://${TOKEN}@h.example/a.zip", Requirement{Kind: URL, Details: &Details{URL: "https://${TOKEN}@h.example/a.zip"}}},

		{`C:\x\cntk-2.1-cp35-cp35m-linux_x86_64.whl`, Requirement{Kind: Path, Details: &Details{Path: `C:\x\cntk-2.1-cp35-cp35m-linux_x86_64.whl`, Wheel: &cntkCPU}}},
		{"c:/my wheels/cntk-2.1-cp35-cp35m-linux_x86_64.whl", Requirement{Kind: Path, Details: &Details{Path: "c:/my wheels/cntk-2.1-cp35-cp35m-linux_x86_64.whl", Wheel: &cntkCPU}}},
		{`\\share\w\pkg.zip`, Requirement{Kind: Path, Details: &Details{Path: `\\share\w\pkg.zip`}}},
		{"./wheels/cntk-2.1-cp35-cp35m-linux_x86_64.whl[a] ; os_name == 'nt'", Requirement{Kind: Path, Details: &Details{Path: "./wheels/cntk-2.1-cp35-cp35m-linux_x86_64.whl", Wheel: &cntkCPU, Extras: []string{"a"}, Marker: "os_name == 'nt'"}}},
		{"/azureml-share/x-1.0-py3-none-any.whl", Requirement{Kind: Path, Details: &Details{Path: "/azureml-share/x-1.0-py3-none-any.whl", Wheel: &Wheel{Dist: "x", Version: "1.0", Python: "py3", ABI: "none", Platform: "any"}}}},
		{"cntk-2.1-cp35-cp35m-linux_x86_64.whl", Requirement{Kind: Path, Details: &Details{Path: "cntk-2.1-cp35-cp35m-linux_x86_64.whl", Wheel: &cntkCPU}}},
		{"..", Requirement{Kind: Path, Details: &Details{Path: ".."}}},
		{"~/src/x", Requirement{Kind: Path, Details: &Details{Path: "~/src/x"}}},
	} {
		r, err := ParsePip(test.in)
		if err != nil {
			t.Errorf("%q: %v", test.in, err)
			continue
		}
		testkit.Same(t, test.want, bare(r), "%q", test.in)
		checkParts(t, r)
		checkRebuilt(t, r)
	}
}

// checkRebuilt fails unless the text of r parses to the fields of r.
func checkRebuilt(t *testing.T, r Requirement) {
	t.Helper()
	again, err := r.Manager.Parse(r.String())
	if err != nil {
		t.Errorf("%q: rebuilt as %q: %v", r.Raw, r.String(), err)
		return
	}
	testkit.Same(t, bare(r), bare(again), "%q: rebuilt as %q", r.Raw, r.String())
	if again.String() != r.String() {
		t.Errorf("%q: rebuilt as %q, then as %q", r.Raw, r.String(), again.String())
	}
}

func TestParsePipErrors(t *testing.T) {
	for _, f := range []failure{
		{"", 0, "", "nothing is required"},
		{" # pandas", 1, "", "nothing is required"},
		{"azure-ml-api-sdk==0.1.0a11#0.1.0a9", 26, "#0.1.0a9", "only after a space"},
		{"pip - azure-ml-api-sdk", 4, "-", "two items in one"},
		{"x >= -1", 5, "-", "read as an option"},
		{"-", 0, "-", "single hyphen"},
		{"- x", 0, "-", "single hyphen"},
		{"—extra-index-url https://x.y", 0, "—", "two hyphens"},
		{"--index-url=", 12, "", "value of the option is missing"},
		{"--index-url https://x.y https://z.y", 24, "h", "one option takes one value"},
		{"-index-url https://x.y", 11, "h", "begins with two hyphens"},
		{"-i=https://x.y", 2, "=", "after a space"},
		{"--index–url x", 7, "–", "name of an option"},
		{"-r 'a b", 3, "'", "not closed"},
		{"-r 'a'b", 6, "b", "after the quotation mark"},
		{"-r ''", 3, "'", "value of the option is missing"},
		{"-e x - y", 5, "-", "single hyphen"},
		{"-e 'x' - y", 7, "-", "single hyphen"},
		{"-e 'x' ; os_name == 'nt' - y", 25, "-", "single hyphen"},
		{"-e 'https://'", 4, "https://", "ends after its scheme"},
		{"-e ;x", 3, ";", "path is missing"},
		{"-e", 2, "", "value of the option is missing"},
		{"-e --pre", 3, "-", "value of the option is missing"},
		{"numpy 1.0", 6, "1", "name==version"},
		{"scikit learn", 7, "l", "one requirement per item"},
		{"numpy==", 7, "", "missing"},
		{"numpy==,<2", 7, ",", "expected a version"},
		{"numpy==1.0,", 11, "", "expected a comparison"},
		{"numpy==1.0 <2", 11, "<", "comma"},
		{"numpy=>1.0", 5, "=>", ">= or <="},
		{"numpy<>1.0", 5, "<>", "!="},
		{"numpy====1.0", 8, "=", "too many"},
		{"numpy=1.0,<2", 5, "=", "two equals signs"},
		{"numpy>1.0,=2", 10, "=", "two equals signs"},
		{"numpy=1.0=py35_0", 9, "=", "no build strings"},
		{"numpy==1.0=py35_0", 10, "=", "comma"},
		{"numpy:", 5, ":", "colon"},
		{"numpy\u00a0==1.0", 5, "\u00a0", "non-breaking space"},
		{"numpy==1.0\u200b", 10, "\u200b", "U+200B"},
		{"numpy\xff", 5, "\xff", "not text"},
		{"numpy-", 5, "-", "'-' is not allowed"},
		{"_numpy", 0, "_", "starts with a letter"},
		{"numpy[a", 7, "", "expected ',' or ']'"},
		{"numpy[a,]", 8, "]", "missing after the comma"},
		{"numpy[a=b]", 7, "=", "after an extra"},
		{"numpy[!]", 6, "!", "name of an extra"},
		{"numpy(>=1", 9, "", "not closed"},
		{"numpy;", 6, "", "marker after ';' is missing"},
		{"name @ ", 6, "", "address after '@'"},
		{"name@1.0", 5, "1", "written with =="},
		{"name @ https://x.y/z; os_name == 'nt'", 20, ";", "missing space"},
		{"name @ https://x.y/a b", 20, " ", "space inside the address"},
		{"https://<YOUR STORAGE>/a.tar.gz", 13, " ", "space inside the address"},
		{"https://<storage>/a.tar.gz", 8, "<", "placeholder"},
		{"https://", 0, "https://", "ends after its scheme"},
		{"https://x.y/cntk-2.1.whl", 12, "cntk-2.1.whl", "name-version-python"},
		{"htps://x.y/a-1.0-py3-none-any.whl", 0, "htps", "does not know the scheme \"htps\""},
		{"a @ git+htps://x.y/a", 4, "git+htps", "git+https for a repository"},
		{"git://x.y/a", 0, "git", "does not know"},
		{"./cntk.whl", 2, "cntk.whl", "name-version-python"},
		{"./a\x01b", 3, "\x01", "U+0001"},
	} {
		_, err := ParsePip(f.in)
		checkFailure(t, f, err)
	}
}

func TestMarkers(t *testing.T) {
	for marker, ok := range map[string]bool{
		`python_version < "3"`: true,
		`python_version<'3' and (os_name=="nt" or not_a_name not in 'a, b')`: true,
		`"linux" in sys_platform`: true,
		`os.name == 'nt' or sys.platform == 'win32' and python_version ~= '3.5'`: true,
		strings.Repeat("(", 33) + "a=='b'" + strings.Repeat(")", 33):             false,
		`(os_name)`:                              false,
		`((extra == 'x'))`:                       true,
		`python_version < 3`:                     false,
		`python_version = "3"`:                   false,
		`python_version`:                         false,
		`< "3"`:                                  false,
		`os_name == 'nt`:                         false,
		`(os_name == 'nt'`:                       false,
		`os_name == 'nt')`:                       false,
		`os_name == 'nt' and`:                    false,
		`os_name == 'nt' xor os_name == 'posix'`: false,
		`not os_name == 'nt'`:                    false,
	} {
		_, err := ParsePip("x; " + marker)
		if (err == nil) != ok {
			t.Errorf("%s: error %v, want accepted %v", marker, err, ok)
		}
	}
}
