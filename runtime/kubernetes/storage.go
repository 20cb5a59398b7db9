package kubernetes

import (
	"bytes"
	"context"
	"slices"

	"github.com/amlfix/amlfix/runtime/plan"
)

// The defaults for a claim that amlfix creates.
const (
	ClaimName    = "amlfix"
	claimSize    = "20Gi"
	defaultClass = "default" // stands for the cluster's default class
)

// Storage describes the claim to create if none has its name. With the zero value, none is created.
type Storage struct {
	Class plan.Field[string] // defaultClass or empty: the cluster's default class
	Size  plan.Field[string] // in Kubernetes notation; empty: claimSize
}

// Made reports whether to create a missing claim.
func (s Storage) Made() bool { return s.Class.Value != "" || s.Size.Value != "" }

// ByDefault reports whether the claim uses the cluster's default class.
func (s Storage) ByDefault() bool { return s.Class.Value == "" || s.Class.Value == defaultClass }

// ClaimManifest returns the claim to create, field by field; nil if none is created.
func (s Spec) ClaimManifest() []Set {
	if !s.Storage.Made() {
		return nil
	}
	var list fields
	size := s.Storage.Size
	if size.Value == "" {
		size = plan.From(claimSize, plan.Origin{Note: "default: kubernetes.storage names another size"})
	}
	list.add("v1", always, "apiVersion")
	list.add("PersistentVolumeClaim", always, "kind")
	list.add(s.Claim.Value, s.Claim.Origin, "metadata", "name")
	list.label(Managed)
	list.add("ReadWriteOnce", always, "spec", "accessModes", "0")
	list.add(size.Value, size.Origin, "spec", "resources", "requests", "storage")
	if !s.Storage.ByDefault() {
		list.add(s.Storage.Class.Value, s.Storage.Class.Origin, "spec", "storageClassName")
	}
	return list
}

// EnsureClaim creates a job's claim, unless the claim exists or none is to be created. The claim outlives the job. made
// is false if nothing was created.
func (c *Client) EnsureClaim(ctx context.Context, s Spec) (made bool, err error) {
	if !s.Storage.Made() {
		return false, nil
	}
	if there, err := c.Has(ctx, "persistentvolumeclaim", s.Claim.Value); err != nil || there {
		return false, err
	}
	_, err = c.run(ctx, bytes.NewReader(toJSON(s.ClaimManifest())), "create", "-f", "-")
	if Is(err, Exists) { // another run was faster
		return false, nil
	}
	return err == nil, err
}

// Claim is a claim that amlfix created.
type Claim struct{ Name, Size string }

// Claims lists the claims that amlfix created in the namespace.
func (c *Client) Claims(ctx context.Context) (claims []Claim, err error) {
	var list struct {
		Items []struct {
			Metadata Metadata
			Spec     struct {
				Resources struct{ Requests map[string]string }
			}
		}
	}
	err = c.get(ctx, &list, "persistentvolumeclaims", "-l", Managed)
	for _, i := range list.Items {
		claims = append(claims, Claim{i.Metadata.Name, i.Spec.Resources.Requests["storage"]})
	}
	return claims, err
}

// RemoveClaim removes a claim that amlfix created; the cluster keeps it until no pod uses it. It succeeds if the claim
// does not exist.
func (c *Client) RemoveClaim(ctx context.Context, name string) error {
	_, err := c.run(ctx, nil, "delete", "persistentvolumeclaim", name, "--ignore-not-found", "--wait=false")
	return err
}

// Classes are the storage classes of a cluster.
type Classes struct {
	Names   []string
	Default string // empty: there is none
}

// Has reports whether a class exists.
func (k Classes) Has(name string) bool { return slices.Contains(k.Names, name) }

// StorageClasses lists the cluster's storage classes, which some users may not be allowed to see.
func (c *Client) StorageClasses(ctx context.Context) (classes Classes, err error) {
	var list struct {
		Items []struct {
			Metadata struct {
				Name        string
				Annotations map[string]string
			}
		}
	}
	err = c.get(ctx, &list, "storageclasses")
	for _, i := range list.Items {
		classes.Names = append(classes.Names, i.Metadata.Name)
		for _, key := range []string{"storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"} {
			if i.Metadata.Annotations[key] == "true" {
				classes.Default = i.Metadata.Name
			}
		}
	}
	return classes, err
}
