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

// index is a registry on this machine, with packages of our own in PyPI's form.
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
		"pure-demo": `{"releases": {"1.0": [{"filename": "pure_demo-1.0-py2.py3-none-any.whl", "requires_python": "<3.9"}]}}`,
		"no-json":   `<html>`,
		"empty":     `{"releases": {}}`,
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

// table rows of some Pythons, without the columns that are the same in all.
func rowsOf(out string) map[string]string {
	rows := map[string]string{}
	for line := range strings.Lines(out) {
		cells := strings.Split(strings.TrimSpace(line), ",")
		rows[cells[1]] = strings.Join(cells[2:7], ",")
		if strings.Join(cells[7:], ",") != "PyPI JSON (file list),2027-03-01,sourced" {
			rows[cells[1]] = line
		}
	}
	return rows
}

func TestRefresh(t *testing.T) {
	address := index(t)
	var out bytes.Buffer
	testkit.OK(t, run(context.Background(), []string{"-index", address, "-date", "2027-03-01", "Wheels_Demo"}, &out))
	rows := rowsOf(out.String())
	want := map[string]string{
		"2.7":  ",,,1.10,none",
		"3.7":  "2.0,2.0,,1.10,ended", // 2.0 was withdrawn
		"3.8":  "1.0,2.0,1.1;1.10,1.10,ended",
		"3.9":  "1.2,2.0,1.10,1.10,ended",
		"3.12": "1.2,2.0,,1.10,current",
		"3.14": "1.2,2.0,1.10,1.10,ended",
	}
	for python, row := range want {
		if rows[python] != row {
			t.Errorf("Python %s: %q, want %q", python, rows[python], row)
		}
	}
	out.Reset()
	testkit.OK(t, run(context.Background(), []string{"-index", address, "-date", "2027-03-01", "pure-demo"}, &out))
	if rows := rowsOf(out.String()); rows["2.7"] != "1.0,1.0,,1.0,current" || rows["3.8"] != "1.0,1.0,,1.0,current" || rows["3.9"] != ",,,1.0,none" {
		t.Errorf("%q", rows)
	}
}

func TestRefreshRefuses(t *testing.T) {
	address := index(t)
	tests := map[string][]string{
		"name one package":     {"-index", address},
		"is no day":            {"-index", address, "-date", "soon", "wheels-demo"},
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

// TestReplace: the rows of one package change, and no other byte.
func TestReplace(t *testing.T) {
	const before = "package,python\nnumpy,3.8\nwheels-demo,3.8\nwheels-demo,3.9\nwheels-demo-2,3.8\n"
	rows := [][]string{{"wheels-demo", "3.12"}}
	tests := map[string]string{
		before:                                "package,python\nnumpy,3.8\nwheels-demo,3.12\nwheels-demo-2,3.8\n",
		"package,python\r\nnumpy,\"a,b\"\r\n": "package,python\r\nnumpy,\"a,b\"\r\nwheels-demo,3.12\n",
	}
	for text, want := range tests {
		path := filepath.Join(t.TempDir(), "table.csv")
		testkit.OK(t, os.WriteFile(path, []byte(text), 0o600))
		testkit.OK(t, replace(path, "wheels-demo", rows))
		got, err := os.ReadFile(path)
		testkit.OK(t, err)
		testkit.Same(t, want, string(got))
	}
}

func TestStale(t *testing.T) {
	var out bytes.Buffer
	err := run(context.Background(), []string{"-stale", "-date", "2031-01-01"}, &out)
	if !errors.Is(err, errStale) || !strings.Contains(out.String(), "schema/catalog/tables/vm_sizes.csv:") || !strings.Contains(out.String(), "Standard_NC4as_T4_v3 was seen on ") {
		t.Errorf("%v\n%.500s", err, out.String())
	}
	if strings.Contains(out.String(), "Standard_NC6 ") {
		t.Error("a retired size is said to be current")
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
}
