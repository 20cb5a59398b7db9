package catalog_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestLookupWheelIndex(t *testing.T) {
	for address, want := range map[string]string{
		"https://download.pytorch.org/whl/cpu":                                                             "cpu",
		"https://DOWNLOAD.pytorch.org/whl/cpu/":                                                            "cpu",
		"https://download.pytorch.org/whl/cpu/torch_stable.html":                                           "cpu",
		"https://download.pytorch.org/whl/nightly/cpu":                                                     "cpu",
		"https://download.pytorch.org/whl/cu118":                                                           "cu118 for GPUs",
		"https://download.pytorch.org/whl/cu113/torch-1.11.0%2Bcu113-cp38-cp38-linux_x86_64.whl":           "cu113 for GPUs",
		"https://storage.googleapis.com/jax-releases/jax_cuda_releases.html":                               " for GPUs",
		"https://storage.googleapis.com/tensorflow/linux/cpu/tensorflow-1.4.0-cp35-cp35m-linux_x86_64.whl": "",
		"https://storage.googleapis.com/tensorflow/linux/cpu":                                              "unknown",
		"https://storage.googleapis.com/tensorflow/linux/cpu/":                                             "unknown",
		"https://download.pytorch.org/whl":                                                                 "unknown",
		"https://download.pytorch.org/whl/torch_stable.html":                                               "unknown",
		"https://download.pytorch.org/whl/rocm6.0":                                                         "unknown",
		"https://example.com/whl/cpu":                                                                      "unknown",
		"whl/cpu":                                                                                          "unknown",
		"%":                                                                                                "unknown",
		"":                                                                                                 "unknown",
	} {
		got := "unknown"
		if index, ok := catalog.LookupWheelIndex(address); ok {
			if got = index.Label; index.GPU {
				got += " for GPUs"
			}
		}
		testkit.Same(t, want, got, address)
	}
}
