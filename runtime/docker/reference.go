package docker

import "strings"

// hub is the registry of images that name none.
const hub = "docker.io"

// RegistryHost returns the registry that an image comes from: "docker.io" if its name has none.
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
