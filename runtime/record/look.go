package record

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"time"
)

// Look is what nvidia-smi showed at one point in time while the job ran.
type Look struct {
	At   time.Time `json:"t"`
	GPUs []Card    `json:"gpus"`
}

// Card is one GPU; values that nvidia-smi did not report are -1.
type Card struct {
	Name        string `json:"name"`
	Utilisation int    `json:"utilisation"` // per cent
	Used        int64  `json:"used"`        // memory in bytes
	Total       int64  `json:"total"`       // memory in bytes
}

// AddLook appends what nvidia-smi showed, on one line.
func (r *Run) AddLook(l Look) error {
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return r.add(looksName, append(text, '\n'), "the use of the GPUs")
}

// lookLimit is the maximum length of such a line: sixty-four GPUs with long names.
const lookLimit = 64 << 10

// ReadLooks calls each for everything that nvidia-smi showed according to the record in dir, in order. There is nothing
// if no nvidia-smi was found. Invalid lines are skipped, as is everything after a line that is too long.
func ReadLooks(dir string, each func(Look)) error {
	at, err := open(dir)
	if err != nil {
		return err
	}
	defer at.Close()
	f, err := at.OpenRead(looksName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, lookLimit)
	for lines.Scan() {
		var l Look
		if json.Unmarshal(lines.Bytes(), &l) == nil && len(l.GPUs) > 0 {
			each(l)
		}
	}
	if err := lines.Err(); err != nil && !errors.Is(err, bufio.ErrTooLong) {
		return err
	}
	return nil
}
