package docker

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/api/types/image"

	"github.com/amlfix/amlfix/schema/plain"
)

func (e *engine) Image(ctx context.Context, ref string) (Image, error) {
	i, err := e.api.ImageInspect(ctx, ref)
	if err != nil {
		return Image{}, e.explain(ctx, ref, err)
	}
	img := Image{ID: i.ID, Digests: i.RepoDigests, Size: i.Size}
	if c := i.Config; c != nil {
		img.User, img.Env, img.Dir, img.Labels, img.Entrypoint, img.Cmd = c.User, c.Env, c.WorkingDir, c.Labels, c.Entrypoint, c.Cmd
	}
	return img, nil
}

func (e *engine) Images(ctx context.Context, labels ...string) (names []string, err error) {
	with := filters.NewArgs()
	for _, l := range labels {
		with.Add("label", l)
	}
	list, err := e.api.ImageList(ctx, image.ListOptions{Filters: with})
	if err != nil {
		return nil, e.explain(ctx, "", err)
	}
	plain.SortFunc(list, func(a, b image.Summary) int { return cmp.Compare(b.Created, a.Created) })
	for _, i := range list {
		names = append(names, i.RepoTags...)
	}
	return names, nil
}

func (e *engine) RemoveImage(ctx context.Context, ref string) error {
	_, err := e.api.ImageRemove(ctx, ref, image.RemoveOptions{PruneChildren: true})
	return e.explain(ctx, ref, err)
}

// message is a line of the stream that a pull, push or build returns; an error arrives in the stream, after a
// successful status.
type message struct {
	ID       string `json:"id"`
	Status   string `json:"status"`
	Progress struct {
		Current int64 `json:"current"`
		Total   int64 `json:"total"`
	} `json:"progressDetail"`
	Stream string                  `json:"stream"`
	Aux    struct{ Digest string } `json:"aux"`
	Error  string                  `json:"error"`
}

// messages calls each for the lines of a stream about subject, and closes it. failed is the error that arrived in it.
func (e *engine) messages(ctx context.Context, subject string, stream io.ReadCloser, each func(message)) (failed string, err error) {
	defer func() { _ = stream.Close() }()
	for in := json.NewDecoder(stream); ; {
		var m message
		err := in.Decode(&m)
		switch {
		case errors.Is(err, io.EOF):
			return "", nil
		case err != nil:
			return "", e.explain(ctx, subject, err)
		case m.Error != "":
			return m.Error, nil
		}
		each(m)
	}
}

func (e *engine) Pull(ctx context.Context, ref string, login *Login, each func(Layer)) error {
	var options image.PullOptions
	var err error
	if options.RegistryAuth, err = login.header(); err != nil {
		return err
	}
	stream, err := e.api.ImagePull(ctx, ref, options)
	if err != nil {
		return e.explain(ctx, ref, err)
	}
	failed, err := e.messages(ctx, ref, stream, func(m message) {
		each(Layer{ID: m.ID, Status: m.Status, Done: m.Progress.Current, Total: m.Progress.Total})
	})
	if failed != "" {
		err = e.explain(ctx, ref, errors.New(failed))
		if Is(err, Unknown) && strings.HasSuffix(failed, "EOF") { // on the engine's own connection, these words mean something else
			return &Error{Problem: RegistryCut, Subject: ref, Said: said(failed), Err: err}
		}
	}
	return err
}

// header returns the login in the form the engine expects, or an empty string for none.
func (l *Login) header() (string, error) {
	if l == nil {
		return "", nil
	}
	text, err := json.Marshal(l) //nolint:gosec // the engine logs in with the password
	if err != nil {
		return "", fmt.Errorf("%s: the login cannot be sent: %w", l.ServerAddress, err)
	}
	return base64.URLEncoding.EncodeToString(text), nil
}

func (e *engine) Registry(ctx context.Context, ref string, login *Login) (Published, error) {
	auth, err := login.header()
	if err != nil {
		return Published{}, err
	}
	answer, err := e.api.DistributionInspect(ctx, ref, auth)
	if err != nil {
		return Published{}, e.explain(ctx, ref, err)
	}
	p := Published{Digest: answer.Descriptor.Digest.String()}
	for _, platform := range answer.Platforms {
		if platform.OS == "" || platform.OS == "unknown" { // attestations
			continue
		}
		p.Platforms = append(p.Platforms, platform.OS+"/"+platform.Architecture)
	}
	return p, nil
}

func (e *engine) Commit(ctx context.Context, id, ref string, img Image) (string, error) {
	config := &container.Config{User: img.User, Env: img.Env, WorkingDir: img.Dir, Labels: img.Labels, Entrypoint: img.Entrypoint, Cmd: img.Cmd}
	if config.Entrypoint == nil {
		config.Entrypoint = []string{} // nil would inherit the container's
	}
	made, err := e.api.ContainerCommit(ctx, id, container.CommitOptions{Reference: ref, Config: config, Comment: "made by amlfix"})
	return made.ID, e.explain(ctx, ref, err)
}
