package kubernetes

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/secret"
)

// SecretManifest returns the secret with the job's secret variables, field by field; nil if there are none. owner is
// the uid of the run's job, with which the cluster removes the secret; empty: it is not known yet.
func (s Spec) SecretManifest(owner string) []Set {
	if len(s.Secrets) == 0 {
		return nil
	}
	var list fields
	list.add("v1", always, "apiVersion")
	list.add("Secret", always, "kind")
	list.add("Opaque", always, "type")
	list.add(JobName(s.RunID), ofRun, "metadata", "name")
	list.label(Managed, RunLabel+"="+s.RunID.String())
	for _, f := range [][2]string{{"apiVersion", "batch/v1"}, {"kind", "Job"}, {"name", JobName(s.RunID)}, {"uid", owner}} {
		if owner != "" {
			list.add(f[1], always, "metadata", "ownerReferences", "0", f[0])
		}
	}
	for _, v := range s.Secrets {
		list.add(base64.StdEncoding.EncodeToString([]byte(v.Value)), v.Origin, "data", v.Name)
		list[len(list)-1].shown = secret.Mask
	}
	return list
}

// secrets passes the secret variables to the container.
func (s Spec) secrets(in func(value any, o plan.Origin, keys ...string)) {
	if len(s.Secrets) > 0 {
		in(JobName(s.RunID), ofRun, "envFrom", "0", "secretRef", "name")
	}
}

// createSecret creates the secret of an existing job, which owns it: the secret is removed with the job, whoever
// removes the job.
func (c *Client) createSecret(ctx context.Context, s Spec, owner string) error {
	if len(s.Secrets) == 0 {
		return nil
	}
	_, err := c.run(ctx, bytes.NewReader(toJSON(s.SecretManifest(owner))), "create", "-f", "-")
	return err
}

// removeSecret removes the secret of a run; a user without that right cannot have created one.
func (c *Client) removeSecret(ctx context.Context, id runid.ID) error {
	_, err := c.run(ctx, nil, "delete", "secret", JobName(id), "--ignore-not-found", "--wait=false")
	if err == nil || Is(err, Forbidden) {
		return nil
	}
	return fmt.Errorf("secret %s in %s cannot be removed: %w", JobName(id), c.Cluster, err)
}

// unready reports whether a container waits only for the run's secret, which is created after the job, or for a volume
// folder that another pod is creating at the same time. In both cases the node tries again.
func unready(why string) bool {
	return strings.HasPrefix(why, "CreateContainerConfigError") && (strings.Contains(why, `secret "`+jobStart) || strings.Contains(why, "create subPath directory"))
}

// SecretType returns the type of a secret, without reading its content. The error is an *Error, with NotFound if there
// is no such secret.
func (c *Client) SecretType(ctx context.Context, name string) (string, error) {
	out, err := c.run(ctx, nil, "get", "secret", name, "-o", "jsonpath={.type}")
	return strings.TrimSpace(string(out)), err
}
