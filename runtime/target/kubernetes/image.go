package kubernetes

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/kubernetes"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/registry"
	"github.com/amlfix/amlfix/schema/requirement"
)

// image checks where the image is and, if its registry gives this machine access, that it has a shell. Whether the
// nodes can pull it is known only when the job starts.
func image(ctx context.Context, c *kubernetes.Client, part *Part) []preflight.Result {
	if part.Build != nil {
		return nil // it has yet to be built
	}
	name := part.Spec.Image.Value
	nodes, err := c.Nodes(ctx, part.Spec)
	has := func(image string) bool {
		return slices.ContainsFunc(nodes, func(n kubernetes.Node) bool { return n.Has(image) })
	}
	there := err == nil && has(name)
	found := published(ctx, name, nodes)
	switch {
	case found.Shell == registry.No && (!there || has(digested(name, found.Digest))):
		why, next, _ := strings.Cut(kubernetes.NoShell, ": ")
		return []preflight.Result{{Topic: preflight.Image, Status: preflight.Failed, Text: why, Next: next}}
	case there:
		return []preflight.Result{{Topic: preflight.Image, Status: preflight.OK, Text: name + " is on a node"}}
	case found.Published == registry.No:
		return []preflight.Result{{Topic: preflight.Image, Status: preflight.Doubtful, Text: fmt.Sprintf("the registry %s says that there is no image %s", docker.RegistryHost(name), name), Next: "check its name, unless the nodes get it from elsewhere"}}
	case found.Published == registry.Yes:
		return []preflight.Result{{Topic: preflight.Image, Status: preflight.OK, Text: fmt.Sprintf("the registry has %s; whether the nodes can pull it is known only when the job starts", name)}}
	}
	return []preflight.Result{{Topic: preflight.Image, Status: preflight.Unknown, Text: "whether the cluster can pull " + name + " is known only when the job starts"}}
}

// published queries an image's registry, as the docker command would.
func published(ctx context.Context, name string, nodes []kubernetes.Node) registry.Image {
	arch := "amd64"
	if len(nodes) > 0 && nodes[0].Arch != "" {
		arch = nodes[0].Arch
	}
	login, _ := docker.FindLogin(ctx, name)           // without a login, the query is anonymous
	found, _ := registry.Look(ctx, name, arch, login) // what cannot be found out stays unknown
	return found
}

// digested returns an image's name with its digest.
func digested(name, digest string) string {
	m, err := requirement.ParseImage(name)
	if err != nil {
		return name
	}
	return m.Name() + "@" + digest
}
