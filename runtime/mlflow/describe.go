package mlflow

import (
	"context"
	"path"
	"strings"

	"github.com/amlfix/amlfix/runtime/record"
)

// describe sends parameters and tags that the server does not have yet.
func (m *Mirror) describe(ctx context.Context, r record.Record) error {
	var params, tags []pair
	for _, p := range parameters(r) {
		if !m.sent["param "+p.Key] {
			params = append(params, p)
		}
	}
	for _, t := range tagsOf(r) {
		if !m.sent["tag "+t.Key+"="+t.Value] {
			tags = append(tags, t)
		}
	}
	if len(params)+len(tags) == 0 {
		return nil
	}
	params, tags = params[:min(len(params), pairLimit)], tags[:min(len(tags), pairLimit)]
	if err := m.client.logBatch(ctx, m.state.Run, nil, params, tags); err != nil {
		return err
	}
	for _, p := range params {
		m.sent["param "+p.Key] = true
	}
	for _, t := range tags {
		m.sent["tag "+t.Key+"="+t.Value] = true
	}
	return nil
}

// What servers accept, in bytes. MLflow 3.17 accepts more (mlflow/utils/validation.py: MAX_PARAM_VAL_LENGTH 6000,
// MAX_TAG_VAL_LENGTH 8000, MAX_ENTITY_KEY_LENGTH 250), older versions only this much. A server counts characters, of
// which there are never more than bytes.
const (
	paramLimit = 500
	tagLimit   = 5000
	keyLimit   = 250
)

// parameters returns the run's parameters, each name once.
func parameters(r record.Record) (list []pair) {
	seen := map[string]bool{}
	for _, p := range r.Parameters() {
		if key := keyOf(p.Name); key != "" && !seen[key] {
			seen[key] = true
			list = append(list, pair{key, cut(p.Value, paramLimit)})
		}
	}
	return list
}

func tagsOf(r record.Record) (list []pair) {
	add := func(key, value string) {
		if value != "" {
			list = append(list, pair{key, cut(value, tagLimit)})
		}
	}
	add("amlfix.version", r.Program)
	if r.Git != nil {
		add("mlflow.source.git.commit", r.Git.ID)
		add("mlflow.source.git.branch", r.Git.Branch)
	}
	if r.Image != nil {
		add("amlfix.image.digest", r.Image.Digest)
		add("amlfix.image.id", r.Image.ID)
	}
	if r.GPU != nil {
		add("amlfix.gpu", r.GPU.Sentence)
	}
	add("amlfix.outcome", r.Outcome)
	add("amlfix.reason", r.Reason)
	return list
}

// keyOf returns a name that every server accepts: letters, digits, and _-. :/.
func keyOf(name string) string {
	name = strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("_-. /", c) {
			return c
		}
		return '_'
	}, name)
	if len(name) > keyLimit {
		name = name[:keyLimit] // from here on, one byte is one character
	}
	for { // MLflow refuses names that are not clean paths; trimming may expose another one
		clean := strings.Trim(path.Clean("/"+name), "/ ")
		if clean == name {
			return name
		}
		name = clean
	}
}

// cut shortens text to at most n bytes, between characters.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n-3], "") + "…"
}
