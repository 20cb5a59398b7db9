package kubernetes

import (
	"context"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/runtime/kubernetes"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/target"
)

// Storage is the topic of the claim and its storage class.
const Storage preflight.Topic = "storage"

// storage checks for the claim, or for the class to create it from.
func storage(ctx context.Context, c *kubernetes.Client, part *Part) []preflight.Result {
	s := part.Spec
	if s.Claim.Value == "" {
		return nil
	}
	say := func(status preflight.Status, next, text string, args ...any) []preflight.Result {
		return []preflight.Result{{Topic: Storage, Status: status, Text: fmt.Sprintf(text, args...), Next: next}}
	}
	there, err := c.Has(ctx, "persistentvolumeclaim", s.Claim.Value)
	switch {
	case kubernetes.Is(err, kubernetes.Forbidden):
		return say(preflight.Unknown, "", "this user may not see claims, so whether claim %s exists is unknown", s.Claim.Value)
	case err != nil:
		return []preflight.Result{target.FailedAs(Storage, err)}
	case there:
		return say(preflight.OK, "", "claim %s exists", s.Claim.Value)
	case !s.Storage.Made():
		return say(preflight.Failed, "create it, name another one with kubernetes.claim (`kubectl get pvc` lists them), or name a storage class with which amlfix creates it: kubernetes.storage-class",
			"there is no persistentvolumeclaim %s in %s", s.Claim.Value, c.Cluster)
	}
	classes, err := c.StorageClasses(ctx)
	next := "name one with kubernetes.storage-class: " + strings.Join(classes.Names, ", ")
	if len(classes.Names) == 0 {
		next = "ask the cluster's administrator for one, or name an existing claim with kubernetes.claim alone"
	}
	switch class := s.Storage.Class.Value; {
	case kubernetes.Is(err, kubernetes.Forbidden):
		return say(preflight.Unknown, "", "this user may not see storage classes, so whether claim %s can be created is unknown", s.Claim.Value)
	case err != nil:
		return []preflight.Result{target.FailedAs(Storage, err)}
	case !s.Storage.ByDefault() && !classes.Has(class):
		return say(preflight.Failed, next, "there is no storage class %s in %s", class, c.Context)
	case s.Storage.ByDefault() && classes.Default == "":
		return say(preflight.Failed, next, "%s has no default storage class", c.Context)
	case s.Storage.ByDefault():
		return say(preflight.OK, "", "claim %s is created when a job runs, with the default storage class %s", s.Claim.Value, classes.Default)
	default:
		return say(preflight.OK, "", "claim %s is created when a job runs, with storage class %s", s.Claim.Value, class)
	}
}
