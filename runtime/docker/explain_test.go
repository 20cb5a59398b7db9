package docker

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestProblems checks messages that engines 20.10 and 29 were seen to return.
func TestProblems(t *testing.T) {
	for _, tt := range []struct {
		text string
		want Problem
	}{
		{`could not select device driver "" with capabilities: [[gpu]]`, GPUUnsupported},
		{`AMD CDI spec not found`, GPUUnsupported},
		{`Unknown runtime specified nvidia`, GPUUnsupported},
		{`unknown or invalid runtime name: nvidia`, GPUUnsupported},
		{`failed to inject CDI devices: unresolvable CDI devices nvidia.com/gpu=7: unknown`, GPURefused},
		{`CDI device injection failed: unresolvable CDI devices nvidia.com/gpu=9`, GPURefused},
		{`error running hook #0: error running hook: exit status 1, stdout: , stderr: nvidia-container-cli: device error: 7: unknown device: unknown`, GPURefused},
		{`nvidia-container-cli: requirement error: unsatisfied condition: cuda>=11.0`, GPUDriverOld},
		{`No such image: nosuch:1`, ImageNotFound},
		{`unknown: {"errors":[{"code":"MANIFEST_UNKNOWN","message":"Unknown manifest"}]}`, ImageNotFound},
		{`toomanyrequests: {"errors":[{"code":"TOOMANYREQUESTS","message":"slow down"}]}`, RateLimited},
		{`error from registry: denied denied`, LoginNeeded},
		{`not implemented: media type "application/vnd.docker.distribution.manifest.v1+prettyjws" is no longer supported since containerd v2.1`, ImageFormat},
		{`Docker Image Format v1 and Docker Image manifest version 2, schema 1 support has been removed. Suggest the author of r/a:1 to upgrade`, ImageFormat},
		{`manifest for a/b:1 not found: manifest unknown: manifest unknown`, ImageNotFound},
		{`pull access denied for a/b, repository does not exist or may require 'docker login': denied: requested access to the resource is denied`, LoginNeeded},
		{`Get "https://r/v2/": no basic auth credentials`, LoginNeeded},
		{`toomanyrequests: You have reached your pull rate limit. You may increase the limit by authenticating`, RateLimited},
		{`unexpected status from HEAD request to https://r/v2/a: 429 Too Many Requests`, RateLimited},
		{`Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io on [::1]:53: read: connection refused`, RegistryAway},
		{`Get "https://r/v2/": http: server gave HTTP response to HTTPS client`, RegistryTLS},
		{`Get "https://r/v2/": x509: certificate signed by unknown authority`, RegistryTLS},
		{`no matching manifest for linux/arm64/v8 in the manifest list entries`, ImagePlatform},
		{`Error processing tar file(exit status 1): write /azureml-run/big.bin: no space left on device`, NoSpace},
		{`invalid mount config for type "bind": bind source path does not exist: /x`, MountRefused},
		{`exec: "docker-init": executable file not found in $PATH`, NoInit},
		{`Could not find the file /azureml-run/outputs in container abc`, PathNotFound},
		{`No such container: abc`, ContainerGone},
		{`Range of CPUs is from 0.01 to 2.00, as there are only 2 CPUs available`, LimitRefused},
		{`Minimum memory limit allowed is 6MB`, LimitRefused},
		{`OCI runtime create failed: container_linux.go:380: permission denied: unknown`, Unknown},
	} {
		testkit.Same(t, tt.want, (facts{text: tt.text}).problem(), tt.text)
	}
}

// TestExplanations requires every explanation to name a next step.
func TestExplanations(t *testing.T) {
	for _, p := range []Problem{HostInvalid, HostUnsupported, NoEngine, NoPermission, NotLinux, ImageInvalid, ImageNotFound, ImagePlatform, ImageFormat, LoginNeeded, RateLimited, RegistryAway,
		RegistryTLS, NoSpace, NoInit, NoNetwork, MountRefused, LimitRefused, GPUUnsupported, GPURefused, GPUDriverOld} {
		text := Explain(&Error{Problem: p, Subject: "SUBJECT", Said: "words"})
		if i := strings.IndexAny(text, ":;"); i < 0 || len(text) < 60 || strings.Contains(text, "%") {
			t.Errorf("%s: %s", p, text)
		}
	}
	if text := Explain(&Error{Problem: Unknown, Err: errors.New("Error response from daemon: odd\nthing")}); text != "the Docker engine returned an error (it said: odd thing)" {
		t.Error(text)
	}
	if text := Explain(fs.ErrNotExist); text != fs.ErrNotExist.Error() {
		t.Error(text)
	}
	if long := (&Error{Problem: Unknown, Said: said(strings.Repeat("é", 1000))}).Error(); len([]rune(long)) > 400 {
		t.Errorf("%d letters", len([]rune(long)))
	}
}

func TestEngineCannotBeReached(t *testing.T) {
	dir := t.TempDir()
	deaf := filepath.Join(dir, "deaf.sock")
	l, err := net.Listen("unix", deaf)
	if err != nil {
		t.Skipf("no unix sockets here: %v", err)
	}
	_ = l.Close()
	for _, tt := range []struct {
		host    string
		problem Problem
		text    string
	}{
		{"unix://" + filepath.Join(dir, "none.sock"), NoEngine, "no Docker engine answers at unix://"},
		{"unix://" + deaf, NoEngine, "start it"},
		{"tcp://127.0.0.1:1", NoEngine, "no Docker engine answers at tcp://127.0.0.1:1"},
		{"ssh://me@host", HostUnsupported, "ssh -L"},
		{"nonsense", HostInvalid, "DOCKER_HOST=nonsense: this is not the address of an engine: write unix:///var/run/docker.sock"},
		{"tcp://[::1", HostInvalid, "DOCKER_HOST=tcp://[::1: this is not the address of an engine"},
	} {
		t.Setenv("DOCKER_HOST", tt.host)
		eng, err := Connect()
		if err == nil {
			_, err = eng.Info(t.Context())
			_ = eng.Close()
		}
		if !Is(err, tt.problem) || !strings.Contains(Explain(err), tt.text) {
			t.Errorf("%s: %v", tt.host, err)
		}
	}
}

// TestConnectionCut checks that an engine behind SSH is not said to be down when the connection to it breaks.
func TestConnectionCut(t *testing.T) {
	eng, err := ConnectOver("ssh://me@host:22", func(context.Context) (net.Conn, error) {
		here, there := net.Pipe()
		return here, there.Close()
	})
	testkit.OK(t, err)
	defer func() { _ = eng.Close() }()
	err = eng.CopyIn(t.Context(), "container", strings.NewReader("tar"))
	if !Is(err, NoEngine) || err.Error() != "me@host:22: the connection to the Docker engine there was lost" {
		t.Errorf("%v", err)
	}
}

// TestCertificates checks that a problem with the certificate folder is explained without library jargon.
func TestCertificates(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("DOCKER_HOST", "tcp://127.0.0.1:1")
	t.Setenv("DOCKER_TLS_VERIFY", "1")
	t.Setenv("DOCKER_CERT_PATH", dir)
	const need = "DOCKER_CERT_PATH must be a folder with ca.pem, cert.pem and key.pem that belong together"
	for _, want := range []string{filepath.Join(dir, "ca.pem") + " cannot be read: ", filepath.Join(dir, "cert.pem") + " cannot be read: ", filepath.Join(dir, "key.pem") + " cannot be read: ", "the certificates cannot be used: "} {
		if _, err := Connect(); !Is(err, HostInvalid) || err.Error() != "DOCKER_HOST=tcp://127.0.0.1:1: "+want+need {
			t.Errorf("%v", err)
		}
		for _, name := range []string{"ca.pem", "cert.pem", "key.pem"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				testkit.OK(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
				break
			}
		}
	}
}

func TestRegistryHost(t *testing.T) {
	for ref, want := range map[string]string{
		"ubuntu": "docker.io", "microsoft/mmlspark:plus-0.9.9": "docker.io", "docker.io/library/ubuntu": "docker.io", "index.docker.io/a/b": "docker.io",
		"mcr.microsoft.com/azureml/base": "mcr.microsoft.com", "localhost/a": "localhost", "localhost:5000/a": "localhost:5000", "a.b:1/c@sha256:0": "a.b:1", "x:1": "docker.io",
	} {
		testkit.Same(t, want, RegistryHost(ref), ref)
	}
}
