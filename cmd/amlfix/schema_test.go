package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/console"
	schemaformat "github.com/amlfix/amlfix/schema/format"
)

func TestSchemaKnowsEveryKind(t *testing.T) {
	list := amlfix(t, t.TempDir(), "schema")
	if got, want := strings.Count(list.out, "\n"), len(schemaformat.Kinds())+1; got != want || list.code != console.OK {
		t.Errorf("%d lines, want %d: %+v", got, want, list)
	}
	for name, want := range map[string]string{"job": "; did you mean v2-job?", "cona": "; did you mean conda?", "nothing": "; amlfix schema lists all", "runconfig": "; did you mean one of workbench-runconfig, sdk-runconfig?"} {
		if r := amlfix(t, t.TempDir(), "schema", name); r.code != console.BadUsage || !strings.Contains(r.err, want) {
			t.Errorf("%s: %+v", name, r)
		}
	}
	for _, kind := range schemaformat.Kinds() {
		title := schemaTitle(kind)
		if title == "" || !strings.Contains(list.out, "\n"+kind+" ") || !strings.Contains(list.out, title) {
			t.Errorf("%s is not listed as %q", kind, title)
		}
		r := amlfix(t, t.TempDir(), "schema", kind)
		var head struct {
			ID string `json:"$id"`
		}
		if err := json.Unmarshal([]byte(r.out), &head); err != nil || !strings.HasSuffix(head.ID, "/"+kind+".schema.json") || r.code != console.OK {
			t.Errorf("amlfix schema %s: %v, $id %q", kind, err, head.ID)
		}
	}
}
