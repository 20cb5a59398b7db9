package mlflow

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/shim"
)

// sendMetrics sends the metrics that follow those the server has.
func (m *Mirror) sendMetrics(ctx context.Context) error {
	f, err := record.OpenMetrics(m.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if m.at < m.state.Metrics { // another program has sent these: they are only counted
		n, _ := shim.ReadMetrics(io.NewSectionReader(f, m.at, m.state.Metrics-m.at), func(x shim.Metric) { m.values(x) })
		m.at += n
	}
	var batch []metric
	var tags []pair
	n, _ := shim.ReadMetrics(io.NewSectionReader(f, m.at, 1<<62), func(x shim.Metric) {
		values := m.values(x)
		batch = append(batch, values...)
		if len(values) == 0 {
			tags = append(tags, pair{keyOf(x.Name), cut(fmt.Sprint(x.Value), tagLimit)})
		}
	})
	m.at += n
	for len(batch) > 0 || len(tags) > 0 {
		k, l := min(len(batch), batchLimit-pairLimit), min(len(tags), pairLimit)
		if err := m.client.logBatch(ctx, m.state.Run, batch[:k], nil, tags[:l]); err != nil {
			m.at, m.steps = 0, map[string]int64{} // counts everything again; the server ignores what it already has
			return err
		}
		batch, tags = batch[k:], tags[l:]
	}
	if m.state.Metrics != m.at {
		m.state.Metrics = m.at
		m.saved(m.state)
	}
	return nil
}

// values returns the numeric values of a metric, with steps that continue the previous ones. It skips values that are
// not numbers.
func (m *Mirror) values(x shim.Metric) (list []metric) {
	items, isList := x.Value.([]any)
	if !isList {
		items = []any{x.Value}
	}
	key := keyOf(x.Name)
	for _, item := range items {
		if _, ok := (shim.Metric{Value: item}).Number(); !ok {
			return nil
		}
	}
	for _, item := range items {
		list = append(list, metric{Key: key, Value: item, Timestamp: x.Time.UnixMilli(), Step: m.steps[key]})
		m.steps[key]++
	}
	return list
}
