package azurecli

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestWatcher(t *testing.T) {
	for name, tt := range map[string]struct {
		said string
		seen bool
		want record.AzureML
	}{
		"usual":                {"Uploading\nRunId: calm_node_1\nWeb View: https://ml.azure.com/runs/calm_node_1\n", true, record.AzureML{Name: "calm_node_1", Studio: "https://ml.azure.com/runs/calm_node_1"}},
		"CRLF":                 {"RunId: a-1\r\nWeb View: https://x.example/a\r\n", true, record.AzureML{Name: "a-1", Studio: "https://x.example/a"}},
		"no newline":           {"RunId: a", true, record.AzureML{Name: "a"}},
		"the first counts":     {"RunId: a\nRunId: b\nWeb View: https://x/a\nWeb View: https://x/b\n", true, record.AzureML{Name: "a", Studio: "https://x/a"}},
		"an invalid name":      {"RunId: a; rm -rf /\n", true, record.AzureML{}},
		"an invalid page":      {"RunId: a\nWeb View: javascript:alert(1)\n", true, record.AzureML{Name: "a"}},
		"a page with a login":  {"RunId: a\nWeb View: https://me:word@x/\n", true, record.AzureML{Name: "a"}},
		"a page without a job": {"Web View: https://x/a\n", false, record.AzureML{}},
		"within a line":        {"see RunId: a\n", false, record.AzureML{}},
		"a long line":          {strings.Repeat(" ", lineLimit) + "RunId: a\n", false, record.AzureML{}},
		"after a long line":    {strings.Repeat("x", 2*lineLimit) + "\nRunId: a\n", true, record.AzureML{Name: "a"}},
	} {
		for _, size := range []int{1, 7, 1 << 20} {
			var last record.AzureML
			w := &watcher{found: func(j record.AzureML) { last = j }}
			for text := tt.said; text != ""; {
				n, err := w.Write([]byte(text[:min(size, len(text))]))
				testkit.OK(t, err)
				text = text[n:]
			}
			w.end()
			if w.seen != tt.seen || w.job != tt.want || last != tt.want {
				t.Errorf("%s, %d bytes at a time: %v %+v %+v", name, size, w.seen, w.job, last)
			}
		}
	}
}
