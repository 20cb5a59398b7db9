package azurecli

import (
	"bytes"
	"net/url"
	"strings"

	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/plain"
)

// watcher looks for the lines with which the CLI starts to follow a job: the job's name and its page in the studio.
// Later lines of this kind may be the job's own.
type watcher struct {
	seen  bool
	job   record.AzureML
	found func(record.AzureML) // called when more is known
	line  []byte
	long  bool
}

// lineLimit is how many bytes of a line are searched.
const lineLimit = 4096

func (w *watcher) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		part, after, ended := bytes.Cut(rest, []byte("\n"))
		rest = after
		if w.long = w.long || len(w.line)+len(part) > lineLimit; !w.long {
			w.line = append(w.line, part...)
		}
		if ended {
			w.end()
		}
	}
	return len(p), nil
}

// jobName matches what the service accepts as a job's name.
var jobName = plain.Regexp{Text: `^[A-Za-z0-9][A-Za-z0-9_-]{0,254}$`}

// end searches a line that is complete.
func (w *watcher) end() {
	line, whole := strings.TrimSpace(string(w.line)), !w.long
	w.line, w.long = w.line[:0], false
	if name, ok := strings.CutPrefix(line, "RunId:"); ok && whole && !w.seen {
		w.seen = true
		if name = strings.TrimSpace(name); jobName.Get().MatchString(name) {
			w.job.Name = name
		}
		w.found(w.job)
	}
	if page, ok := strings.CutPrefix(line, "Web View:"); ok && whole && w.seen && w.job.Studio == "" {
		if u, err := url.Parse(strings.TrimSpace(page)); err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil {
			w.job.Studio = u.String()
			w.found(w.job)
		}
	}
}
