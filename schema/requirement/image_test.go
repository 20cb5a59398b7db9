package requirement

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

const sha = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func TestParseImage(t *testing.T) {
	for _, test := range []struct {
		in   string
		want Image
		name string
	}{
		{"microsoft/mmlspark", Image{Repo: "microsoft/mmlspark"}, "microsoft/mmlspark"},
		{"microsoft/mmlspark:plus-gpu-0.9.9", Image{Repo: "microsoft/mmlspark", Tag: "plus-gpu-0.9.9"}, "microsoft/mmlspark"},
		{"microsoft/mmlspark:plus-0.7.dev7_2.gcfbc920", Image{Repo: "microsoft/mmlspark", Tag: "plus-0.7.dev7_2.gcfbc920"}, "microsoft/mmlspark"},
		{"docker.io/microsoft/mmlspark:gpu", Image{Registry: "docker.io", Repo: "microsoft/mmlspark", Tag: "gpu"}, "microsoft/mmlspark"},
		{"Index.Docker.io/library/ubuntu:16.04", Image{Registry: "Index.Docker.io", Repo: "library/ubuntu", Tag: "16.04"}, "ubuntu"},
		{"library/ubuntu", Image{Repo: "library/ubuntu"}, "ubuntu"},
		{"azure-training-image", Image{Repo: "azure-training-image"}, "azure-training-image"},
		{"nvidia/cuda:8.0-cudnn6-devel-ubuntu16.04", Image{Repo: "nvidia/cuda", Tag: "8.0-cudnn6-devel-ubuntu16.04"}, "nvidia/cuda"},
		{"mcr.microsoft.com/azureml/base:0.2.4", Image{Registry: "mcr.microsoft.com", Repo: "azureml/base", Tag: "0.2.4"}, "mcr.microsoft.com/azureml/base"},
		{"mcr.microsoft.com/azureml/base-gpu:intelmpi2018.3-cuda9.0-cudnn7-ubuntu16.04", Image{Registry: "mcr.microsoft.com", Repo: "azureml/base-gpu", Tag: "intelmpi2018.3-cuda9.0-cudnn7-ubuntu16.04"}, "mcr.microsoft.com/azureml/base-gpu"},
		{"MCR.microsoft.com/azureml/base", Image{Registry: "MCR.microsoft.com", Repo: "azureml/base"}, "mcr.microsoft.com/azureml/base"},
		{"h-1.x/a_b", Image{Registry: "h-1.x", Repo: "a_b"}, "h-1.x/a_b"},
		{"localhost/a", Image{Registry: "localhost", Repo: "a"}, "localhost/a"},
		{"localhost:5000/a/b__c/d--e.f:v1@" + sha, Image{Registry: "localhost:5000", Repo: "a/b__c/d--e.f", Tag: "v1", Digest: sha}, "localhost:5000/a/b__c/d--e.f"},
		{"host:5000/a", Image{Registry: "host:5000", Repo: "a"}, "host:5000/a"},
		{"ubuntu@" + sha, Image{Repo: "ubuntu", Digest: sha}, "ubuntu"},
		{"a:" + strings.Repeat("x", 128), Image{Repo: "a", Tag: strings.Repeat("x", 128)}, "a"},
	} {
		m, err := ParseImage(test.in)
		if err != nil {
			t.Errorf("%q: %v", test.in, err)
			continue
		}
		testkit.Same(t, test.want, m, "%q", test.in)
		if m.Name() != test.name || m.String() != test.in {
			t.Errorf("%q: name %q, want %q; rebuilt as %q", test.in, m.Name(), test.name, m)
		}
	}
}

func TestParseImageErrors(t *testing.T) {
	for _, f := range []failure{
		{"", 0, "", "no image is given"},
		{"  ", 0, "  ", "no image is given"},
		{"microsoft/mmlspark::plus-0.7.91", 19, ":", "one colon separates"},
		{"microsoft/mmlspark:::plus-0.7.91", 19, "::", "one colon separates"},
		{"microsoft/mmlspark:plus-gpu-0.9.9 ", 33, " ", "space at the end"},
		{"\tmicrosoft/mmlspark", 0, "\t", "space at the beginning"},
		{"microsoft/mmlspark: plus-0.9.9", 19, " ", "space inside"},
		{"microsoft/mmlspark:plus 0.9.9", 23, " ", "space inside"},
		{"Microsoft/mmlspark", 0, "M", "must be lowercase"},
		{"microsoft/mmlSpark:x", 13, "S", "must be lowercase"},
		{"https://mcr.microsoft.com/azureml/base", 0, "https://", "no scheme"},
		{"microsoft/mmlspark:", 19, "", "tag after ':' is missing"},
		{"microsoft/mmlspark:-x", 19, "-", "begins with a letter"},
		{"microsoft/mmlspark:a:b", 20, ":", "a second one cannot follow"},
		{"microsoft/mmlspark:a/b", 20, "/", "slash"},
		{"microsoft:latest/mmlspark", 10, "l", "number of a port"},
		{"host:/a", 5, "/", "number of a port"},
		{"a:${TAG}", 2, "$", "in a tag"},
		{"a:" + strings.Repeat("x", 129), 2, strings.Repeat("x", 129), "128"},
		{":latest", 0, ":", "repository is missing"},
		{"microsoft//mmlspark", 10, "/", "missing or ends in a separator"},
		{"microsoft/", 10, "", "missing"},
		{"/mmlspark", 0, "/", "missing"},
		{"a.b/", 4, "", "repository is missing"},
		{"-a/b", 0, "-", "'-' is not allowed"},
		{"a..b", 2, ".", "'.' is not allowed"},
		{"a___b", 3, "_", "'_' is not allowed"},
		{"a-", 2, "", "ends in a separator"},
		{"a/b$c", 3, "$", "'$' is not allowed"},
		{"-a.b/c", 0, "-", "registry host"},
		{"a-.b/c", 1, "-", "registry host"},
		{"a..b/c", 2, ".", "registry host"},
		{"a_b.c/d", 1, "_", "registry host"},
		{"a@sha256", 2, "s", "algorithm, a colon and a hash"},
		{"a@sha256:abc", 9, "abc", "wrong length"},
		{"a@sha256:xyz", 9, "x", "in a digest"},
		{"a@5:abc", 2, "5", "digest algorithm"},
		{strings.Repeat("a/", 128) + "a", 0, strings.Repeat("a/", 128) + "a", "255"},
		{"microsoft/mmlspark\u00a0:x", 18, "\u00a0", "non-breaking space"},
	} {
		_, err := ParseImage(f.in)
		checkFailure(t, f, err)
	}
}
