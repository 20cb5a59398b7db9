package kubernetes

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Unlimited returns which limits the namespace's quota requires of every pod and the job does not set; flag is the
// option that sets one. It omits limits for which the namespace has a default.
func (c *Client) Unlimited(ctx context.Context, s Spec) (text, flag string, err error) {
	var found struct {
		Items []struct {
			Spec struct {
				Hard   map[string]string
				Limits []struct {
					Type                    string
					Default, DefaultRequest map[string]string
				}
			}
		}
	}
	if err := c.get(ctx, &found, "resourcequotas,limitranges"); err != nil {
		return "", "", err
	}
	given := map[string]bool{"cpu": s.CPUs.Value > 0, "memory": s.Memory.Value > 0}
	for _, i := range found.Items {
		for _, l := range i.Spec.Limits {
			for resource := range given {
				given[resource] = given[resource] || l.Type == "Container" && (l.Default[resource] != "" || l.DefaultRequest[resource] != "")
			}
		}
	}
	var flags, resources []string
	for resource, option := range map[string]string{"cpu": "--cpus N", "memory": "--memory SIZE"} {
		for _, i := range found.Items {
			_, limited := i.Spec.Hard["limits."+resource]
			_, requested := i.Spec.Hard["requests."+resource]
			_, plain := i.Spec.Hard[resource]
			if (limited || requested || plain) && !given[resource] && !slices.Contains(flags, option) {
				flags, resources = append(flags, option), append(resources, resource)
			}
		}
	}
	if len(flags) == 0 {
		return "", "", nil
	}
	slices.Sort(flags)
	slices.Sort(resources)
	return fmt.Sprintf("a quota of %s requires every pod to say how much %s it needs", c.Cluster, strings.Join(resources, " and ")), strings.Join(flags, " "), nil
}
