package kubernetes

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/amlfix/amlfix/schema/plain"
)

// Excess is a limit of the namespace that has no room for a job.
type Excess struct {
	Text  string
	Never bool // there is no room either when other jobs have ended
}

// wish is what a job needs of a resource: each of its pods, and all together.
type wish struct{ pod, job float64 }

// wishes are what the job needs, by the names that quotas have for it.
func (s Spec) wishes() map[string]wish {
	pods := float64(s.Pods())
	list := map[string]wish{"count/jobs.batch": {job: 1}}
	set := func(w wish, names ...string) {
		for _, name := range names {
			list[name] = w
		}
	}
	each := func(n float64) wish { return wish{n, n * pods} }
	set(wish{job: pods}, "pods", "count/pods")
	set(wish{job: float64(min(1, s.Pods()-1))}, "services", "count/services")
	set(wish{job: float64(min(1, len(s.Secrets)))}, "secrets", "count/secrets")
	set(each(float64(s.GPUs.Value)), GPU, "requests."+GPU)
	set(each(float64(s.Memory.Value)), "memory", "requests.memory", "limits.memory")
	set(each(s.CPUs.Value), "cpu", "requests.cpu", "limits.cpu")
	return list
}

// Exceeded says which quotas and limits of the namespace have no room for the job.
func (c *Client) Exceeded(ctx context.Context, s Spec) (list []Excess, err error) {
	var found struct {
		Items []struct {
			Metadata Metadata
			Status   struct{ Hard, Used map[string]string }
			Spec     struct {
				Limits []struct {
					Type string
					Max  map[string]string
				}
			}
		}
	}
	err = c.get(ctx, &found, "resourcequotas,limitranges")
	if Is(err, Forbidden) { // one of the two, perhaps
		err = c.get(ctx, &found, "resourcequotas")
	}
	if err != nil {
		return nil, err
	}
	wishes := s.wishes()
	for _, name := range slices.Sorted(maps.Keys(wishes)) {
		w := wishes[name]
		for _, i := range found.Items {
			hard, ok := plain.Quantity(i.Status.Hard[name])
			used, _ := plain.Quantity(i.Status.Used[name])
			if ok && w.job > 0 && used+w.job > hard {
				list = append(list, Excess{fmt.Sprintf("quota %s of %s allows %s %s, of which %s are in use, and the job needs %s",
					i.Metadata.Name, c.Cluster, i.Status.Hard[name], name, i.Status.Used[name], written(w.job)), w.job > hard})
			}
			for _, l := range i.Spec.Limits {
				if most, ok := plain.Quantity(l.Max[name]); ok && w.pod > most && (l.Type == "Container" || l.Type == "Pod") {
					list = append(list, Excess{fmt.Sprintf("limit range %s of %s allows a pod %s %s, and the job needs %s", i.Metadata.Name, c.Cluster, l.Max[name], name, written(w.pod)), true})
				}
			}
		}
	}
	return list, nil
}

// written writes a number as Kubernetes does.
func written(n float64) string {
	for _, unit := range []string{"Gi", "Mi"} {
		one, _ := plain.Quantity("1" + unit)
		if scaled := n / one; scaled >= 1 && scaled == float64(int64(scaled)) {
			return strconv.FormatFloat(scaled, 'f', -1, 64) + unit
		}
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}
