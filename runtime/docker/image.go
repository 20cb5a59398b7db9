package docker

import (
	"context"
	"fmt"

	"github.com/amlfix/amlfix/runtime/progress"
)

// EnsureImage returns what the engine knows about an image. If the image is missing, EnsureImage pulls it with the
// login stored by the docker command. Errors are *Error or the cause of ctx.
func EnsureImage(ctx context.Context, eng Engine, ref string, say progress.Sink) (Image, error) {
	img, err := eng.Image(ctx, ref)
	if !Is(err, ImageNotFound) {
		return img, err
	}
	login, err := FindLogin(ctx, ref)
	if err != nil {
		say.Notice("%v", err)
	}
	say.Enter(progress.Preparing, "pulling image %s", ref)
	p := &pull{ref: ref, say: say, layers: map[string]Layer{}}
	if err := eng.Pull(ctx, ref, login, p.message); err != nil {
		return Image{}, err
	}
	return eng.Image(ctx, ref)
}

// pull adds up the messages about individual layers.
type pull struct {
	ref    string
	say    progress.Sink
	layers map[string]Layer
	order  []string // of the layers, in the order in which they were first named
}

func (p *pull) message(l Layer) {
	switch l.Status {
	case "Pulling fs layer", "Waiting", "Downloading", "Verifying Checksum", "Download complete", "Extracting", "Pull complete", "Already exists":
	default:
		return // "Pulling from …", "Digest: …" and other messages
	}
	known, seen := p.layers[l.ID]
	if !seen {
		p.order = append(p.order, l.ID)
	}
	if l.Status != "Downloading" { // extracting counts its bytes again
		l.Done, l.Total = known.Done, known.Total
		if l.Status != "Pulling fs layer" && l.Status != "Waiting" {
			l.Done = l.Total
		}
	}
	p.layers[l.ID] = l
	var ready int
	var done, total int64
	for _, id := range p.order {
		layer := p.layers[id]
		done, total = done+layer.Done, total+layer.Total
		if layer.Status == "Pull complete" || layer.Status == "Already exists" {
			ready++
		}
	}
	if done == 0 && total == 0 {
		return // until the first size is known
	}
	p.say.Move(fmt.Sprintf("pulling %s: %d of %d layers,", p.ref, ready, len(p.order)), done, total)
}
