package preflight

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/requirement"
)

// gpus tries how the engine provides GPUs, and compares the GPUs with the image.
func (k *checker) gpus(ctx context.Context, here bool) {
	if !here {
		r := Result{Topic: GPUs, Status: Unknown, Text: "GPUs are tested in a container of the image, which is not on the engine"}
		if k.Gone == "" {
			r.Next = "pull it with `docker pull " + k.Image + "`, then check again"
		}
		k.add(r)
		return
	}
	c := docker.Container{Name: docker.ContainerName(k.ID), RunID: k.ID, Image: k.tried, Argv: newQuery}
	way, said, err := docker.FindGPU(ctx, k.eng, k.info, k.img, c)
	if err == nil && said.Code != 0 && strings.Contains(said.Out, "compute_cap") {
		c.Argv = oldQuery
		way, said, err = docker.FindGPU(ctx, k.eng, k.info, k.img, c)
	}
	if err != nil {
		k.failed(GPUs, err)
		if none, ok := errors.AsType[*docker.GPUError](err); ok {
			k.results[len(k.results)-1].Err = none
		}
		return
	}
	k.way = way
	gpus := parseGPUs(said.Out)
	if k.GPUTotal != nil {
		*k.GPUTotal = len(gpus)
	}
	if k.GPUCount > len(gpus) {
		k.add(Result{Topic: GPUs, Status: Failed, Text: fmt.Sprintf("%d GPUs are requested, but %s", k.GPUCount, countText(said.Code, len(gpus))), Next: "request fewer, or all of them with --gpus all"})
		return
	}
	if said.Code != 0 || len(gpus) == 0 {
		text := "the engine gives the container GPUs (" + wayText(way) + "), but nvidia-smi does not show them"
		if said.Code == process.CodeNoProgram {
			text = "the engine gives the container GPUs (" + wayText(way) + "); which ones is not known, because the container has no nvidia-smi"
		}
		k.add(Result{Topic: GPUs, Status: Unknown, Text: text})
		return
	}
	k.ok(GPUs, "%s (%s)", describe(gpus), wayText(way))
	s, ok := imageCUDA(k.img, k.Image, k.Named)
	if !ok {
		k.add(Result{Topic: CUDA, Status: Unknown, Text: "which CUDA image " + k.Image + " has is not known"})
		return
	}
	k.add(checkDriver(s, gpus[0].Driver))
	k.results = append(k.results, checkArchitecture(s, gpus)...)
}

// countText describes how many GPUs nvidia-smi shows in the container.
func countText(code, n int) string {
	if code != 0 {
		return "how many there are is not known, because nvidia-smi does not work in the container"
	}
	return fmt.Sprintf("the machine has %d", n)
}

func wayText(w docker.GPUWay) string {
	switch w {
	case docker.ByCDI:
		return "by CDI"
	case docker.ByRuntime:
		return "by the runtime nvidia"
	default:
		return "by device request"
	}
}

// imageCUDA returns an image's CUDA version: NVIDIA's base images have it in a variable, and the catalog knows some
// others by one of the given names. ok is false if the version is not known or the image has no CUDA.
func imageCUDA(img docker.Image, names ...string) (s Software, ok bool) {
	s = Software{Another: "an image"}
	if len(names) > 0 {
		s.Name = "image " + names[0]
	}
	for _, v := range img.Env {
		if value, found := strings.CutPrefix(v, "CUDA_VERSION="); found && isVersion(value) {
			s.CUDA, s.From = value, "its CUDA_VERSION says so"
			return s, true
		}
	}
	for _, name := range names {
		m, err := requirement.ParseImage(name)
		if err != nil {
			continue
		}
		if known, found := catalog.LookupImage(m.Name(), m.Tag); found && known.CUDA != "" {
			s.CUDA, s.From = known.CUDA, "known of "+name
			return s, true
		}
	}
	return s, false
}
