package rules

import (
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

// imageOf returns what the catalog knows of the image that a target names, or that its
// Dockerfile begins with; ok is false when there is none, or none that is known. Of an
// image to which a Dockerfile may add CUDA, neither its lack nor its version is known.
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

// builtImage reports whether the target's image comes from a Dockerfile that cannot be
// read. Workbench did not have them: its targets may have thousands of jobs.
func builtImage(t *schema.Target) bool {
	if t.File.Kind == schema.Compute || fromDockerfile(t.Base()) {
		return false
	}
	if t.Dialect == schema.V2 { // where all jobs of a target have one environment
		return len(t.Jobs) > 0 && t.Jobs[0].Docker.Dockerfile.Explicit
	}
	for _, j := range t.Jobs {
		if j.Docker.Dockerfile.Explicit {
			return true
		}
	}
	return false
}

// cpuContainer reports whether a target runs containers of an image that surely
// has no GPU libraries: a known one, or the default. The user's word (--cpu) is
// taken for it. In v2 it is the machine that surely has no GPU.
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
		// without any word about containers the SDK chooses the image, each release its own
		return t.Image.Node.IsNull() && (t.Dialect != schema.SDKv1 || t.Docker.Explicit)
	}
	image, ok := imageOf(t)
	return ok && !image.GPU
}

// imageLocation says where a target gets its image from.
func imageLocation(t *schema.Target, message string) finding.Location {
	if base := t.Base(); base.Explicit {
		return base.Location(message)
	}
	return t.Image.Location("no image is given, so the default is used; " + message)
}

// otherPlatform reports whether a package's marker keeps it away from Linux, or
// may do so.
func otherPlatform(pkg schema.Package) bool {
	marker := strings.ToLower(pkg.Requirement.Marker)
	if !strings.Contains(marker, "platform") && !strings.Contains(marker, "os_name") {
		return false
	}
	return !strings.Contains(marker, "linux") && !strings.Contains(marker, "posix") || strings.Contains(marker, "!=")
}
