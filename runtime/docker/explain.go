package docker

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/runtime/cause"
	"github.com/amlfix/amlfix/schema/escape"
)

// Error is a failure of an engine or registry. Its text says what is wrong and what to do about it.
type Error struct {
	Problem Problem
	Subject string // the image, host, path or container that the request concerned; may be empty
	Said    string // the engine's own words on one line; empty when it said nothing
	Err     error
}

func (e *Error) Error() string { return Explain(e) }

func (e *Error) Unwrap() error { return e.Err }

// Is reports whether err is, or wraps, an *Error with Problem p.
func Is(err error, p Problem) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Problem == p
}

// Explain returns what an error of this package means and what to do next. For any other error, it returns the error's
// text.
func Explain(err error) string {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		if err == nil {
			return ""
		}
		return err.Error()
	}
	switch e.Problem {
	case HostInvalid:
		return "DOCKER_HOST=" + e.Subject + ": " + hostFault(e.Err)
	case NoConnection:
		return e.Err.Error()
	case NoEngine:
		if machine, ok := strings.CutPrefix(e.Subject, "ssh://"); ok { // there was a connection, otherwise it is NoConnection
			return machine + ": the connection to the Docker engine there was lost"
		}
	default: // in the table
	}
	text, known := advice()[e.Problem]
	if !known { // there is nothing to add to what the engine said
		text = "the Docker engine returned an error%q"
	}
	host := RegistryHost(e.Subject)
	return strings.NewReplacer("%s", e.Subject, "%h", hostName(host), "%l", loginArgument(host), "%q", e.quoted()).Replace(text)
}

// advice says what each problem means and what to do next: %s stands for the subject, %h for its registry, %l for the
// argument of docker login, and %q for the reason.
func advice() map[Problem]string {
	return map[Problem]string{
		HostUnsupported: "DOCKER_HOST=%s: ssh is not supported by this version: forward the socket (ssh -L /tmp/docker.sock:/var/run/docker.sock HOST) and set DOCKER_HOST=unix:///tmp/docker.sock",
		NoEngine:        "no Docker engine answers at %s: start it (Linux: sudo systemctl start docker; desktop: start Docker Desktop), or set DOCKER_HOST to a running engine (`docker context inspect` shows the one that the docker command uses)",
		NoPermission:    "%s: this user may not use the Docker engine: add yourself to its group (sudo usermod -aG docker $USER) and sign in again, or run as root",
		NotLinux:        "the Docker engine at %s runs Windows containers: switch it to Linux containers; Azure ML images are for Linux",
		ImageInvalid:    "image %s: this is not a valid image name: write repository:tag, in lowercase and without spaces%q",
		ImageNotFound:   "image %s: the registry does not have it, or no longer has it: check repository and tag, or use another image%q",
		ImagePlatform:   "image %s: it has no variant for this engine's processor: use another image, or an engine on an x86-64 machine%q",
		ImageFormat:     "image %s: it is stored in a format from before 2017 that this engine no longer reads: pull it with an engine of version 25 or older and push it again, or use another image%q",
		LoginNeeded:     "image %s: %h does not give it to this user: it is private or does not exist; check its name, or sign in first with `docker login%l`%q",
		RateLimited:     "image %s: %h limits pulls, and this address has used up its limit: wait some hours, or sign in with `docker login%l` for a higher limit%q",
		RegistryAway:    "image %s: the engine cannot reach %h: check its network, proxy and DNS (the \"dns\" key of daemon.json)%q",
		RegistryTLS:     "image %s: no trusted connection to %h: install its certificate, or list it as insecure-registries in daemon.json%q",
		RegistryCut:     "image %s: the download from %h was interrupted: try again; complete layers are kept%q",
		NoSpace:         "the disk of the Docker engine at %s is full: free some of it with `docker system prune -a`, or give it a larger one%q",
		NoInit:          "the Docker engine has no docker-init: install it (Debian and Ubuntu: package tini or docker.io)%q",
		NoNetwork:       "the Docker engine cannot connect the container to a network: restart the engine, or check its bridge and iptables settings%q",
		MountRefused:    "the Docker engine does not see the project's folder: set sharedVolumes to false, so that the project is copied instead%q",
		CommandMissing:  "image %s: the program that the job calls is not in it%q",
		PathNotFound:    "%s: not in the container",
		ContainerGone:   "the container is gone: it was removed while the job was running",
		NameTaken:       "a container for this run already exists%q",
		LimitRefused:    "the Docker engine's machine does not support these limits: choose others with --cpus and --memory, or in the file%q",
		GPUUnsupported: "this Docker engine cannot provide GPUs: install NVIDIA Container Toolkit on its machine, run `sudo nvidia-ctk runtime configure --runtime=docker`, restart the engine; " +
			"or run without a GPU, with --gpus none or nvidiaDocker: false%q",
		GPURefused:   "NVIDIA's container software is installed, but provides no GPU: `nvidia-smi` must work on the engine's machine first%q",
		GPUDriverOld: "the NVIDIA driver on the engine's machine is too old for the image's CUDA: update the driver, or use an image with an older CUDA version%q",
	}
}

// hostFault returns what is wrong with DOCKER_HOST, or with its certificates, which only DOCKER_CERT_PATH names.
func hostFault(err error) string {
	if err != nil && (os.Getenv("DOCKER_CERT_PATH") == "" || strings.Contains(err.Error(), "parse docker host")) {
		return "this is not the address of an engine: write unix:///var/run/docker.sock or tcp://HOST:2376"
	}
	const need = "DOCKER_CERT_PATH must be a folder with ca.pem, cert.pem and key.pem that belong together"
	for _, name := range []string{"ca.pem", "cert.pem", "key.pem"} {
		file := filepath.Join(os.Getenv("DOCKER_CERT_PATH"), name)
		f, err := os.Open(file)
		if err != nil {
			return file + " cannot be read: " + need
		}
		_ = f.Close()
	}
	return "the certificates cannot be used: " + need
}

// quoted returns the reason: in plain words for a network error, otherwise in the engine's own words.
func (e *Error) quoted() string {
	text := e.Said
	if text == "" && e.Err != nil {
		text = said(e.Err.Error())
	}
	if text == "" {
		return ""
	}
	if plain, ok := cause.Known(text); ok {
		return " (" + plain + ")"
	}
	return " (it said: " + text + ")"
}

func hostName(host string) string {
	if host == hub {
		return "Docker Hub"
	}
	return host
}

func loginArgument(host string) string {
	if host == hub {
		return ""
	}
	return " " + escape.Word(host)
}
