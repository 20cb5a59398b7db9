package kubernetes

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/schema/requirement"
)

// Has reports whether an object exists.
func (c *Client) Has(ctx context.Context, kind, name string) (bool, error) {
	out, err := c.run(ctx, nil, "get", kind, name, "--ignore-not-found", "-o", "name")
	return strings.TrimSpace(string(out)) != "", err
}

// Node is a node that would accept a job.
type Node struct {
	GPUs   int      // offered by the node
	Arch   string   // of its processor, in Go's terms
	Images []string // present on the node
}

// Has reports whether an image is on the node.
func (n Node) Has(image string) bool {
	name := func(text string) string {
		m, err := requirement.ParseImage(text)
		if err != nil {
			return text
		}
		if m.Tag == "" && m.Digest == "" {
			m.Tag = "latest"
		}
		return m.Name() + ":" + m.Tag + "@" + m.Digest
	}
	return slices.ContainsFunc(n.Images, func(i string) bool { return name(i) == name(image) })
}

// Nodes lists the nodes that have the labels the job requires and no lasting taint that it does not tolerate.
func (c *Client) Nodes(ctx context.Context, s Spec) (list []Node, err error) {
	var nodes struct {
		Items []struct {
			Metadata Metadata
			Spec     struct {
				Unschedulable bool
				Taints        []struct{ Key, Value, Effect string }
			}
			Status struct {
				Allocatable map[string]string
				Images      []struct{ Names []string }
				NodeInfo    struct{ Architecture string }
			}
		}
	}
	if err := c.get(ctx, &nodes, "nodes"); err != nil {
		return nil, err
	}
	for _, n := range nodes.Items {
		fits := !n.Spec.Unschedulable
		for _, l := range s.Selector {
			key, value, _ := strings.Cut(l.Value, "=")
			fits = fits && n.Metadata.Labels[key] == value
		}
		for _, t := range n.Spec.Taints {
			fits = fits && (t.Effect == "PreferNoSchedule" || passing(t.Key) || tolerated(s, t.Key, t.Value, t.Effect))
		}
		if !fits {
			continue
		}
		node := Node{Arch: n.Status.NodeInfo.Architecture}
		node.GPUs, _ = strconv.Atoi(n.Status.Allocatable[GPU])
		for _, i := range n.Status.Images {
			node.Images = append(node.Images, i.Names...)
		}
		list = append(list, node)
	}
	return list, nil
}

// passing reports whether Kubernetes sets a taint while a node is in a condition that may end by itself: a pod waits
// for that, and says why.
func passing(key string) bool {
	condition, own := strings.CutPrefix(key, "node.kubernetes.io/")
	return own && slices.Contains([]string{"not-ready", "unreachable", "memory-pressure", "disk-pressure", "pid-pressure", "network-unavailable"}, condition)
}

// tolerated reports whether the job tolerates a taint. A cluster that accepts pods with extended resources makes them
// tolerate the resource's own taint.
func tolerated(s Spec, key, value, effect string) bool {
	if key == GPU && s.GPUs.Value > 0 {
		return true
	}
	return slices.ContainsFunc(s.Tolerated, func(t plan.Item) bool {
		f := toleration(t.Value)
		return f["key"] == key && (f["operator"] == "Exists" || f["value"] == value) && (f["effect"] == "" || f["effect"] == effect)
	})
}
