package shim

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"time"
)

// MetricsVariable is the environment variable that names the file to which a job's metrics are written, as an absolute
// path. Without it the modules record nothing.
const MetricsVariable = "AMLFIX_METRICS"

// MetricsFile is where that file is, slash-separated from the job's working folder. A job that logs nothing makes
// none. Any program may write to it, not only Python's.
const MetricsFile = ".amlfix/metrics.jsonl"

// Metric is one thing that a script has logged. In the file it is one line, a JSON object in ASCII with a newline at its
// end, appended by a single write, so that several processes of a job may log and a reader may follow:
//
//	{"t": 1511222333.25, "name": "loss", "value": 0.25}
//
// t is the time in seconds since 1970, name any text, and value a number, a string, or a list of values, nested where an
// array has several dimensions. True and False are 1 and 0. Numbers that JSON cannot write are the strings "NaN",
// "Infinity" and "-Infinity". A dictionary is a list of [key, value] lists. A row of a table is one metric for each
// column, called table/column; files that the script wants to keep are in outputs/ and a picture's value is its path.
type Metric struct {
	Time  time.Time
	Name  string
	Value any // float64, string or []any of these
}

// Number returns the value when it is a number, also one of those that JSON cannot write.
func (m Metric) Number() (n float64, ok bool) {
	switch v := m.Value.(type) {
	case float64:
		return v, true
	case string:
		switch v {
		case "NaN":
			return math.NaN(), true
		case "Infinity":
			return math.Inf(1), true
		case "-Infinity":
			return math.Inf(-1), true
		}
	}
	return 0, false
}

// lineLimit is how many bytes a line may have: an array of a million numbers.
const lineLimit = 32 << 20

// ReadMetrics calls each for every metric of a file, in the order in which they were logged. Lines that are none are left
// out; the error then names the first of them, and all others have still been read. A last line without its newline is
// not read: it may still be being written. read is the length in bytes of all that need not be read again, so that a
// reader can go on from there.
func ReadMetrics(r io.Reader, each func(Metric)) (read int64, err error) {
	in := bufio.NewReaderSize(r, 64<<10)
	for number := 1; ; number++ {
		line, length, rerr := readLine(in)
		if rerr != nil {
			if errors.Is(rerr, io.EOF) {
				rerr = nil
			}
			return read, errors.Join(rerr, err)
		}
		read += length
		m, derr := decode(line)
		switch {
		case derr == nil:
			each(m)
		case err == nil:
			err = fmt.Errorf("line %d of the metrics is skipped: %w", number, derr)
		}
	}
}

// readLine returns a line without its newline, cut at lineLimit, and its length in bytes with the newline.
func readLine(in *bufio.Reader) (line []byte, length int64, err error) {
	for {
		part, err := in.ReadSlice('\n')
		length += int64(len(part))
		if len(line) <= lineLimit {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSuffix(line, []byte("\n")), length, err
		}
	}
}

var errFormat = errors.New(`it does not have the form {"t": 1.0, "name": "loss", "value": 0.5}`)

func decode(line []byte) (Metric, error) {
	var raw struct {
		T     *float64 `json:"t"`
		Name  *string  `json:"name"`
		Value any      `json:"value"`
	}
	if len(line) > lineLimit {
		return Metric{}, fmt.Errorf("it is longer than %d MiB", lineLimit>>20)
	}
	if json.Unmarshal(line, &raw) != nil || raw.T == nil || raw.Name == nil || !valid(raw.Value) {
		return Metric{}, errFormat
	}
	const end = 1 << 36 // the year 4147: what follows no time.Time in nanoseconds can hold
	if *raw.T < 0 || *raw.T > end {
		return Metric{}, errFormat
	}
	whole, part := math.Modf(*raw.T)
	return Metric{Time: time.Unix(int64(whole), int64(part*1e9)).UTC(), Name: *raw.Name, Value: raw.Value}, nil
}

func valid(value any) bool {
	switch v := value.(type) {
	case float64, string:
		return true
	case []any:
		for _, item := range v {
			if !valid(item) {
				return false
			}
		}
		return true
	}
	return false
}
