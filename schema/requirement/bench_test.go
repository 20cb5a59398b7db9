package requirement

import (
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// Each iteration of a benchmark handles the same ten items.
func BenchmarkParsePip(b *testing.B) {
	items := []string{
		"azure-ml-api-sdk==0.1.0a10", "matplotlib", "inference-schema[numpy-support]==1.0.1", "scipy==1.3.1 #1.3.1", "numpy>=1.2,<2",
		"https://h.example/wheels/latest/azureml.assets-1.0.0-py3-none-any.whl?sv=2016-05-31&si=ro-2017&sr=c&sig=REDACTED",
		"--extra-index-url https://pypi.python.org/simple", "./wheels/x-1.0-py3-none-any.whl", "futures; python_version<'3'",
		"name @ https://h.example/n.zip",
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range items {
			if _, err := parsePip(s); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkParseConda(b *testing.B) {
	items := []string{
		"python=3.5.2", "scikit-learn", "ipykernel=4.6.1", "python 3.5.*", "numpy >=1.2,<2", "tensorflow=1.2=py35_0", "conda-forge::numpy",
		"numpy[version='>=1.2',build=py35_0]", "pandas>=0.21.1", "psutil=5.6 #latest",
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range items {
			if _, err := parseConda(s); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkParseImage(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parseImage("mcr.microsoft.com/azureml/base:0.2.4"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWithin(b *testing.B) {
	outer, err := ParseConstraint(Pip, "<2.1")
	testkit.OK(b, err)
	b.ReportAllocs()
	for b.Loop() {
		c, err := ParseConstraint(Pip, "==1.4.0")
		if err != nil || !c.Within(outer) {
			b.Fatal(err)
		}
	}
}
