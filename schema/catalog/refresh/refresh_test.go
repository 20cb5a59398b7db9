package main

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// index starts a local registry with made-up packages in PyPI's format, and returns its address.
func index(t *testing.T) string {
	t.Helper()
	packages := map[string]string{
		"wheels-demo": `{"info": {}, "releases": {
"0.9": [{"filename": "wheels_demo-0.9.tar.gz", "requires_python": null, "yanked": false}],
"1.0": [{"filename": "wheels_demo-1.0-cp38-cp38-manylinux1_x86_64.whl", "requires_python": ">=3.8", "yanked": false},
        {"filename": "wheels_demo-1.0-cp39-cp39-win_amd64.whl", "requires_python": ">=3.8", "yanked": false}],
"1.1": [{"filename": "wheels_demo-1.1.tar.gz", "requires_python": ">=3.8", "yanked": false}],
"1.2": [{"filename": "wheels_demo-1.2-cp38-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64.whl", "requires_python": ">=3.8", "yanked": false}],
"1.10": [{"filename": "wheels_demo-1.10-cp312-cp312-manylinux_2_28_x86_64.whl", "requires_python": ">=3.10.1", "yanked": false},
         {"filename": "wheels_demo-1.10-cp314-cp314t-manylinux_2_28_x86_64.whl", "requires_python": ">=3.10.1", "yanked": false}],
"2.0": [{"filename": "wheels_demo-2.0-py3-none-any.whl", "requires_python": null, "yanked": true}],
"2.0rc1": [{"filename": "wheels_demo-2.0rc1-py3-none-any.whl", "requires_python": null, "yanked": false}]}}`,
		"pure-demo": `{"releases": {"1.0": [{"filename": "pure_demo-1.0-py2.py3-none-any.whl", "requires_python": "<3.9"}],
"2.0": [{"filename": "pure_demo-2.0.tar.gz", "requires_python": ">=3"}]}}`,
		"ended-demo": `{"releases": {"1.0": [{"filename": "ended_demo-1.0-cp36-cp36m-manylinux1_x86_64.whl"}],
"2.0": [{"filename": "ended_demo-2.0-cp36-cp36m-win_amd64.whl"}]}}`,
		"generic-demo": `{"releases": {"1.0": [{"filename": "generic_demo-1.0-py39-none-manylinux_2_28_x86_64.whl"}]}}`,
		"no-json":      `<html>`,
		"empty":        `{"releases": {}}`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, ok := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, "/pypi/"), "/json")
		text, known := packages[name]
		switch {
		case name == "down":
			w.WriteHeader(http.StatusServiceUnavailable)
		case !ok || !known:
			w.WriteHeader(http.StatusNotFound)
		default:
			_, _ = w.Write([]byte(text))
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestRefresh(t *testing.T) {
	address := index(t)
	// 2.0 was yanked, and 2.0rc1 is not a release
	tests := map[string]string{
		"Wheels_Demo": "wheels-demo,1.10,current,2.7 <=0.9;3.4 2.0 <=0.9;3.5 2.0 <=0.9;3.6 2.0 <=0.9;3.7 2.0 <=0.9;" +
			"3.8 1.0..2.0 !1.1 !1.10 <=1.1;3.9 1.2..2.0 !1.10 <=1.1;3.10 1.2..2.0 !1.10 <=1.1;3.11 1.2..2.0 !1.10 <=1.1;" +
			"3.12 1.2..2.0 <=1.1;3.13 1.2..2.0 !1.10 <=1.1;3.14 1.2..2.0 !1.10 <=1.1;3.15 1.2..2.0 !1.10 <=1.1",
		"pure-demo": "pure-demo,2.0,current,2.7 1.0;3.4 1.0..2.0;3.5 1.0..2.0;3.6 1.0..2.0;3.7 1.0..2.0;3.8 1.0..2.0;" +
			"3.9 2.0;3.10 2.0;3.11 2.0;3.12 2.0;3.13 2.0;3.14 2.0;3.15 2.0",
		"ended-demo":   "ended-demo,2.0,ended,2.7;3.4;3.5;3.6 1.0;3.7;3.8;3.9;3.10;3.11;3.12;3.13;3.14;3.15",
		"generic-demo": "generic-demo,1.0,current,2.7;3.4;3.5;3.6;3.7;3.8;3.9 1.0;3.10 1.0;3.11 1.0;3.12 1.0;3.13 1.0;3.14 1.0;3.15 1.0",
	}
	for pkg, want := range tests {
		var out bytes.Buffer
		testkit.OK(t, run(context.Background(), []string{"-index", address, "-date", "2027-03-01", pkg}, &out))
		testkit.Same(t, want+",PyPI JSON (file list),2027-03-01,sourced\n", out.String(), "%s", pkg)
	}
}

func TestRefreshRefuses(t *testing.T) {
	address := index(t)
	tests := map[string][]string{
		"name one package":     {"-index", address},
		"is not a day":         {"-index", address, "-date", "soon", "wheels-demo"},
		"has no package":       {"-index", address, "nowhere"},
		"503":                  {"-index", address, "down"},
		"not PyPI's JSON":      {"-index", address, "no-json"},
		"lists no releases":    {"-index", address, "empty"},
		"run this at the top":  {"-index", address, "-w", "wheels-demo"},
		"flag provided but no": {"-bulk"},
	}
	for want, args := range tests {
		var out bytes.Buffer
		if err := run(context.Background(), args, &out); err == nil || !strings.Contains(err.Error(), want) || out.Len() > 0 {
			t.Errorf("%q: %v, output %q; want %q", args, err, out.String(), want)
		}
	}
	if err := run(context.Background(), []string{"-index", address, "nowhere"}, new(bytes.Buffer)); !errors.Is(err, errAbsent) {
		t.Errorf("an absent package is no errAbsent: %v", err)
	}
}

// TestReplace checks that only the row of one package changes, and no other byte.
func TestReplace(t *testing.T) {
	const before = "package,python\nnumpy,3.8\nwheels-demo,3.8\nwheels-demo-2,3.8\n"
	tests := map[string]string{
		before:                                "package,python\nnumpy,3.8\nwheels-demo,3.12\nwheels-demo-2,3.8\n",
		"package,python\r\nnumpy,\"a,b\"\r\n": "package,python\r\nnumpy,\"a,b\"\r\nwheels-demo,3.12\n",
	}
	for text, want := range tests {
		path := filepath.Join(t.TempDir(), "table.csv")
		testkit.OK(t, os.WriteFile(path, []byte(text), 0o600))
		testkit.OK(t, replace(path, []string{"wheels-demo", "3.12"}))
		got := testkit.Read(t, path)
		testkit.Same(t, want, got)
	}
}

func TestStale(t *testing.T) {
	t.Chdir("../../..")
	var out bytes.Buffer
	err := run(context.Background(), []string{"-stale", "-date", "2031-01-01"}, &out)
	if !errors.Is(err, errStale) || !strings.Contains(out.String(), "schema/catalog/tables/vm_sizes.csv:") || !strings.Contains(out.String(), "Standard_NC4as_T4_v3 was seen on ") {
		t.Errorf("%v\n%.500s", err, out.String())
	}
	if strings.Contains(out.String(), "Standard_NC6 ") {
		t.Error("a retired size is reported as current")
	}
	out.Reset()
	if err := run(context.Background(), []string{"-stale", "-date", "2020-01-01"}, &out); err != nil || out.Len() > 0 {
		t.Errorf("before any row was seen: %v\n%.500s", err, out.String())
	}
	if err := run(context.Background(), []string{"-stale", "-date", "2031-01-01", "-days", "99999"}, &out); err != nil {
		t.Errorf("nothing is that old: %v", err)
	}
	if err := run(context.Background(), []string{"-stale", "-date", "later"}, &out); err == nil {
		t.Error("a word counts as a day")
	}
	t.Chdir("schema")
	if err := run(context.Background(), []string{"-stale"}, &out); err == nil || !strings.Contains(err.Error(), "root") {
		t.Errorf("no tables: %v", err)
	}
}
