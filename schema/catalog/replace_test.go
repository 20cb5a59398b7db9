package catalog_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestReplacements checks that an image is replaced only by images of the same kind that are still built, and that the
// first is the one Microsoft names as the replacement of older ones.
func TestReplacements(t *testing.T) {
	const azure = "mcr.microsoft.com/azureml/"
	newest := []string{azure + "openmpi5.0-cuda12.6-ubuntu24.04", azure + "openmpi5.0-cuda13.1-ubuntu24.04", azure + "openmpi5.0-cuda12.8-ubuntu24.04"}
	for image, want := range map[string][]string{
		azure + "openmpi5.0-ubuntu24.04":          newest,
		azure + "openmpi4.1.0-ubuntu22.04":        newest,
		azure + "openmpi4.1.0-ubuntu20.04":        newest,
		azure + "openmpi3.1.2-ubuntu18.04":        newest,
		azure + "base":                            newest,
		azure + "openmpi5.0-cuda12.6-ubuntu24.04": nil, // has a GPU already
		azure + "minimal-py312-inference":         nil,
		azure + "inference-base-2204":             nil,
		azure + "openmpi4.1.0-spark3-ubuntu20.04": nil,
		"python": nil,
		azure + "minimal-ubuntu22.04-py39-cpu-inference": nil,
	} {
		var got []string
		for _, i := range catalog.GPUReplacements(image, "latest") {
			got = append(got, i.Repo)
			if i.Status != "current" || !i.GPU {
				t.Errorf("%s: %s is %s, GPU %v", image, i.Repo, i.Status, i.GPU)
			}
		}
		testkit.Same(t, want, got, image)
	}
	for image, want := range map[string]string{
		azure + "openmpi5.0-cuda12.6-ubuntu24.04":                            azure + "openmpi5.0-ubuntu24.04",
		azure + "openmpi4.1.0-cuda11.8-cudnn8-ubuntu22.04":                   azure + "openmpi4.1.0-ubuntu22.04",
		azure + "openmpi4.1.0-cuda11.3-cudnn8-ubuntu20.04":                   azure + "openmpi5.0-ubuntu24.04",
		"mcr.microsoft.com/aifx/acpt/stable-ubuntu2204-cu126-py310-torch280": "",
	} {
		if got, ok := catalog.CPUReplacement(image, "latest"); ok != (want != "") || ok && got.Repo != want {
			t.Errorf("%s: %s, want %s", image, got.Repo, want)
		}
	}
}
