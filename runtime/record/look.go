package record

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/amlfix/amlfix/schema/plain"
)

// Look is what nvidia-smi showed at one moment while the job ran.
type Look struct {
	At   time.Time `json:"t"`
	GPUs []Card    `json:"gpus"`
}

// Card is one GPU; what nvidia-smi did not say is -1.
type Card struct {
	Name        string `json:"name"`
	Utilisation int    `json:"utilisation"` // per cent
	Used        int64  `json:"used"`        // memory in bytes
	Total       int64  `json:"total"`       // memory in bytes
}

// AddLook appends a look at the GPUs to those that are recorded, one on a line.
func (r *Run) AddLook(l Look) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	f, err := r.at.Edit(looksName, 0o600, true)
	if err == nil {
		_, err = f.Write(append(text, '\n'))
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fmt.Errorf("%s: the use of the GPUs cannot be kept: %w", filepath.Join(r.dir, looksName), plain.Cause(err))
	}
	return nil
}

// lookLimit is how long a line of the looks may be: sixty-four GPUs with long names.
const lookLimit = 64 << 10

// ReadLooks calls each for the looks at the GPUs that the record in dir has, in their order. There are none when no
// nvidia-smi was found. What is no look is left out, and so is everything behind a line that is too long.
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
