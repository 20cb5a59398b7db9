package mlflow

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/amlfix/amlfix/schema/escape"
)

// pair is a parameter or a tag.
type pair struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// metric is one value. Value is a number, or a string for numbers that JSON cannot represent.
type metric struct {
	Key       string `json:"key"`
	Value     any    `json:"value"`
	Timestamp int64  `json:"timestamp"` // in milliseconds since 1970
	Step      int64  `json:"step"`
}

// How many items the server accepts in one request: batchLimit in total, and pairLimit each for parameters and tags
// (MLflow's REST API, "Log Batch": request limits).
const (
	batchLimit = 1000
	pairLimit  = 100
)

// experimentID returns the ID of the experiment with this name, and creates it if necessary.
func (c *Client) experimentID(ctx context.Context, name string) (string, error) {
	var found struct {
		Experiment struct {
			ID string `json:"experiment_id"`
		} `json:"experiment"`
	}
	get := func() error {
		return c.call(ctx, http.MethodGet, "experiments/get-by-name", url.Values{"experiment_name": {name}}, nil, &found)
	}
	err := get()
	var no *Error
	if err == nil || !errors.As(err, &no) || no.Code != "RESOURCE_DOES_NOT_EXIST" {
		return found.Experiment.ID, err
	}
	var made struct {
		ID string `json:"experiment_id"`
	}
	err = c.call(ctx, http.MethodPost, "experiments/create", nil, map[string]string{"name": name}, &made)
	if errors.As(err, &no) && no.Code == "RESOURCE_ALREADY_EXISTS" { // another program has created it meanwhile
		err = get() // before the ID is read
		return found.Experiment.ID, err
	}
	return made.ID, err
}

// createRun creates a run and returns its ID.
func (c *Client) createRun(ctx context.Context, experiment, name string, start time.Time, tags []pair) (string, error) {
	var made run
	err := c.call(ctx, http.MethodPost, "runs/create", nil, map[string]any{"experiment_id": experiment, "run_name": name, "start_time": start.UnixMilli(), "tags": tags}, &made)
	if err == nil && !isRunName(made.Run.Info.ID) {
		err = &Error{Server: c.Name(), Status: http.StatusOK, Text: "it answers with a run that has no valid id"}
	}
	return made.Run.Info.ID, err
}

// findRun returns the ID of a run with this tag; "" if there is none.
func (c *Client) findRun(ctx context.Context, experiment string, tag pair) (string, error) {
	var found struct {
		Runs []struct {
			Info struct {
				ID string `json:"run_id"`
			} `json:"info"`
		} `json:"runs"`
	}
	filter := fmt.Sprintf("tags.`%s` = '%s'", tag.Key, tag.Value)
	err := c.call(ctx, http.MethodPost, "runs/search", nil, map[string]any{"experiment_ids": []string{experiment}, "filter": filter, "max_results": 1}, &found)
	if err != nil || len(found.Runs) == 0 || !isRunName(found.Runs[0].Info.ID) {
		return "", err
	}
	return found.Runs[0].Info.ID, nil
}

// isRunName reports whether a server's run ID can be stored and shown: MLflow's own IDs have 32 hexadecimal digits,
// those of Azure ML are names.
func isRunName(id string) bool {
	return strings.Trim(id, ".") != "" && len(id) <= 256 && !strings.ContainsAny(id, "/:") && escape.Word(id) == id
}

// run is what the server says about a run.
type run struct {
	Run struct {
		Info struct {
			ID  string `json:"run_id"`
			URI string `json:"artifact_uri"`
		} `json:"info"`
		Data struct {
			Tags []pair `json:"tags"`
		} `json:"data"`
	} `json:"run"`
}

func (c *Client) run(ctx context.Context, id string) (found run, err error) {
	err = c.call(ctx, http.MethodGet, "runs/get", url.Values{"run_id": {id}}, nil, &found)
	return found, err
}

// tag returns the value of a run's tag; "" if it has no such tag.
func (c *Client) tag(ctx context.Context, run, name string) (value string, err error) {
	found, err := c.run(ctx, run)
	for _, t := range found.Run.Data.Tags {
		if t.Key == name {
			value = t.Value
		}
	}
	return value, err
}

func (c *Client) logBatch(ctx context.Context, run string, metrics []metric, params, tags []pair) error {
	in := struct {
		Metrics []metric `json:"metrics,omitempty"`
		Params  []pair   `json:"params,omitempty"`
		Run     string   `json:"run_id"`
		Tags    []pair   `json:"tags,omitempty"`
	}{metrics, params, run, tags}
	return c.call(ctx, http.MethodPost, "runs/log-batch", nil, in, nil)
}

// errElsewhere means that a server keeps artifacts in a store for which amlfix has no credentials.
var errElsewhere = errors.New("the server stores artifacts elsewhere, so outputs/ and the log are not sent: start it with mlflow server --serve-artifacts to accept them")

// upload stores an artifact through the server.
func (c *Client) upload(ctx context.Context, artifactURI, name string, size int64, content io.Reader) error {
	at, err := url.Parse(artifactURI)
	if err != nil || at.Scheme != "mlflow-artifacts" {
		return errElsewhere
	}
	u := c.base.JoinPath("api/2.0/mlflow-artifacts/artifacts", strings.TrimPrefix(at.Path, "/"), name)
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, u.String(), content)
	if err != nil {
		return err
	}
	req.ContentLength = size
	req.Header.Set("Content-Type", "application/octet-stream")
	_, err = c.send(req)
	return err
}
