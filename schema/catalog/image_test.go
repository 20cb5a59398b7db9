package catalog

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

const mmlspark = "microsoft/mmlspark"

func TestLookupImage(t *testing.T) {
	want := Image{
		Repo: mmlspark, Tag: "plus-gpu-0.9.9", GPU: true, Plus: true, Spark: "2.2.0", Python: "3.5.2", CUDA: "8.0", CUDNN: "6",
		OS: "ubuntu16.04", Released: "2017-11-15", Removed: true, Retired: "2021-04",
		Note: "0.10 on the older Conda with Python 3.5.2; first with libpng12 and libjasper",
		Origin: Origin{
			Source: "azure-docs desktop-workbench/how-to-use-gpu.md; Azure/mmlspark build scripts at git tag v0.9.9",
			Seen:   "2026-11-20", Certainty: Sourced,
		},
	}
	for _, repo := range []string{mmlspark, "docker.io/" + mmlspark, "index.docker.io/" + mmlspark} {
		got, ok := LookupImage(repo, "plus-gpu-0.9.9")
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("LookupImage(%s) = %v (-want +got):\n%s", repo, ok, diff)
		}
	}
}

// traits is what the table test of look-ups compares.
type traits struct {
	Tag                             string
	GPU, Plus, Moving, Removed, Got bool
	CUDA                            string
}

func TestLookupImageTraits(t *testing.T) {
	const azureml = "mcr.microsoft.com/azureml/"
	tests := []struct {
		repo, tag string
		want      traits
	}{
		{mmlspark, "plus-0.7.91", traits{Tag: "plus-0.7.91", Plus: true, Removed: true, Got: true}},
		{mmlspark, "0.7", traits{Tag: "0.7", Removed: true, Got: true}},
		{mmlspark, "", traits{Tag: "latest", Moving: true, Removed: true, Got: true}},
		{mmlspark, "gpu", traits{Tag: "gpu", GPU: true, Moving: true, Removed: true, CUDA: "8.0", Got: true}},
		{mmlspark, "gpu-0.17", traits{Tag: "gpu-0.17", GPU: true, Removed: true, CUDA: "8.0", Got: true}},
		{mmlspark, "plus-gpu-0.12", traits{}},
		{mmlspark, "PLUS-0.9.9", traits{}},
		{mmlspark, "*", traits{}},
		{azureml + "base", "0.2.4", traits{Tag: "0.2.4", Got: true}},
		{azureml + "base-gpu", "intelmpi2018.3-cuda9.0-cudnn7-ubuntu16.04", traits{
			Tag: "intelmpi2018.3-cuda9.0-cudnn7-ubuntu16.04", GPU: true, CUDA: "9.0", Got: true,
		}},
		{azureml + "base", "9.9.9", traits{}},
		{azureml + "intelmpi2018.3-ubuntu16.04", "20200821.v1", traits{Tag: "20200821.v1", Got: true}},
		{azureml + "openmpi4.1.0-cuda11.0.3-cudnn8-ubuntu18.04", "", traits{Tag: "latest", GPU: true, Moving: true, CUDA: "11.0", Got: true}},
		{azureml + "openmpi4.1.0-cuda11.8-cudnn8-ubuntu22.04", "*", traits{}},
		{"continuumio/miniconda3", "4.4.10", traits{Tag: "4.4.10", Got: true}},
		{"nvidia/cuda", "8.0-cudnn6-devel-ubuntu16.04", traits{}},
		{"", "", traits{}},
	}
	for _, test := range tests {
		img, ok := LookupImage(test.repo, test.tag)
		got := traits{Tag: img.Tag, GPU: img.GPU, Plus: img.Plus, Moving: img.Moving, Removed: img.Removed, CUDA: img.CUDA, Got: ok}
		if test.tag == "*" {
			got = traits{Got: ok}
		}
		testkit.Same(t, test.want, got, "%s:%s", test.repo, test.tag)
	}
}

func TestTwins(t *testing.T) {
	const base, baseGPU = "mcr.microsoft.com/azureml/base", "mcr.microsoft.com/azureml/base-gpu"
	const u22 = "mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu22.04"
	const u22GPU = "mcr.microsoft.com/azureml/openmpi4.1.0-cuda11.8-cudnn8-ubuntu22.04"
	tests := []struct{ repo, tag, gpu, cpu, plus string }{
		{mmlspark, "plus-0.7.9", mmlspark + ":plus-gpu-0.7.9", "", mmlspark + ":plus-0.7.9"},
		{mmlspark, "plus-0.7.91", mmlspark + ":plus-gpu-0.7.91", "", mmlspark + ":plus-0.7.91"},
		{mmlspark, "plus-0.9.9", mmlspark + ":plus-gpu-0.9.9", "", mmlspark + ":plus-0.9.9"},
		{mmlspark, "plus-0.10.9", mmlspark + ":plus-gpu-0.10.9", "", mmlspark + ":plus-0.10.9"},
		{mmlspark, "plus-0.7.dev7_2.gcfbc920", mmlspark + ":plus-gpu-0.7.dev7_2.gcfbc920", "", mmlspark + ":plus-0.7.dev7_2.gcfbc920"},
		{mmlspark, "0.7.91", mmlspark + ":gpu-0.7.91", "", mmlspark + ":plus-0.7.91"},
		{mmlspark, "gpu-0.7.91", "", mmlspark + ":0.7.91", mmlspark + ":plus-gpu-0.7.91"},
		{mmlspark, "0.12", mmlspark + ":gpu-0.12", "", ""},
		{mmlspark, "0.7", "", "", ""},
		{mmlspark, "plus", mmlspark + ":plus-gpu", "", mmlspark + ":plus"},
		{mmlspark, "", mmlspark + ":gpu", "", mmlspark + ":plus"},
		{mmlspark, "gpu", "", mmlspark + ":latest", mmlspark + ":plus-gpu"},
		{mmlspark, "int", "", "", ""},
		{mmlspark, "plus-gpu-0.9.9", "", mmlspark + ":plus-0.9.9", mmlspark + ":plus-gpu-0.9.9"},
		{base, "0.2.4", baseGPU + ":0.2.4", "", ""},
		{baseGPU, "0.1.4", "", base + ":0.1.4", ""},
		{base, "intelmpi2018.3-ubuntu16.04", "", "", ""}, // CUDA 9.0 or 10.0
		{baseGPU, "intelmpi2018.3-cuda9.0-cudnn7-ubuntu16.04", "", base + ":intelmpi2018.3-ubuntu16.04", ""},
		{u22, "latest", u22GPU + ":latest", "", ""},
		{u22, "20230324.v1", "", "", ""},
		{u22GPU, "", "", u22 + ":latest", ""},
		{u22GPU, "20230324.v1", "", "", ""},
		{"nvidia/cuda", "latest", "", "", ""},
	}
	name := func(img Image, ok bool) string {
		if !ok {
			return ""
		}
		return img.Repo + ":" + img.Tag
	}
	for _, test := range tests {
		got := []string{
			name(GPUTwin(test.repo, test.tag)), name(CPUTwin(test.repo, test.tag)), name(PlusVariant(test.repo, test.tag)),
		}
		testkit.Same(t, []string{test.gpu, test.cpu, test.plus}, got, "%s:%s: GPU twin, CPU twin, plus variant", test.repo, test.tag)
	}
}

func TestGPUCandidates(t *testing.T) {
	tests := map[string][]string{
		"intelmpi2018.3-ubuntu16.04": {
			"mcr.microsoft.com/azureml/base-gpu:intelmpi2018.3-cuda10.0-cudnn7-ubuntu16.04",
			"mcr.microsoft.com/azureml/base-gpu:intelmpi2018.3-cuda9.0-cudnn7-ubuntu16.04",
		},
		"0.2.0":   {"mcr.microsoft.com/azureml/base-gpu:0.2.0"},
		"unheard": nil,
	}
	for tag, want := range tests {
		var got []string
		for _, img := range GPUCandidates("mcr.microsoft.com/azureml/base", tag) {
			got = append(got, img.Repo+":"+img.Tag)
		}
		testkit.Same(t, want, got, tag)
	}
}

// TestEveryTwin checks, for all rows, that a twin exists, is a CPU image, has the same version and kind, and leads
// back.
func TestEveryTwin(t *testing.T) {
	pairs := 0
	for _, row := range imageRows.all() {
		if row.twin == (imageKey{}) {
			continue
		}
		pairs++
		cpu := imageAt(row.twin)
		if cpu == nil || cpu.GPU || !row.GPU {
			t.Errorf("%v: twin %v is not a known CPU image", row.key, row.twin)
			continue
		}
		same := []string{row.Spark, row.Python, row.OS, row.Released}
		if diff := cmp.Diff([]string{cpu.Spark, cpu.Python, cpu.OS, cpu.Released}, same); diff != "" || cpu.Plus != row.Plus {
			t.Errorf("%v and its twin differ in more than the GPU:\n%s", row.key, diff)
		}
		if !slices.Contains(GPUCandidates(cpu.Repo, pinned(*cpu).Tag), pinned(row)) {
			t.Errorf("%v: the twin does not lead back", row.key)
		}
	}
	if pairs < 30 {
		t.Errorf("%d pairs, want the whole table", pairs)
	}
}

func listed(repo string) bool { _, ok := repositoryIndex.find(canonicalRepo(repo)); return ok }

func TestRepositories(t *testing.T) {
	for _, row := range imageRows.all() {
		if !listed(row.Repo) {
			t.Errorf("%s is not in repositories.csv", row.Repo)
		}
	}
	if listed("nvidia/cuda") || listed("") || !listed("docker.io/"+mmlspark) {
		t.Error("a repository is listed only by its canonical name")
	}
	tags := Tags(mmlspark)
	if len(tags) < 50 || !slices.IsSorted(tags) || !slices.Contains(tags, "plus-gpu-0.9.9") {
		t.Errorf("Tags(%s) = %q", mmlspark, tags)
	}
	if got := Tags("mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu22.04"); len(got) != 0 {
		t.Errorf("Tags of a dated repository = %q, want none", got)
	}
}

func TestNeverPublished(t *testing.T) {
	tests := map[string]bool{
		mmlspark + " plus-0.9.9":                  false,
		mmlspark + " ":                            false,
		mmlspark + " plus-gpu-0.12":               true,
		mmlspark + " plus-0.9.99":                 true,
		mmlspark + " 0.8.dev3_1.gabcdef0":         false,
		"mcr.microsoft.com/azureml/base 0.2.9":    false,
		"jordo/ml 1":                              false,
		"docker.io/" + mmlspark + " plus-gpu-0.7": true,
	}
	for image, want := range tests {
		repo, tag, _ := strings.Cut(image, " ")
		testkit.Same(t, want, NeverPublished(repo, tag), "NeverPublished(%s)", image)
	}
}

func FuzzImages(f *testing.F) {
	f.Add(mmlspark, "plus-0.9.9")
	f.Add("mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu22.04", "20230324.v1")
	f.Add("docker.io/docker.io/x", "*")
	f.Fuzz(func(t *testing.T, repo, tag string) {
		img, ok := LookupImage(repo, tag)
		if ok && (!listed(repo) || NeverPublished(repo, tag) || img.Tag == anyTag || img.Source == "") {
			t.Errorf("LookupImage(%q, %q) = %+v contradicts the other look-ups", repo, tag, img)
		}
		if gpu, ok := GPUTwin(repo, tag); ok {
			if back, ok := CPUTwin(gpu.Repo, gpu.Tag); !ok || back != img {
				t.Errorf("GPU twin of %q:%q leads back to %+v", repo, tag, back)
			}
		}
		ImageNameSaysGPU(repo, tag)
	})
}
