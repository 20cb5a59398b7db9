package catalog

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestImageNameSaysGPU(t *testing.T) {
	tests := map[string]bool{
		// by tag or repository
		"microsoft/mmlspark plus-gpu-0.9.9":                 true,
		"microsoft/mmlspark gpu":                            true,
		"nvidia/cuda 8.0-cudnn6-devel-ubuntu16.04":          true,
		"tensorflow/tensorflow latest-gpu-py3":              true,
		"tensorflow/tensorflow 2.1.0-GPU":                   true,
		"pytorch/pytorch 1.0-cuda10.0-cudnn7-runtime":       true,
		"mcr.microsoft.com/azureml/base-gpu 0.2.4":          true,
		"microsoft/cntk 2.6-gpu-python3.5-cuda9.0-cudnn7.0": true,
		"acme/train cuda90":                                 true,
		"acme/train 1.0_cuda11x":                            true,
		"registry.example.com:5000/team/cuda-base ":         true,
		"gpu/base 1":       true,
		"acme/train 2gpus": true,
		"nvcr.io/nvidia/cuda 11.8.0-base-ubuntu22.04":                 true,
		"mcr.microsoft.com/azureml/openmpi5.0-cuda12.4-ubuntu22.04 1": true,
		// part of a longer word
		"jakkaj/mlgpu latest": true,
		"acme/gpuvm 1":        true,
		"acme/base mlgpu1":    true,
		// no evidence
		"microsoft/mmlspark plus-0.9.9":     false,
		"jordo/ml 1":                        false,
		"python 3.5":                        false,
		"acme/train cu90":                   false,
		"acme/train cudnn7":                 false,
		"acme/barracuda 1":                  false,
		"cudahy/web 1":                      false,
		"gpu.example.com/team/base 1":       false,
		"localhost/team/base 1":             false,
		"gpuforce/web 1":                    false,
		"microsoft/cntk 2.6-cpu-python3.5":  false,
		"acme/gpu-tools 1.0-cpu":            false,
		"acme/base nogpu":                   false,
		"acme/base no-gpu":                  false,
		"acme/base non_gpu-2":               false,
		"acme/base without-cuda":            false,
		"acme/gpu-less 1":                   false,
		"acme/gpuless 1":                    false,
		"acme/base cuda-free":               false,
		" ":                                 false,
		"/// :::":                           false,
		"continuumio/miniconda3 4.4.10":     false,
		"acme/base sha-9f86d081884c7d659a2": false,
	}
	for image, want := range tests {
		repo, tag, _ := strings.Cut(image, " ")
		testkit.Same(t, want, ImageNameSaysGPU(repo, tag), "ImageNameSaysGPU(%s)", image)
	}
}

// TestNamesAgreeWithTheTable checks that the name of every recorded image says whether it has a GPU, except for those
// of ACPT, which say cu118.
func TestNamesAgreeWithTheTable(t *testing.T) {
	for _, row := range imageRows.all() {
		if got := ImageNameSaysGPU(row.Repo, row.Tag); got != row.GPU && !strings.Contains(row.Repo, "/aifx/") {
			t.Errorf("ImageNameSaysGPU(%s, %s) = %v, the table says %v", row.Repo, row.Tag, got, row.GPU)
		}
	}
}
