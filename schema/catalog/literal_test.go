package catalog

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"io"
	"io/fs"
	"os"
	"path"
	"reflect"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

var update = flag.Bool("update", false, "write literals.go again")

// Tests read the tables themselves; only TestLiteralsAreFresh reads the literals.
func TestMain(m *testing.M) {
	ready = func(string) any { return nil }
	tables = os.DirFS(".")
	os.Exit(m.Run())
}

// inLint returns the tables that a lint may read and that consist of texts and numbers.
func inLint() []struct {
	name string
	rows any
} {
	return []struct {
		name string
		rows any
	}{
		{"azureml_mlflow", mlflowRows.all()},
		{"cntk", cntkRows.all()},
		{"communicators", communicatorRows.all()},
		{"conda_builds", flavouredRows.all()},
		{"conflicts", conflictRows.all()},
		{"cuda_drivers", driverRows.all()},
		{"cuda_needs", needRows.all()},
		{"curated", curatedRows.all()},
		{"frameworks", buildRows.all()},
		{"gpus", gpuRows.all()},
		{"images", imageRows.all()},
		{"infiniband", infinibandRows.all()},
		{"kernels", kernelRows.all()},
		{"lists", listRows.all()},
		{"misspelt", misspeltRows.all()},
		{"namesakes", namesakeRows.all()},
		{"no_gpu", noGPURows.all()},
		{"package_variants", variantRows.all()},
		{"packages", packageRows.all()},
		{"public_tokens", publicTokenRows.all()},
		{"python_wheels", pypiRows.all()},
		{"pythons", pythonRows.all()},
		{"removed_tags", removedTagRows.all()},
		{"repositories", repositoryRows.all()},
		{"retired_packages", retiredRows.all()},
		{"secret_shapes", secretShapeRows.all()},
		{"services", serviceRows.all()},
		{"source_only", sourceRows.all()},
		{"spark_runtimes", sparkRows.all()},
		{"stdlib", stdlibRows.all()},
		{"systems", systemRows.all()},
		{"vm_families", familyRows.all()},
		{"vm_series", vmSeriesRows.all()},
		{"vm_sizes", vmRows.all()},
		{"wheel_indexes", indexRows.all()},
		{"wheels", wheelRows.all()},
	}
}

// TestLiteralsAreFresh compares literals.go with the tables.
func TestLiteralsAreFresh(t *testing.T) {
	var vars, cases bytes.Buffer
	var summaries []Table
	for _, table := range inLint() {
		name := strings.ReplaceAll(table.name, "_", "") + "Literal"
		fmt.Fprintf(&cases, "case %q:\nreturn %s\n", table.name, name)
		fmt.Fprintf(&vars, "\nvar %s = ", name)
		literalOf(&vars, reflect.ValueOf(table.rows), true)
		vars.WriteString("\n")
		summaries = append(summaries, summary(table.name))
	}
	vars.WriteString("\n// summaries describe the tables above.\nvar summaries = ")
	literalOf(&vars, reflect.ValueOf(summaries), true)
	text := "// Code generated from the tables by \"go generate\"; DO NOT EDIT.\n\npackage catalog\n\n" +
		"// literal returns the rows of a table; nil where they are to be parsed.\n" +
		"func literal(table string) any {\nswitch table {\n" + cases.String() + "}\nreturn nil\n}\n" + vars.String()
	want, err := format.Source([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if *update {
		testkit.OK(t, os.WriteFile("literals.go", want, 0o644))
	}
	got := testkit.Read(t, "literals.go")
	testkit.Same(t, string(want), got, "literals.go is stale: run go generate")
}

// TestTextsAreShipped checks that the program contains the text of each table without a literal, and no other.
func TestTextsAreShipped(t *testing.T) {
	files, err := fs.Glob(tables, "tables/*.csv")
	testkit.OK(t, err)
	for _, file := range files {
		_, err := fs.Stat(shipped, file)
		if ready := literal(strings.TrimSuffix(path.Base(file), ".csv")) != nil; ready == (err == nil) {
			t.Errorf("%s: has a literal: %v; its text is embedded: %v", file, ready, err == nil)
		}
	}
}

// literalOf writes a value as a Go expression, with its type if typed is true.
func literalOf(w io.Writer, v reflect.Value, typed bool) {
	name := ""
	if typed {
		name = strings.ReplaceAll(v.Type().String(), "catalog.", "")
	}
	switch v.Kind() {
	case reflect.Struct:
		_, _ = fmt.Fprintf(w, "%s{", name)
		for i := range v.NumField() {
			if field := v.Field(i); !field.IsZero() {
				_, _ = fmt.Fprintf(w, "%s: ", v.Type().Field(i).Name)
				literalOf(w, field, true)
				_, _ = io.WriteString(w, ", ")
			}
		}
		_, _ = io.WriteString(w, "}")
	case reflect.Slice, reflect.Array:
		_, _ = fmt.Fprintf(w, "%s{", name)
		for i := range v.Len() {
			if v.Len() > 4 {
				_, _ = io.WriteString(w, "\n")
			}
			literalOf(w, v.Index(i), false)
			_, _ = io.WriteString(w, ",")
		}
		if v.Len() > 4 {
			_, _ = io.WriteString(w, "\n")
		}
		_, _ = io.WriteString(w, "}")
	case reflect.String:
		_, _ = fmt.Fprintf(w, "%q", v.String())
	case reflect.Bool:
		_, _ = fmt.Fprint(w, v.Bool())
	case reflect.Int:
		_, _ = fmt.Fprint(w, v.Int())
	default:
		panic(fmt.Sprintf("%s is neither text nor number", v.Type()))
	}
}
