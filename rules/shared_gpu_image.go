package rules

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

// imageOf returns the catalog's record of the image that a target names or its Dockerfile begins with; ok is false if
// there is none or it is not recorded. If the Dockerfile may add CUDA, neither its absence nor its version is known.
func imageOf(t *schema.Target) (image catalog.Image, ok bool) {
	if t == nil || !t.Base().Explicit || builtImage(t) {
		return catalog.Image{}, false
	}
	reference, err := requirement.ParseImage(strings.TrimSpace(t.Base().Text))
	if err != nil || reference.Digest != "" {
		return catalog.Image{}, false
	}
	image, ok = catalog.LookupImage(reference.Name(), reference.Tag)
	if t.Open() {
		image.CUDA, image.CUDNN, ok = "", "", ok && image.GPU
	}
	return image, ok
}

// builtImage reports whether the target's image comes from a Dockerfile that cannot be read. It skips Workbench, which
// had none, and whose targets may have thousands of jobs.
func builtImage(t *schema.Target) bool {
	if t.File.Kind == schema.Compute || fromDockerfile(t.Base()) {
		return false
	}
	if t.Dialect == schema.V2 { // where all jobs of a target share an environment
		return len(t.Jobs) > 0 && t.Jobs[0].Docker.Dockerfile.Explicit
	}
	return slices.ContainsFunc(t.Jobs, func(j *schema.Job) bool { return j.Docker.Dockerfile.Explicit })
}

// cpuContainer reports whether a target's containers certainly have no GPU libraries, because the image is a known one
// or the default, or the user said so (--cpu). In v2, it reports whether the machine certainly has no GPU.
func cpuContainer(t *schema.Target) bool {
	if t.Declined() {
		return t.Container() || t.Type.Text == "managed"
	}
	if t.Dialect == schema.V2 {
		return t.Container() && t.VMSize.Explicit && catalog.NoGPU(t.VMSize.Text)
	}
	if t.GPU() || !t.Contained() || t.Image.File.Broken() || builtImage(t) {
		return false
	}
	if !t.Base().Explicit {
		// if nothing is said about containers, each release of the SDK chooses its own image
		return t.Image.Node.IsNull() && (t.Dialect != schema.SDKv1 || t.Docker.Explicit)
	}
	image, ok := imageOf(t)
	return ok && !image.GPU
}

// imageLocation returns the location that gives a target its image, with a message.
func imageLocation(t *schema.Target, message string) finding.Location {
	if base := t.Base(); base.Explicit {
		return base.Location(message)
	}
	return t.Image.Location("no image is given, so the default is used; " + message)
}
