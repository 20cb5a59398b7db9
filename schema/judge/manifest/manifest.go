//go:build linux

// Package manifest checks files with the types of Kubernetes. It is only for tests, and apart from judge because every
// test program that contains these types starts and links longer.
package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// Manifest is the contents of a Kubernetes manifest, by kind.
type Manifest struct {
	Jobs     []batch.Job
	Services []core.Service
	Claims   []core.PersistentVolumeClaim
}

// Parse strictly parses the documents of a manifest, as the server does with field validation: unknown and duplicate
// fields and wrong types are errors. It supports Jobs, Services and PersistentVolumeClaims, and does not check what
// only the server does, such as the form of names.
func Parse(manifest []byte) (m Manifest, err error) {
	for document := range bytes.SplitSeq(manifest, []byte("\n---\n")) {
		var kind struct{ Kind string }
		if err := yaml.Unmarshal(document, &kind); err != nil {
			return m, err
		}
		switch kind.Kind {
		case "Job":
			m.Jobs, err = read(document, m.Jobs)
		case "Service":
			m.Services, err = read(document, m.Services)
		case "PersistentVolumeClaim":
			m.Claims, err = read(document, m.Claims)
		default:
			err = fmt.Errorf("a document of kind %q", kind.Kind)
		}
		if err != nil {
			return m, err
		}
	}
	return m, nil
}

func read[T any](document []byte, list []T) ([]T, error) {
	var object T
	err := strictly(document, &object)
	return append(list, object), err
}

// strictly parses a document via JSON, as it is sent to the server, so that a number instead of a string is an error.
func strictly(document []byte, into any) error {
	text, err := yaml.YAMLToJSONStrict(document)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(into)
}
