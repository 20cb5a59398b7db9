package ui_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/amlfix/amlfix/cmd/internal/ui"
)

func TestStoppable(t *testing.T) {
	if err := iotest.TestReader(ui.Stoppable(t.Context(), strings.NewReader("a longer text")), []byte("a longer text")); err != nil {
		t.Error(err)
	}
	why := errors.New("stopped")
	ctx, stop := context.WithCancelCause(t.Context())
	in, typed := io.Pipe()
	defer typed.Close()
	go func() {
		_, _ = typed.Write([]byte("half"))
		stop(why)
	}()
	if text, err := io.ReadAll(ui.Stoppable(ctx, in)); string(text) != "half" && string(text) != "" || !errors.Is(err, why) {
		t.Errorf("%q, %v", text, err)
	}
}
