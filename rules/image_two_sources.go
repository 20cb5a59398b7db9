package rules

import (
	"fmt"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

var imageTwoSources = Rule{
	ID:       "image/two-sources",
	Severity: finding.Error,
	Since:    "2026-11-22",
	Doc:      "An SDK v1 environment names a base image and a Dockerfile to build one.",
	Why: `The image is either pulled or built. The service does not choose, and rejects an environment with both
baseImage and baseDockerfile or buildContext. In v2 files, schema/value reports this.`,
	Bad:  sdkImage + "    baseDockerfile: Dockerfile\n",
	Good: sdkImage,
	Check: func(p *Pass) {
		for _, j := range p.Project.Jobs {
			built := j.Docker.Dockerfile
			if j.Dialect != schema.SDKv1 || j.Target == nil || !hasText(j.Target.Image) || !built.Explicit || built.Node.IsString() && built.Text == "" || built.File.Broken() {
				continue
			}
			p.report(built.Location(fmt.Sprintf("%s and %s exclude each other, and the service rejects an environment with both: keep the one you want", built.Key.Value, j.Target.Image.Key.Value)),
				nil, j.Target.Image.Location("the image"))
		}
	},
}

// sdkImage is an SDK v1 project that ends at the container of its environment.
const sdkImage = `
-- train.py --
print("training")
-- Dockerfile --
FROM python:3.12
-- conda.yml --
channels:
  - conda-forge
dependencies:
  - python=3.11
-- .azureml/train.runconfig --
script: train.py
target: cpu-cluster
environment:
  python:
    condaDependenciesFile: conda.yml
  docker:
    baseImage: acme.azurecr.io/training:1
`

// hasText reports whether a field has a non-empty string.
func hasText(f schema.Field) bool { return f.Explicit && f.Node.IsString() && f.Text != "" }
