package requirement

import (
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestParseConda(t *testing.T) {
	for _, test := range []struct {
		in   string
		want Requirement
	}{
		{"scikit-learn", Requirement{Name: "scikit-learn", Key: "scikit-learn"}},
		{"Keras==2.0.5", Requirement{Name: "Keras", Key: "keras", Constraint: "==2.0.5"}},
		{"_libgcc_mutex", Requirement{Name: "_libgcc_mutex", Key: "_libgcc_mutex"}},
		{"python=3.5.2", Requirement{Name: "python", Key: "python", Constraint: "=3.5.2"}},
		{"python=3.7.*", Requirement{Name: "python", Key: "python", Constraint: "=3.7.*"}},
		{"python 3.5.*", Requirement{Name: "python", Key: "python", Constraint: "3.5.*"}},
		{"python =3.5", Requirement{Name: "python", Key: "python", Constraint: "=3.5"}},
		{"python ==3.5.2", Requirement{Name: "python", Key: "python", Constraint: "==3.5.2"}},
		{"pandas>=0.21.1", Requirement{Name: "pandas", Key: "pandas", Constraint: ">=0.21.1"}},
		{"psutil=5.6 #latest", Requirement{Name: "psutil", Key: "psutil", Constraint: "=5.6"}},
		{"psutil=5.6#see http://x.y/z", Requirement{Name: "psutil", Key: "psutil", Constraint: "=5.6"}},
		{"psutil # a::b [c=d]", Requirement{Name: "psutil", Key: "psutil"}},
		{"numpy >=1.2,<2", Requirement{Name: "numpy", Key: "numpy", Constraint: ">=1.2,<2"}},
		{"numpy >= 1.2 , < 2 py35_0", Requirement{Name: "numpy", Key: "numpy", Constraint: ">= 1.2 , < 2", Build: "py35_0"}},
		{"numpy 1.11|1.12.*", Requirement{Name: "numpy", Key: "numpy", Constraint: "1.11|1.12.*"}},
		{"numpy ~=1.11", Requirement{Name: "numpy", Key: "numpy", Constraint: "~=1.11"}},
		{"tensorflow=1.2=py35_0", Requirement{Name: "tensorflow", Key: "tensorflow", Constraint: "=1.2", Build: "py35_0"}},
		{"tensorflow==1.2=py35_0", Requirement{Name: "tensorflow", Key: "tensorflow", Constraint: "==1.2", Build: "py35_0"}},
		{"tensorflow 1.2 py35_0", Requirement{Name: "tensorflow", Key: "tensorflow", Constraint: "1.2", Build: "py35_0"}},
		{"tensorflow 1.2=py35_0", Requirement{Name: "tensorflow", Key: "tensorflow", Constraint: "1.2", Build: "py35_0"}},
		{"tensorflow=*=mkl_*", Requirement{Name: "tensorflow", Key: "tensorflow", Constraint: "=*", Build: "mkl_*"}},
		{"tensorflow * *cuda*", Requirement{Name: "tensorflow", Key: "tensorflow", Constraint: "*", Build: "*cuda*"}},
		{"openssl 1.0.2k", Requirement{Name: "openssl", Key: "openssl", Constraint: "1.0.2k"}},
		{"conda-forge::numpy", Requirement{Name: "numpy", Key: "numpy", Details: &Details{Channel: "conda-forge"}}},
		{"conda-forge/linux-64::numpy =1.2", Requirement{Name: "numpy", Key: "numpy", Constraint: "=1.2", Details: &Details{Channel: "conda-forge/linux-64"}}},
		{"https://conda.anaconda.org/x::numpy=1.2", Requirement{Name: "numpy", Key: "numpy", Constraint: "=1.2", Details: &Details{Channel: "https://conda.anaconda.org/x"}}},
		{"numpy[version='>=1.2,<2|(3.*,!=3.1)',build=py35_0]", Requirement{Name: "numpy", Key: "numpy", Constraint: ">=1.2,<2|(3.*,!=3.1)", Build: "py35_0"}},
		{`numpy[version=">=1.2", subdir=linux-64]`, Requirement{Name: "numpy", Key: "numpy", Constraint: ">=1.2"}},
		{"numpy[version=1.2]", Requirement{Name: "numpy", Key: "numpy", Constraint: "1.2"}},
		{"numpy=1.2[build=py35_0,channel=conda-forge]", Requirement{Name: "numpy", Key: "numpy", Constraint: "=1.2", Build: "py35_0", Details: &Details{Channel: "conda-forge"}}},
		{"numpy[channel='my channel']", Requirement{Name: "numpy", Key: "numpy", Details: &Details{Channel: "my channel"}}},
		{"numpy ^1.2$", Requirement{Name: "numpy", Key: "numpy", Constraint: "^1.2$"}},
		{"https://repo.example/linux-64/numpy-1.2-py35_0.tar.bz2#0123", Requirement{Kind: URL, Details: &Details{URL: "https://repo.example/linux-64/numpy-1.2-py35_0.tar.bz2#0123", Fragment: "0123"}}},
		{"https://cntk.ai/PythonWheel/GPU/cntk-2.1-cp35-cp35m-linux_x86_64.whl # x", Requirement{Kind: URL, Details: &Details{URL: "https://cntk.ai/PythonWheel/GPU/cntk-2.1-cp35-cp35m-linux_x86_64.whl", Wheel: &cntkCPU}}},
		{`C:\pkgs\numpy-1.2-py35_0.tar.bz2`, Requirement{Kind: Path, Details: &Details{Path: `C:\pkgs\numpy-1.2-py35_0.tar.bz2`}}},
		{"C:/pkgs", Requirement{Kind: Path, Details: &Details{Path: "C:/pkgs"}}},
		{"./numpy-1.2-0.conda", Requirement{Kind: Path, Details: &Details{Path: "./numpy-1.2-0.conda"}}},
		{"pkgs/cntk-2.1-cp35-cp35m-linux_x86_64.whl", Requirement{Kind: Path, Details: &Details{Path: "pkgs/cntk-2.1-cp35-cp35m-linux_x86_64.whl", Wheel: &cntkCPU}}},
	} {
		r, err := ParseConda(test.in)
		if err != nil {
			t.Errorf("%q: %v", test.in, err)
			continue
		}
		test.want.Manager = Conda
		testkit.Same(t, test.want, bare(r), "%q", test.in)
		checkParts(t, r)
		checkRebuilt(t, r)
	}
}

func TestParseCondaErrors(t *testing.T) {
	for _, f := range []failure{
		{"", 0, "", "nothing is required"},
		{"# pandas", 0, "", "nothing is required"},
		{"pip - azure-ml-api-sdk", 4, "-", "two list items in one"},
		{"- pip", 0, "-", "two list items in one"},
		{"--index-url https://x.y", 0, "-", "belongs in the pip list"},
		{"scikit learn", 7, "l", "one package per item"},
		{"python=", 7, "", "version is missing"},
		{"python=3.5=", 11, "", "build after the second equals sign"},
		{"python=3.5=py35=0", 15, "=", "comma"},
		{"python 3.5 py35 0", 16, "0", "too many words"},
		{"python >=3.5 <4", 13, "<", "comma"},
		{"python >=3.5,", 13, "", "version is missing"},
		{"python >=,<4", 9, ",", "expected a version"},
		{"python=>3", 7, ">", "cannot be combined"},
		{"python===3", 6, "===", "does not support ==="},
		{"python=-3", 7, "-", "begin with a hyphen"},
		{"pip:", 3, ":", "single colon"},
		{"conda-forge:numpy", 11, ":", "single colon"},
		{"::numpy", 0, "::", "channel is missing"},
		{"a b::numpy", 1, " ", "name of a channel"},
		{"conda-forge::", 13, "", "expected a package name"},
		{"conda-forge/numpy", 11, "/", "channel::name"},
		{"numpy; python_version<'3'", 5, ";", "not support markers"},
		{"numpy @ https://x.y/z", 6, "@", "write only the address"},
		{"numpy (>=1.2)", 6, "(", "round brackets"},
		{"azureml-sdk[notebooks]", 12, "n", "key=value"},
		{"numpy[version='>=1", 5, "[", "not closed"},
		{"numpy[version=1.2] 3", 19, "3", "after the square brackets"},
		{"numpy=1[version=2]", 16, "2", "given twice"},
		{"numpy 1 b[build=c]", 16, "c", "given twice"},
		{"a::numpy[channel=b]", 17, "b", "given twice"},
		{"numpy[version=]", 14, "", "missing"},
		{"numpy[version='1]", 14, "'", "not closed"},
		{"numpy[version='1'x]", 17, "x", "comma between"},
		{"numpy[version='1 2']", 17, "2", "after the version"},
		{"numpy[version='(1']", 17, "", "expected ')'"},
		{"numpy[build='a-b']", 14, "-", "in a build"},
		{"numpy[md5='a\tb']", 12, "\t", "a tab is not allowed"},
		{"numpy\nx", 6, "x", "one package per item"},
		{"numpy ^1.2", 6, "^", "ends in '$'"},
		{"numpy\u00a0=1.2", 5, "\u00a0", "non-breaking space"},
		{"$numpy", 0, "$", "expected a package name"},
		{"numpy=1..2", 7, ".", "beside a period"},
		{"numpy==1.2.", 10, ".", "beside a period"},
		{"numpy>=.5", 7, ".", "beside a period"},
		{"numpy=1.2.=py35_0", 9, ".", "beside a period"},
		{"numpy[version=1.2.]", 17, ".", "beside a period"},
		{"https://x.y/a b", 13, " ", "space inside the address"},
		{"https://x.y/a ; b", 13, " ", "space inside the address"},
	} {
		_, err := ParseConda(f.in)
		checkFailure(t, f, err)
	}
}

func TestManagerAndKindNames(t *testing.T) {
	got := []string{Pip.String(), Conda.String(), Package.String(), URL.String(), Path.String(), Option.String()}
	testkit.Same(t, []string{"pip", "conda", "package", "url", "path", "option"}, got)
}
