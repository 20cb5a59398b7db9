package requirement_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestFlavour covers build strings of real channels: defaults, conda-forge, pytorch, RAPIDS.
func TestFlavour(t *testing.T) {
	cpu, gpu := requirement.CPU, requirement.GPU
	for spec, want := range map[string]requirement.Flavour{
		"tensorflow=1.10.0=gpu_py35hd9c640d_0":                         {Kind: gpu},
		"tensorflow 1.10.0 gpu_py35*":                                  {Kind: gpu},
		"tensorflow==1.10.0=gpu_*":                                     {Kind: gpu},
		"tensorflow>=1.10,<2 *gpu*":                                    {Kind: gpu},
		"tensorflow=*=gpu_*":                                           {Kind: gpu},
		"defaults::tensorflow[version='>=1.10',build=gpu*]":            {Kind: gpu},
		`tensorflow[version=1.10.0, build="mkl_py36*"]`:                {Kind: cpu},
		"tensorflow=1.12.0[build=eigen_py36h2dfcbfb_0]":                {Kind: cpu},
		"tensorflow=1.10.0=mkl_py36h082e114_0":                         {Kind: cpu},
		"tensorflow=2.2.0=eigen_py37h1b16bb3_0":                        {Kind: cpu},
		"_tflow_select=2.1.0=gpu":                                      {Kind: gpu},
		"_tflow_select=2.3.0=mkl":                                      {Kind: cpu},
		"conda-forge::tensorflow=2.7.0=cuda112py39h01bd6f0_0":          {Kind: gpu, CUDA: "11.2"},
		"conda-forge/linux-64::jaxlib=0.4.23=cuda118py310h8c47008_200": {Kind: gpu, CUDA: "11.8"},
		"pytorch=2.6.0=cuda126_mkl_py312h30b5a27_300":                  {Kind: gpu, CUDA: "12.6"},
		"pytorch=2.6.0=cpu_mkl_py312_h446997d_100":                     {Kind: cpu},
		"pytorch=1.8.0=cpu_py37hafa7651_0":                             {Kind: cpu},
		"pytorch=1.10.0=py3.8_cuda11.3_cudnn8.2.0_0":                   {Kind: gpu, CUDA: "11.3"},
		"pytorch=1.0.0=py3.6_cuda9.0.176_cudnn7.4.1_1":                 {Kind: gpu, CUDA: "9.0"},
		"pytorch=1.0.0=py3.6_cuda0.0_cudnn0.0_1":                       {Kind: cpu},
		"pytorch=1.4.0=py3.7_cpu_0":                                    {Kind: cpu},
		"pytorch=0.4.1=py36_cuda92_cudnn7_0":                           {Kind: gpu, CUDA: "9.2"},
		"torchvision=0.11.1=py38_cu113":                                {Kind: gpu, CUDA: "11.3"},
		"torchvision=0.3.0=py37_cu9.2.148_1":                           {Kind: gpu, CUDA: "9.2"},
		"cudf=0.19=cuda_11_py38_g1234567_0":                            {Kind: gpu, CUDA: "11"},
		"cudf=0.14=cuda10.1_py37_0":                                    {Kind: gpu, CUDA: "10.1"},
		"ucx=1.9.0=cuda_0":                                             {Kind: gpu},
		"xgboost=*=*cuda11*":                                           {Kind: gpu, CUDA: "11"},
		"faiss=1.7.4=py310cuda112h4d9b9b4_0_cuda":                      {Kind: gpu, CUDA: "11.2"},
		"pytorch=1.7=*nogpu*":                                          {Kind: cpu},
		"pytorch=2.0=^.*cuda.*$":                                       {Kind: gpu},
		"pytorch=2.0=^(?!cuda).*$":                                     {},
		"tensorflow=1.4.1=py36h25db1b6_0":                              {},
		"tensorflow=1.4.1=0":                                           {},
		"tensorflow=1.4.1":                                             {},
		"numpy=1.19.2=py36h54aff64_0":                                  {},
	} {
		r, err := requirement.ParseConda(spec)
		if err != nil {
			t.Errorf("%s: %v", spec, err)
			continue
		}
		testkit.Same(t, want, r.Flavour(), "%s, build %q", spec, r.Build)
	}
	if r, err := requirement.ParsePip("tensorflow==1.4"); err != nil || r.Flavour() != (requirement.Flavour{}) {
		t.Errorf("pip has no build strings: %v, %v", r.Flavour(), err)
	}
}

func TestChannelName(t *testing.T) {
	for channel, want := range map[string]string{
		"": "", "conda-forge": "conda-forge", "Conda-Forge": "conda-forge", "conda-forge/linux-64": "conda-forge", "conda-forge/label/main": "conda-forge/label/main",
		"https://conda.anaconda.org/conda-forge": "conda-forge", "https://conda.anaconda.org/conda-forge/noarch": "conda-forge",
		"defaults": "defaults", "main": "defaults", "pkgs/main": "defaults", "anaconda": "defaults", "pkgs/free/linux-64": "defaults",
		"https://repo.anaconda.com/pkgs/main": "defaults", "https://repo.continuum.io/pkgs/free/": "defaults", "pytorch": "pytorch",
	} {
		testkit.Same(t, want, requirement.ChannelName(channel), "%q", channel)
	}
}

// TestBound checks that a requirement with a hash or a build string cannot get another name, version or URL.
func TestBound(t *testing.T) {
	const sum = "d41d8cd98f00b204e9800998ecf8427e"
	bound := map[requirement.Manager][]string{
		requirement.Pip: {
			"tensorflow==1.4.0 --hash=sha256:aa", "tensorflow==1.4.0 ; python_version>'3' --hash sha256:aa --hash md5:bb",
			"https://cntk.ai/PythonWheel/CPU-Only/cntk-2.1-cp35-cp35m-linux_x86_64.whl#md5=" + sum,
			"https://example.com/a-1-py3-none-any.whl#egg=a&sha256=aa", "a @ https://example.com/a-1-py3-none-any.whl#sha512=aa",
			"https://example.com/a-1-py3-none-any.whl#SHA256=aa", "https://example.com/a-1-py3-none-any.whl#sha256:aa",
		},
		requirement.Conda: {
			"tensorflow=1.4[md5=" + sum + "]", "tensorflow[sha256='aa', version=1.4]",
			"https://repo.anaconda.com/pkgs/main/linux-64/tensorflow-1.10.0-mkl_py36_0.tar.bz2#" + sum,
			"tensorflow=1.10.0=gpu_py35hd9c640d_0", "tensorflow=1.10.0=0", "tensorflow[build=mkl*]",
		},
	}
	free := map[requirement.Manager][]string{
		requirement.Pip:   {"tensorflow==1.4.0", "git+https://example.com/a#egg=a", "a @ https://example.com/a-1-py3-none-any.whl#subdirectory=x"},
		requirement.Conda: {"tensorflow=1.4", "tensorflow=1.4=*", "conda-forge::tensorflow 1.4"},
	}
	check := func(cases map[requirement.Manager][]string, want bool) {
		for manager, specs := range cases {
			for _, spec := range specs {
				r, err := manager.Parse(spec)
				if err != nil {
					t.Errorf("%s: %v", spec, err)
					continue
				}
				if (r.Bound() != "") != want {
					t.Errorf("%s: bound %q, want %v", spec, r.Bound(), want)
				}
				_, renamed := r.Renamed("x")
				_, repinned := r.Repinned("==1")
				_, moved := r.AtURL("https://example.com/b.whl")
				if want && (renamed || repinned || moved) {
					t.Errorf("%s: renamed %v, repinned %v, moved %v", spec, renamed, repinned, moved)
				}
			}
		}
	}
	check(bound, true)
	check(free, false)
}
