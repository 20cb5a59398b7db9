package docker

import "strings"

// hub is what images without a registry in their name belong to.
const hub = "docker.io"

// RegistryHost is the registry that an image comes from: "docker.io" when its name has none.
func RegistryHost(ref string) string {
	first, _, found := strings.Cut(ref, "/")
	switch {
	case !found || !strings.ContainsAny(first, ".:") && first != "localhost":
		return hub
	case first == "index.docker.io" || first == "registry-1.docker.io":
		return hub
	}
	return first
}
