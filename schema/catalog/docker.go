package catalog

import "slices"

// DockerGPU is one way in which a container engine hands GPUs to a container.
type DockerGPU struct {
	// ID is nvidia-docker, runtime, device-requests or cdi, oldest first.
	ID string
	// MinAPI is the oldest Engine API version that knows it, empty when it is not part of the API.
	MinAPI string
	// Request, Needs and Failure are for people: what is sent, what the host must have, what is said if not.
	Request, Needs, Failure string
	Origin
}

var dockerRows = load("docker_gpu", func(r record) DockerGPU {
	return DockerGPU{
		ID: r.text("id"), MinAPI: r.text("min_api"), Request: r.text("request"), Needs: r.text("needs"),
		Failure: r.text("failure"), Origin: r.origin(),
	}
})

// DockerGPUs lists the ways, oldest first.
func DockerGPUs() []DockerGPU {
	return slices.Clone(dockerRows())
}
