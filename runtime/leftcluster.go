package runtime

import (
	"context"
	"path"
	"slices"
	"strings"

	engine "github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/kubernetes"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	sshjob "github.com/amlfix/amlfix/runtime/remote"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/runtime/target"
)

// ClusterLeftovers lists the jobs in a namespace of a cluster that runs of these
// projects of this machine have left, and that belong to no run whose id is in known.
// Those of others, who use the namespace too, are left out.
func ClusterLeftovers(ctx context.Context, c kubernetes.Cluster, projects []string, known []runid.ID) (list []Leftover, err error) {
	client, err := kubernetes.Connect(ctx, c, target.OwnEnvironment())
	if err != nil {
		return nil, err
	}
	jobs, err := client.Jobs(ctx)
	if err != nil {
		return nil, err
	}
	marks := map[string]string{} // to the project's folder
	for _, dir := range projects {
		if canonical, err := record.Canonical(dir); err == nil {
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
		l := Leftover{RunID: id, What: "job " + j.Metadata.Name + " in " + client.String(), Project: engine.ProjectMark(dir), drop: func(ctx context.Context) error { return client.Remove(ctx, id) }}
		l.Busy, l.Kept = inside(ctx, client, id, sshjob.ProjectName(dir))
		list = append(list, l)
	}
	return list, nil
}

// inside looks into the pod of a job: whether it is at work, and whether outputs are in it.
func inside(ctx context.Context, client *kubernetes.Client, id runid.ID, name string) (busy bool, kept string) {
	pods, err := client.Pods(ctx, kubernetes.JobName(id))
	if err != nil || len(pods) == 0 || pods[0].State().Running == nil {
		return false, ""
	}
	line := client.Line(pods[0].Metadata.Name)
	job, err := sshjob.Open(ctx, line, id, name)
	if err != nil {
		return true, ""
	}
	if len(job.Processes(ctx)) > 0 {
		return true, ""
	}
	folder := strings.TrimPrefix(job.Folder(), line.Name()+":")
	outputs := path.Join(name, project.OutputsDir)
	if job.Do(ctx, "[ -e exit ] && find './"+strings.ReplaceAll(outputs, "'", `'\''`)+"' ! -type d | grep -q .") == nil {
		return false, line.Name() + ":" + path.Join(folder, outputs)
	}
	return false, ""
}
