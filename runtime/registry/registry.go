// Package registry inspects images in their registries, without a Docker engine.
package registry

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"time"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/schema/plain"
)

// Answer is yes, no or unknown.
type Answer string

// The answers.
const (
	Yes     Answer = "yes"
	No      Answer = "no"
	Unknown Answer = "unknown"
)

// Image is what a registry reports about an image.
type Image struct {
	Published Answer
	Digest    string // of the manifest; empty: not known
	Shell     Answer // whether the image has a program named sh
}

// mostRead is how many bytes of layers are read to find a shell. Images without one are small, and most others declare
// that they have one.
const mostRead = 64 << 20

// How long a registry may take to answer, and then to send layers: a user waits for it, and some machines cannot reach
// it.
const (
	askTime  = 5 * time.Second
	readTime = 20 * time.Second
)

// blob is a part of an image, or an image in a list of images.
type blob struct {
	Digest   string
	Size     int64
	Platform struct{ OS, Architecture string }
}

// manifest is the manifest of an image, or a list of images for several platforms.
type manifest struct {
	Manifests []blob
	Config    blob
	Layers    []blob
}

// manifests are the media types of manifests, of Docker and OCI.
var manifests = []string{"application/vnd.oci.image.index.v1+json", "application/vnd.docker.distribution.manifest.list.v2+json",
	"application/vnd.oci.image.manifest.v1+json", "application/vnd.docker.distribution.manifest.v2+json"}

// Look queries the registry of an image for Linux on an architecture, in Go's notation. login may be nil. What cannot
// be found out is Unknown, with an error that says why.
func Look(ctx context.Context, image, arch string, login *docker.Login) (Image, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	limit := time.AfterFunc(askTime, cancel)
	defer limit.Stop()
	found := Image{Unknown, "", Unknown}
	c, reference, err := open(image, login)
	if err != nil {
		return found, err
	}
	var m manifest
	header, err := c.ask(ctx, &m, "/manifests/"+reference, manifests...)
	if errors.Is(err, errNotFound) {
		found.Published = No
		return found, nil
	}
	if err != nil {
		return found, err
	}
	found.Published, found.Digest = Yes, header.Get("Docker-Content-Digest")
	if i := slices.IndexFunc(m.Manifests, func(b blob) bool { return b.Platform.OS == "linux" && b.Platform.Architecture == arch }); i >= 0 {
		if _, err := c.ask(ctx, &m, "/manifests/"+m.Manifests[i].Digest, manifests...); err != nil {
			return found, err
		}
	}
	if m.Config.Digest == "" {
		return found, errors.New("there is no image for this processor")
	}
	var says config
	if _, err := c.ask(ctx, &says, "/blobs/"+m.Config.Digest); err != nil {
		return found, err
	}
	if says.shell() {
		found.Shell = Yes
		return found, nil
	}
	limit.Reset(readTime)
	found.Shell, err = c.shell(ctx, m.Layers)
	return found, err
}

// config is what an image reports about itself.
type config struct {
	Config  struct{ Cmd, Entrypoint []string }
	History []struct {
		CreatedBy string `json:"created_by"`
		Empty     bool   `json:"empty_layer"`
	}
}

var (
	// shells matches a shell as it appears in the history of Dockerfile instructions that were run by one.
	shells = plain.Regexp{Text: `/bin/(ba|da|a)?sh( |$)`}
	// nothing matches an instruction that was recorded as a command but never run.
	nothing = plain.Regexp{Text: `#\(nop\)`}
)

// shell reports whether an image was made by commands of a shell in it, or starts one.
func (c config) shell() bool {
	for _, h := range c.History {
		if !h.Empty && shells.Get().MatchString(h.CreatedBy) && !nothing.Get().MatchString(h.CreatedBy) {
			return true
		}
	}
	return slices.ContainsFunc([][]string{c.Config.Cmd, c.Config.Entrypoint}, func(argv []string) bool {
		return len(argv) > 0 && slices.Contains([]string{"sh", "bash", "dash", "ash"}, path.Base(argv[0]))
	})
}

// shell determines from the files of a small image whether it has a shell.
func (c *client) shell(ctx context.Context, layers []blob) (Answer, error) {
	var size int64
	for _, l := range layers {
		size += l.Size
	}
	if size > mostRead || len(layers) == 0 {
		return Unknown, nil
	}
	for _, l := range layers {
		if has, err := c.holds(ctx, l); has || err != nil {
			return map[bool]Answer{true: Yes, false: Unknown}[has], err
		}
	}
	return No, nil
}

// holds reports whether a layer contains a file named sh, in any folder. It does not check whether a later layer
// removes the file: the pod would report that.
func (c *client) holds(ctx context.Context, layer blob) (bool, error) {
	r, err := c.get(ctx, "/blobs/"+layer.Digest)
	if err != nil {
		return false, err
	}
	defer func() { _ = r.Body.Close() }()
	content := bufio.NewReader(io.LimitReader(r.Body, mostRead))
	var files io.Reader = content
	if start, err := content.Peek(2); err == nil && bytes.Equal(start, []byte{0x1f, 0x8b}) {
		if files, err = gzip.NewReader(content); err != nil {
			return false, err
		}
	}
	for list := tar.NewReader(files); ; {
		h, err := list.Next()
		switch {
		case errors.Is(err, io.EOF):
			return false, nil
		case err != nil: // compressed in another format
			return false, err
		case path.Base(h.Name) == "sh" && h.Typeflag != tar.TypeDir:
			return true, nil
		}
	}
}
