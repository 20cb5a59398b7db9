package preflight

import (
	"context"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/runtime/progress"
)

// image checks the image and reports whether the engine has it.
func (k *checker) image(ctx context.Context) bool {
	img, err := k.eng.Image(ctx, k.Image)
	if docker.Is(err, docker.ImageNotFound) && k.prepared(ctx) {
		return true
	}
	if k.Pull && docker.Is(err, docker.ImageNotFound) {
		img, err = docker.EnsureImage(ctx, k.eng, k.Image, k.Say)
	}
	k.img = img
	if err == nil {
		if id := strings.TrimPrefix(img.ID, "sha256:"); len(id) > 12 {
			k.ok(Image, "image %s is on the engine (%s, %s)", k.Image, id[:12], progress.Bytes(img.Size))
		} else {
			k.ok(Image, "image %s is on the engine", k.Image)
		}
		return true
	}
	if !k.Pull && docker.Is(err, docker.ImageNotFound) {
		k.registry(ctx)
		return false
	}
	k.noImage(err)
	return false
}

// prepared reports whether, although the image is gone, an environment based on it exists: the job then runs in that.
func (k *checker) prepared(ctx context.Context) bool {
	if k.Recipe.Empty() {
		return false
	}
	env, ok, err := prepare.Find(ctx, k.eng, prepare.Spec{Image: k.Image, Recipe: k.Recipe, File: k.File})
	if err != nil || !ok {
		return false
	}
	if k.img, err = k.eng.Image(ctx, env.Image); err != nil {
		return false
	}
	k.tried = env.Image
	k.ok(Image, "image %s is no longer on the engine, but %s is, the environment that was built on it", k.Image, env.Image)
	return true
}

func (k *checker) noImage(err error) {
	k.failed(Image, err)
	if k.Gone != "" { // why the pull failed does not matter then
		r := &k.results[len(k.results)-1]
		r.Text, r.Next = "image "+k.Image+" is not on the engine, and cannot be pulled", k.Gone
	}
}

// registry checks for the image in the registry from which it would be pulled.
func (k *checker) registry(ctx context.Context) {
	login, err := docker.FindLogin(ctx, k.Image)
	if err != nil {
		k.Say.Notice("%v", err)
	}
	found, err := k.eng.Registry(ctx, k.Image, login)
	if err != nil {
		k.noImage(err)
		return
	}
	mine := "linux/" + goArch(k.info.Arch)
	if len(found.Platforms) > 0 && !slices.Contains(found.Platforms, mine) && goArch(k.info.Arch) != "" {
		k.failed(Image, &docker.Error{Problem: docker.ImagePlatform, Subject: k.Image, Said: "the registry has it for " + strings.Join(found.Platforms, ", ")})
		return
	}
	k.ok(Image, "image %s is not on the engine yet; %s has it, and amlfix run pulls it", k.Image, docker.RegistryHost(k.Image))
}

// goArch returns a processor architecture in the notation of registries.
func goArch(kernel string) string {
	switch kernel {
	case "x86_64", "amd64":
		return "amd64"
	case "aarch64", "arm64":
		return "arm64"
	}
	return ""
}
