package docker

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestEndlessAnswers lets an engine, which may be another person's, send answers that do not end: the request fails
// instead of filling the memory. A pull may have any number of messages.
func TestEndlessAnswers(t *testing.T) {
	block := bytes.Repeat([]byte("a"), 1<<20)
	message := []byte(`{"status":"` + strings.Repeat("b", 1<<20) + "\"}\r\n")
	engine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Api-Version", "1.41")
		switch {
		case strings.HasSuffix(r.URL.Path, "/_ping"):
		case r.URL.Query().Get("fromImage") == "docker.io/library/long":
			for range 2 * mostAnswer / len(message) {
				_, _ = w.Write(message)
			}
		default:
			_, _ = fmt.Fprint(w, `{"Id":"`)
			for range 2 * mostAnswer / len(block) {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
			_, _ = fmt.Fprint(w, `"}`)
		}
	}))
	defer engine.Close()
	eng, err := ConnectTo("tcp://" + strings.TrimPrefix(engine.URL, "http://"))
	testkit.OK(t, err)
	defer func() { _ = eng.Close() }()
	ctx := context.Background()
	_, info := eng.Info(ctx)
	_, image := eng.Image(ctx, "x")
	for what, err := range map[string]error{"info": info, "image": image, "pull": eng.Pull(ctx, "x", nil, func(Layer) {})} {
		if err == nil || !strings.Contains(err.Error(), errAnswer.Error()) {
			t.Errorf("%s: %v", what, err)
		}
	}
	n := 0
	testkit.OK(t, eng.Pull(ctx, "long", nil, func(Layer) { n++ }))
	testkit.Same(t, 2*mostAnswer/len(message), n)
}
