package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// peer is another program that reads configuration files.
type peer struct {
	name, program string
	args          []string
	files         int
	bytes         int64 // in all files
	least         time.Duration
}

// schemaFirst are the peers that accept a JSON Schema and files, with the flags before them.
var schemaFirst = map[string][]string{"jv": nil, "check-jsonschema": {"--schemafile"}}

// peers returns the installed peers. They read the projects' run configurations under names that end in .yml, the
// extension that they recognize; kubeconform takes nothing but manifests, and reads as many of them.
func peers(ctx context.Context, work, amlfix string, jobs []job) (list []peer, err error) {
	dir, manifests := filepath.Join(work, "peers"), filepath.Join(work, "manifests")
	schema, err := schemaOf(ctx, work, amlfix, "workbench-runconfig")
	if err != nil {
		return nil, err
	}
	kinds, err := schemaOf(ctx, work, amlfix, "kubernetes")
	if err != nil {
		return nil, err
	}
	var files []string
	var size, manifestSize int64
	many := jobs[2].dir
	found, err := filepath.Glob(filepath.Join(many, "*", "*", "aml_config", "*.runconfig"))
	if err != nil {
		return nil, err
	}
	if err := errors.Join(os.MkdirAll(dir, 0o755), os.MkdirAll(manifests, 0o755)); err != nil {
		return nil, err
	}
	for i, name := range found {
		rel, _ := filepath.Rel(many, name) // it is below
		to := filepath.Join(dir, strings.ReplaceAll(filepath.ToSlash(rel), "/", "_")+".yml")
		manifest := fmt.Appendf(nil, manifestText, i)
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		size, manifestSize = size+info.Size(), manifestSize+int64(len(manifest))
		if err := errors.Join(os.Link(name, to), os.WriteFile(filepath.Join(manifests, fmt.Sprintf("job-%05d.yaml", i)), manifest, 0o644)); err != nil {
			return nil, err
		}
		files = append(files, to)
	}
	for _, name := range []string{"yamllint", "yamlfmt", "jv", "check-jsonschema", "kubeconform"} {
		program, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		args := map[string][]string{"yamllint": {"-d", "relaxed", dir}, "yamlfmt": {"-lint", dir},
			"kubeconform": {"-summary", "-schema-location", kinds, manifests}}[name]
		if flags, takes := schemaFirst[name]; takes {
			args = append(append(append(args, flags...), schema), files...)
			one := args[:len(args)-len(files)+1]
			if out, err := exec.CommandContext(ctx, program, one...).CombinedOutput(); err != nil { // jv before version 6 cannot read YAML
				return nil, fmt.Errorf("%s %q: %w: %s(a valid file: install a newer version)", program, one, err, out)
			}
		}
		p := peer{name: name, program: program, args: args, files: len(files), bytes: size}
		if name == "kubeconform" {
			p.bytes = manifestSize
		}
		list = append(list, p)
	}
	return list, nil
}

// schemaOf writes one of amlfix's schemas to a file, and returns its name.
func schemaOf(ctx context.Context, work, amlfix, kind string) (string, error) {
	text, err := exec.CommandContext(ctx, amlfix, "schema", kind).Output()
	if err != nil {
		return "", err
	}
	name := filepath.Join(work, kind+".schema.json")
	return name, os.WriteFile(name, text, 0o644)
}

// manifestText is the text of a Kubernetes Job with a number.
const manifestText = `# A training job, as it is submitted to a cluster. It is not repeated when it
# fails, because a job that has failed once will usually fail again.
apiVersion: batch/v1
kind: Job
metadata:
  name: train-%[1]d
  labels:
    app: train-%[1]d
spec:
  backoffLimit: 0
  template:
    metadata:
      labels:
        app: train-%[1]d
    spec:
      restartPolicy: Never
      containers:
        - name: main
          # The image is that of the environment in which the job was developed.
          image: mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu20.04:20240%[1]d
          command: [bash, -c, "python train.py --epochs %[1]d"]
          # Variables of the environment, as the run configuration had them.
          env:
            - name: EXAMPLE_ENV_VAR
              value: "Example Value"
            - name: PROJECT_NUMBER
              value: "%[1]d"
          resources:
            limits:
              nvidia.com/gpu: "1"
`
