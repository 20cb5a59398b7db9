package docker

import (
	"strings"

	"github.com/amlfix/amlfix/schema/escape"
)

// Problem is a kind of failure that calls for a specific next step.
type Problem string

// The problems. Unknown is for messages from engines that are not recognized.
const (
	Unknown         Problem = "unknown"
	HostInvalid     Problem = "host-invalid"     // DOCKER_HOST or its certificates
	HostUnsupported Problem = "host-unsupported" // DOCKER_HOST=ssh://…
	NoEngine        Problem = "no-engine"
	NoConnection    Problem = "no-connection" // to the engine's machine; the wrapped error says why
	NoPermission    Problem = "no-permission"
	NotLinux        Problem = "not-linux" // an engine that runs Windows containers
	ImageInvalid    Problem = "image-invalid"
	ImageNotFound   Problem = "image-not-found"
	ImagePlatform   Problem = "image-platform"
	ImageFormat     Problem = "image-format" // from before 2017; engines since 26 no longer read it
	LoginNeeded     Problem = "login-needed"
	RateLimited     Problem = "rate-limited"
	RegistryAway    Problem = "registry-unreachable"
	RegistryTLS     Problem = "registry-tls"
	RegistryCut     Problem = "registry-cut" // a download was interrupted
	NoSpace         Problem = "no-space"
	NoInit          Problem = "no-init"
	NoNetwork       Problem = "no-network"
	MountRefused    Problem = "mount-refused"
	CommandMissing  Problem = "command-missing"
	PathNotFound    Problem = "path-not-found"
	ContainerGone   Problem = "container-gone"
	NameTaken       Problem = "name-taken"
	LimitRefused    Problem = "limit-refused"   // more processors than there are, or hardly any memory
	GPUUnsupported  Problem = "gpu-unsupported" // the engine has no way to provide GPUs
	GPURefused      Problem = "gpu-refused"     // NVIDIA's software is there and refuses
	GPUDriverOld    Problem = "gpu-driver-old"
)

// facts are what can be learned from an engine's response without the client library.
type facts struct {
	text        string
	notFound    bool // the answer was "not found"
	unreachable bool // no connection to the engine
	forbidden   bool // the connection was not allowed
}

// phrases identifies problems by the messages of engines 20.10 to 29, most specific first, because these have no error
// codes.
var phrases = []struct {
	problem Problem
	any     []string
}{
	{GPUUnsupported, []string{"could not select device driver", "AMD CDI spec not found", "no known GPU vendor found", "failed to discover GPU vendor",
		"Unknown runtime specified " + nvidiaRuntime, "unknown or invalid runtime name: " + nvidiaRuntime}},
	{GPUDriverOld, []string{"nvidia-container-cli: requirement error", "unsatisfied condition: cuda"}},
	{GPURefused, []string{"nvidia-container-cli", "nvidia-container-runtime", "nvidia-cdi-hook", "unresolvable CDI devices", "CDI device injection failed", "failed to inject CDI devices"}},
	{NoSpace, []string{"no space left on device", "disk quota exceeded"}},
	{RateLimited, []string{"toomanyrequests", "429 Too Many Requests", "pull rate limit", "too many requests", "TOOMANYREQUESTS"}},
	{LoginNeeded, []string{"no basic auth credentials", "unauthorized", "authentication required", "pull access denied", "requested access to the resource is denied", "401 Unauthorized", "403 Forbidden",
		"incorrect username or password", "insufficient_scope", "error from registry: denied", `"DENIED"`, `"UNAUTHORIZED"`}},
	{ImageFormat, []string{"schema 1 support", "docker.distribution.manifest.v1"}},
	{ImagePlatform, []string{"no matching manifest for", "no match for platform", "image operating system"}},
	{RegistryTLS, []string{"server gave HTTP response to HTTPS client", "x509:", "tls: "}},
	{ImageNotFound, []string{"manifest unknown", "name unknown", "MANIFEST_UNKNOWN", "NAME_UNKNOWN", "No such image", "repository does not exist"}},
	{ImageInvalid, []string{"invalid reference format", "repository name must be lowercase"}},
	{RegistryAway, []string{"no such host", "server misbehaving", "i/o timeout", "connection refused", "Client.Timeout exceeded", "network is unreachable", "TLS handshake timeout",
		"connection reset by peer", "no route to host"}},
	{PathNotFound, []string{"Could not find the file"}},
	{ContainerGone, []string{"No such container"}},
	{NameTaken, []string{"is already in use by container"}},
	{NoInit, []string{"docker-init"}},
	{MountRefused, []string{"bind source path does not exist", "invalid mount config", "Mounts denied", "error while creating mount source path"}},
	{NoNetwork, []string{"failed to create endpoint", "network bridge not found", "could not find an available", "failed to set up container networking"}},
	{LimitRefused, []string{"Range of CPUs is from", "Minimum memory limit"}},
	{CommandMissing, []string{"executable file not found in $PATH", "no such file or directory: unknown"}},
}

func (f facts) problem() Problem {
	switch {
	case f.unreachable && (f.forbidden || strings.Contains(f.text, "permission denied")):
		return NoPermission
	case f.unreachable:
		return NoEngine
	}
	for _, p := range phrases {
		for _, text := range p.any {
			if strings.Contains(f.text, text) {
				return p.problem
			}
		}
	}
	switch {
	case strings.HasSuffix(f.text, ": denied"): // a registry that says no more than this
		return LoginNeeded
	case f.notFound:
		return ImageNotFound
	}
	return Unknown
}

// said condenses an engine's or registry's response to a single line that can be quoted.
func said(text string) string {
	return escape.Said(strings.TrimPrefix(text, "Error response from daemon: "), 300)
}
