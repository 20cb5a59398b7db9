package shim

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"
)

// MetricsVariable is the environment variable that holds the absolute path of the file to which a job's metrics are
// written. Without it, the modules record nothing.
const MetricsVariable = "AMLFIX_METRICS"

// MetricsFile is the path of that file, slash-separated and relative to the job's working directory. A job that logs
// nothing does not create it. Any program may write to it, not only Python.
const MetricsFile = ".amlfix/metrics.jsonl"

// Metric is one value that a script has logged. In the file it is one line, a JSON object in ASCII with a newline at
// its end, appended by a single write, so that several processes of a job may log and a reader may follow:
//
//	{"t": 1511222333.25, "name": "loss", "value": 0.25}
//
// t is the time in seconds since 1970, name any text, and value a number, a string, or a list of values, nested where
// an array has several dimensions. True and False are 1 and 0. Numbers that JSON cannot write are the strings "NaN",
// "Infinity" and "-Infinity". A dictionary is a list of [key, value] lists. A row of a table is one metric for each
// column, called table/column; files that the script wants to keep are in outputs/ and a picture's value is its path.
type Metric struct {
	Time  time.Time
	Name  string
	Value any // float64, string or []any of these
}

// Number returns the value if it is a number, including those that JSON cannot represent.
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

// lineLimit is the maximum length of a line in bytes: an array of a million numbers.
const lineLimit = 32 << 20

// ReadMetrics calls each for every metric in a file, in the order in which they were logged. It skips malformed lines;
// the error names the first of them, and all others have been read. It does not read a last line without a newline,
// which may still be being written. read is the number of bytes that need not be read again, so that a reader can
// continue from there.
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

// readLine returns a line without its newline, truncated to lineLimit, and its length in bytes including the newline.
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
	const end = 1 << 36 // the year 4147: no time.Time in nanoseconds can represent later times
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
		return !slices.ContainsFunc(v, func(item any) bool { return !valid(item) })
	}
	return false
}
