package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/finding"
)

// environmentFault is an environment fault that Microsoft documents (how-to-troubleshoot-environments, as of
// 2026-07-02), in its smallest form: the number of its heading, the rule that finds it, and its minimum severity, or
// maximum severity for notes.
type environmentFault struct {
	heading, project string
	rule             string
	severity         finding.Severity
}

const (
	anEnvironment = "\n-- env.yml --\n$schema: https://azuremlschemas.azureedge.net/latest/environment.schema.json\n"
	anImage       = "image: mcr.microsoft.com/azureml/openmpi5.0-ubuntu24.04:20260101.v1\n"
	condaList     = anEnvironment + "name: e\n" + anImage + "conda_file: conda.yml\n-- conda.yml --\nchannels: [conda-forge]\ndependencies:\n"
	pipList       = condaList + "  - python=3.11\n  - pip=24.0\n  - pip:\n"
	sdkList       = "\n-- .azureml/train.runconfig --\nscript: train.py\ntarget: cpu\nframework: Python\nenvironment:\n"
	sdkDocker     = sdkList + "  docker:\n    enabled: true\n"
	ownImage      = "  docker:\n    baseImage: acme.azurecr.io/base:1\n"
)

var environmentFaults = []environmentFault{
	{"1", anEnvironment + "name: AzureML-mine\n" + anImage, "ref/environment", finding.Warning},
	{"1, SDK v1", sdkList + "  name: AzureML-mine\n" + ownImage, "ref/environment", finding.Warning},
	{"2", anEnvironment + "name: " + strings.Repeat("a", 256) + "\n" + anImage, "ref/environment", finding.Warning},
	{"2, SDK v1", sdkList + "  name: " + strings.Repeat("a", 256) + "\n" + ownImage, "ref/environment", finding.Warning},
	{"3", anEnvironment + "name: e\n" + anImage + "build: {path: ctx}\n-- ctx/Dockerfile --\nFROM ubuntu:24.04\n", "schema/value", finding.Error},
	{"3, SDK v1", sdkDocker + "    baseImage: acme.azurecr.io/base:1\n    baseDockerfile: 'FROM ubuntu:24.04'\n", "image/two-sources", finding.Error},
	{"4", anEnvironment + "name: e\nversion: 1\n", "schema/missing-key", finding.Error},
	{"5", sdkDocker + "    baseImage: acme.azurecr.io/base:1\n    baseImageRegistry: {address: acme.azurecr.io, username: u, password: null}\n", "image/registry-login", finding.Warning},
	{"7", sdkDocker + "    baseImage: acme.azurecr.io/base:1\n    baseImageRegistry: {address: acme.azurecr.io, username: u, password: Hunter2!!x}\n", "secret/password", finding.Error},
	// Keys that every file of that time has get only a note, because they do no harm.
	{"8", sdkDocker + "    sharedVolumes: true\n    gpuSupport: true\n    shmSize: 2g\n", "schema/deprecated", finding.Info},
	{"10", anEnvironment + "name: e\nbuild: {dockerfile_path: Dockerfile}\n", "ref/dockerfile", finding.Error},
	{"11", anEnvironment + "name: e\nbuild: {path: ctx}\n-- ctx/readme.txt --\nx\n", "ref/dockerfile", finding.Error},
	{"15", anEnvironment + "name: e\nimage: mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu20.04:20240101.v1\n", "image/removed", finding.Warning},
	{"15", anEnvironment + "name: e\nimage: mcr.microsoft.com/azureml/openmpi3.1.2-ubuntu18.04:20210301.v1\n", "image/removed", finding.Warning},
	{"15, SDK v1", sdkDocker + "    baseImage: mcr.microsoft.com/azureml/openmpi3.1.2-ubuntu18.04:20210301.v1\n", "image/removed", finding.Info},
	{"16", anEnvironment + "name: e\nimage: mcr.microsoft.com/azureml/openmpi5.0-ubuntu24.04\n", "image/unpinned", finding.Warning},
	{"16, SDK v1", sdkDocker + "    baseImage: mcr.microsoft.com/azureml/openmpi5.0-ubuntu24.04\n", "image/unpinned", finding.Info},
	{"17", sdkList + "  environmentVariables: {A: b}\n" + ownImage, "job/variables", finding.Warning},
	{"19", condaList + "  - numpy=1.26\n", "conda/no-python", finding.Warning},
	{"20", condaList + "  - python=3.11\n  - python=3.10\n", "conda/duplicate-package", finding.Warning},
	{"21", condaList + "  - python=3.7\n", "python/end-of-support", finding.Warning},
	{"21", condaList + "  - python=3.6\n", "python/end-of-support", finding.Warning},
	{"23", condaList + "  - python=3.11.\n", "conda/no-python", finding.Warning},
	{"23", condaList + "  - python=three\n", "conda/no-python", finding.Error},
	{"25", strings.Replace(condaList, "dependencies:\n", "dependencies: python=3.11\n", 1), "schema/type", finding.Error},
	{"26", strings.Replace(condaList, "channels: [conda-forge]\n", "", 1) + "  - python=3.11\n", "conda/no-channels", finding.Info},
	{"27", sdkList + "  python:\n    baseCondaEnvironment: base\n    condaDependenciesFile: conda.yml\n-- conda.yml --\ndependencies:\n  - python=3.11\n", "conda/two-sources", finding.Warning},
	{"28", condaList + "  - python=3.11\n  - numpy\n", "conda/unpinned", finding.Info},
	{"29", condaList + "  - python=3.11\n  - pip:\n      - numpy==1.26.4\n", "conda/no-pip", finding.Warning},
	{"30", condaList + "  - python=3.11\n  - pip\n  - pip:\n      - numpy==1.26.4\n", "conda/unpinned", finding.Info},
	{"31", sdkList + "  r: {rVersion: '3.6'}\n" + ownImage, "schema/deprecated", finding.Warning},
	{"34", condaList + "  - python===3.11\n", "conda/operator", finding.Error},
	{"36", pipList + "      - dataclasses\n", "conda/stdlib-module", finding.Warning},
	{"39", pipList + "      - numpy==1.19.0\n", "python/no-wheel", finding.Warning},
	{"39", pipList + "      - tensorflow==2.8.0\n", "python/no-wheel", finding.Warning},
	{"41", strings.Replace(condaList, "channels", "# caf\xe9\nchannels", 1) + "  - python=3.11\n", "yaml/syntax", finding.Error},
	{"42", pipList + "      - numpy=>1.26\n", "conda/operator", finding.Error},
	{"42", pipList + "      - numpy=1.26\n", "conda/pip-equals", finding.Error},
	{"43", pipList + "      - https://example.org/foo-1.0.whl\n", "conda/invalid-item", finding.Error},
	{"44", pipList + "      - horovod==0.28.1\n", "conda/install-order", finding.Warning},
	{"Name:", strings.Replace(condaList, "channels", "Name: x\nchannels", 1) + "  - python=3.11\n", "schema/unknown-key", finding.Warning},
}

// TestEnvironmentFaults checks that each documented fault is found, and its severity.
func TestEnvironmentFaults(t *testing.T) {
	for _, fault := range environmentFaults {
		t.Run(fault.heading, func(t *testing.T) {
			p := load(t, fault.project)
			found := rules.Check(p)
			i := slices.IndexFunc(found, func(f finding.Finding) bool { return f.Rule == fault.rule })
			switch {
			case i < 0:
				t.Errorf("%s does not find it: %v", fault.rule, lines(p, found))
			case found[i].Severity < fault.severity || fault.severity == finding.Info && found[i].Severity != finding.Info:
				t.Errorf("%s: %s, want %s", found[i].Rule, found[i].Severity, fault.severity)
			}
		})
	}
}
