package docker

import (
	"context"
	"strings"
	"time"

	"github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/api/types/volume"
)

// StoreLabel marks the volumes that keep projects between runs, and the containers that inspect them, with their owner.
// A volume also has ProjectLabel.
const StoreLabel = "io.amlfix.store"

// volumeStart is the prefix of these volumes' names.
const volumeStart = "amlfix-project-"

// Volume is a volume that keeps a project.
type Volume struct {
	Tree    string    // its name without the common prefix
	Owner   string    // the value of its StoreLabel
	Project string    // its ProjectMark
	Made    time.Time // by the engine's clock; zero when it does not say
}

// VolumeName returns the name of a tree's volume.
func VolumeName(tree string) string { return volumeStart + tree }

func (e *engine) Volumes(ctx context.Context) (list []Volume, err error) {
	found, err := e.api.VolumeList(ctx, volume.ListOptions{Filters: filters.NewArgs(filters.Arg("label", StoreLabel))})
	if err != nil {
		return nil, e.explain(ctx, "", err)
	}
	for _, v := range found.Volumes {
		if tree, ok := strings.CutPrefix(v.Name, volumeStart); ok {
			made, _ := time.Parse(time.RFC3339, v.CreatedAt)
			list = append(list, Volume{Tree: tree, Owner: v.Labels[StoreLabel], Project: v.Labels[ProjectLabel], Made: made})
		}
	}
	return list, nil
}

func (e *engine) RemoveVolume(ctx context.Context, name string) error {
	err := e.api.VolumeRemove(ctx, name, false)
	if errdefs.IsNotFound(err) {
		return nil
	}
	return e.explain(ctx, name, err)
}
