package runtime

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	engine "github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/kubernetes"
	"github.com/amlfix/amlfix/runtime/project"
	sshjob "github.com/amlfix/amlfix/runtime/remote"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/runtime/target"
)

// ClusterLeftovers lists the jobs in a namespace of a cluster that runs of these projects, started from this machine,
// left behind, and that belong to no run whose ID is in known. Jobs of other users of the namespace are left out.
func ClusterLeftovers(ctx context.Context, c kubernetes.Cluster, projects []string, known []runid.ID) (list []Leftover, err error) {
	client, err := kubernetes.Connect(ctx, c, target.OwnEnvironment())
	if err != nil {
		return nil, err
	}
	jobs, err := client.Jobs(ctx)
	if err != nil {
		return nil, err
	}
	marks := map[string]string{} // from a mark to the project's folder
	for _, dir := range projects {
		if canonical, err := project.Canonical(dir); err == nil {
			dir = canonical
		}
		marks[engine.ProjectMark(dir)] = dir
	}
	for _, j := range jobs {
		id, err := runid.Parse(j.Metadata.Labels[kubernetes.RunLabel])
		dir, own := marks[j.Metadata.Labels[kubernetes.ProjectLabel]]
		if err != nil || !own || slices.Contains(known, id) || j.Metadata.Name != kubernetes.JobName(id) {
			continue
		}
		l := Leftover{RunID: id, What: "job " + j.Metadata.Name + " in " + client.String(), Project: engine.ProjectMark(dir), drop: func(ctx context.Context) error { return client.Remove(ctx, id, j.Spec.Completions > 1) }}
		l.Busy, l.Kept = inside(ctx, client, id, sshjob.ProjectName(dir))
		list = append(list, l)
	}
	return list, nil
}

// ClusterClaims lists the claims that amlfix created in a namespace of a cluster. A claim that a pod uses exists until
// the pod has ended.
func ClusterClaims(ctx context.Context, c kubernetes.Cluster) (list []Leftover, err error) {
	client, err := kubernetes.Connect(ctx, c, target.OwnEnvironment())
	if err != nil {
		return nil, err
	}
	claims, err := client.Claims(ctx)
	for _, claim := range claims {
		list = append(list, Leftover{What: fmt.Sprintf("claim %s in %s (%s)", claim.Name, client.Cluster, claim.Size), drop: func(ctx context.Context) error { return client.RemoveClaim(ctx, claim.Name) }})
	}
	return list, err
}

// inside inspects the pods of a job: busy means that it is running, or may be, and kept names outputs in one of them.
func inside(ctx context.Context, client *kubernetes.Client, id runid.ID, name string) (busy bool, kept string) {
	pods, err := client.Pods(ctx, kubernetes.JobName(id))
	if err != nil {
		return true, ""
	}
	for _, pod := range pods {
		if pod.State().Running == nil {
			continue
		}
		at, there := insidePod(ctx, client.Line(pod.Metadata.Name), id, name)
		if at {
			return true, ""
		}
		kept = cmp.Or(kept, there)
	}
	return false, kept
}

func insidePod(ctx context.Context, line *kubernetes.Line, id runid.ID, name string) (busy bool, kept string) {
	job, err := sshjob.Open(ctx, line, id, name)
	if err != nil || len(job.Processes(ctx)) > 0 {
		return true, ""
	}
	folder := strings.TrimPrefix(job.Folder(), line.Name()+":")
	outputs := path.Join(name, project.OutputsDir)
	if job.Do(ctx, "[ -e exit ] && find './"+strings.ReplaceAll(outputs, "'", `'\''`)+"' ! -type d | grep -q .") == nil {
		return false, line.Name() + ":" + path.Join(folder, outputs)
	}
	return false, ""
}
