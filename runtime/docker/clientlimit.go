package docker

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"path"
	"slices"

	"github.com/docker/docker/client"
)

// mostAnswer is how long an answer of the engine may be that is read as a whole, or a message of one that comes in
// messages. The longest honest ones list the files that a container has changed.
const mostAnswer = 64 << 20

var errAnswer = errors.New("its answer is too long")

// limitAnswers makes the requests of a client fail if an answer would fill the memory: the engine may be another
// person's. Archives and logs are never held as a whole.
func limitAnswers(api *client.Client) error {
	h := api.HTTPClient()
	h.Transport = limiting{h.Transport}
	return client.WithHTTPClient(h)(api)
}

type limiting struct{ http.RoundTripper }

func (l limiting) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := l.RoundTripper.RoundTrip(r)
	if err != nil {
		return answer, err
	}
	switch last := path.Base(r.URL.Path); {
	case slices.Contains([]string{"archive", "logs"}, last):
	default:
		answer.Body = &limited{ReadCloser: answer.Body, messages: slices.Contains([]string{"create", "push", "build"}, last)}
	}
	return answer, nil
}

// limited reads an answer up to a limit, which applies to each line if the answer comes in messages.
type limited struct {
	io.ReadCloser
	messages bool
	read     int
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p)
	l.read += n
	if end := bytes.LastIndexByte(p[:n], '\n'); l.messages && end >= 0 {
		l.read = n - end - 1
	}
	if l.read > mostAnswer {
		return 0, errAnswer
	}
	return n, err
}
