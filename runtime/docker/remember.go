package docker

import (
	"context"
	"io"
	"sync"
	"time"
)

// Remember returns eng with a cache for one run: it does not ask again for the engine's description or for images it
// has seen, because describing itself takes an engine longer than making a container. It requests the description in
// the background at once, until ctx is cancelled. Failures are not cached, and an image is forgotten when it is pulled
// or built again. The values are shared and must not be changed. An Engine that already has a cache is returned
// unchanged.
func Remember(ctx context.Context, eng Engine) Engine {
	if _, ok := eng.(*remembering); ok {
		return eng
	}
	m := &remembering{Engine: eng}
	go func() { _, _ = m.Info(ctx) }() // a caller that needs the answer waits for it or asks again
	return m
}

type remembering struct {
	Engine
	info   memory[timed]
	images memory[Image]
}

// timed is an engine's description and when it was given.
type timed struct {
	Info
	at time.Time
}

func (m *remembering) Info(ctx context.Context) (Info, error) {
	then, err := m.info.get(ctx, "", func() (timed, error) {
		info, err := m.Engine.Info(ctx)
		return timed{info, time.Now()}, err
	})
	if err != nil {
		return Info{}, err
	}
	then.Now = then.Now.Add(time.Since(then.at)) // its clock has moved on
	return then.Info, nil
}

func (m *remembering) Image(ctx context.Context, ref string) (Image, error) {
	return m.images.get(ctx, ref, func() (Image, error) { return m.Engine.Image(ctx, ref) })
}

func (m *remembering) Pull(ctx context.Context, ref string, login *Login, each func(Layer)) error {
	defer m.images.forget(ref)
	return m.Engine.Pull(ctx, ref, login, each)
}

func (m *remembering) Build(ctx context.Context, b Build, files io.Reader, out io.Writer) error {
	m.images.forget(b.Name)
	return m.Engine.Build(ctx, b, files, out)
}

func (m *remembering) Commit(ctx context.Context, id, ref string, img Image) (string, error) {
	defer m.images.forget(ref)
	return m.Engine.Commit(ctx, id, ref, img)
}

// memory caches answers by request. A caller that asks while an answer is on its way waits for it.
type memory[T any] struct {
	mu      sync.Mutex
	answers map[string]*answer[T]
}

type answer[T any] struct {
	known chan struct{} // closed when the rest is set
	value T
	err   error
}

func (m *memory[T]) get(ctx context.Context, what string, ask func() (T, error)) (T, error) {
	m.mu.Lock()
	a, asked := m.answers[what]
	if !asked {
		if m.answers == nil {
			m.answers = map[string]*answer[T]{}
		}
		a = &answer[T]{known: make(chan struct{})}
		m.answers[what] = a
	}
	m.mu.Unlock()
	if asked {
		select {
		case <-a.known:
			return a.value, a.err
		case <-ctx.Done():
			var none T
			return none, context.Cause(ctx)
		}
	}
	a.value, a.err = ask()
	if a.err != nil {
		m.forget(what)
	}
	close(a.known)
	return a.value, a.err
}

func (m *memory[T]) forget(what string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.answers, what)
}
