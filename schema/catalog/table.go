package catalog

import (
	"cmp"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// shipped are the texts of the tables without literals; the program does not contain the others.
//
//go:embed tables/credentials.csv tables/curated.csv tables/dead_keys.csv tables/estimators.csv
//go:embed tables/endpoint_sizes.csv tables/limits.csv tables/log_patterns.csv
//go:embed tables/migration_defaults.csv tables/nccl.csv tables/preinstalled.csv
//go:embed tables/script_needs.csv tables/skypilot_gpus.csv tables/spark_sizes.csv
//go:embed tables/time_zones.csv tables/vm_cpus.csv tables/vm_series.csv
var shipped embed.FS

// tables are the texts of the tables to parse. Tests read all.
var tables fs.FS = shipped

// Certainty says how far a row can be trusted.
type Certainty string

const (
	// Sourced rows were checked at the place that Source names.
	Sourced Certainty = "sourced"
	// GeneralKnowledge rows were written without a source; Source names where to check them.
	GeneralKnowledge Certainty = "general knowledge"
)

// Origin says where a row comes from. A verdict that rests on the row should pass it on.
type Origin struct {
	Source string `json:"source"`
	// Seen is the day (2006-01-02) on which the row was last compared with Source, or written.
	Seen      string    `json:"seen"`
	Certainty Certainty `json:"certainty"`
}

// record is one row of a table, addressed by column name.
type record struct {
	table   string
	line    int
	columns []string
	cells   []string
}

// text returns the cell of a column. Tables ship with the program, so a wrong name is a bug and panics.
func (r record) text(column string) string {
	i := slices.Index(r.columns, column)
	if i < 0 {
		panic(fmt.Sprintf("catalog: %s.csv has no column %q", r.table, column))
	}
	return r.cells[i]
}

// set writes the cell of a column into a field. Other kinds of fields than those here are not the cell as it is.
func (r record) set(field reflect.Value, column int) {
	cell := r.cells[column]
	switch field.Kind() {
	case reflect.String:
		field.SetString(cell)
	case reflect.Bool:
		if cell != "yes" && cell != "no" {
			panic(fmt.Sprintf("catalog: %s.csv:%d: %s is %q, want yes or no", r.table, r.line, r.columns[column], cell))
		}
		field.SetBool(cell == "yes")
	case reflect.Int:
		n, err := strconv.Atoi(cmp.Or(cell, "0"))
		if err != nil {
			panic(fmt.Sprintf("catalog: %s.csv:%d: %s: %v", r.table, r.line, r.columns[column], err))
		}
		field.SetInt(int64(n))
	case reflect.Slice:
		field.Set(reflect.ValueOf(list(cell)))
	default:
	}
}

// list returns the values of a cell, which semicolons separate, nil when the cell is empty.
func list(cell string) []string {
	if cell == "" {
		return nil
	}
	return strings.Split(cell, ";")
}

func (r record) origin() Origin {
	return Origin{Source: r.text("source"), Seen: r.text("seen"), Certainty: Certainty(r.text("certainty"))}
}

func readTable(name string) []record { return readTableOf(tables, name) }

// readTableOf parses one table in a folder.
func readTableOf(folder fs.FS, name string) []record {
	f, err := folder.Open("tables/" + name + ".csv")
	if err != nil {
		panic(fmt.Sprintf("catalog: %v", err))
	}
	defer f.Close() //nolint:errcheck // only read from
	var text strings.Builder
	if info, err := f.Stat(); err == nil {
		text.Grow(int(info.Size()))
	}
	if _, err := io.CopyBuffer(&text, f, make([]byte, 4096)); err != nil {
		panic(fmt.Sprintf("catalog: %s.csv: %v", name, err))
	}
	all := cells(text.String())
	records := make([]record, 0, len(all)-1)
	for i, cells := range all[1:] {
		records = append(records, record{table: name, line: i + 2, columns: all[0], cells: cells})
	}
	return records
}

// ready returns the rows of a table as Go literals, or nil if it has none. Tests read the tables themselves.
var ready = literal

// load returns a function that returns the rows of a table, which it parses on its first call if they are not ready:
// columns fill the fields of their names, and finish fills fields from several columns or in other forms. Callers must
// not modify the rows.
func load[T any](name string, finish ...func(record, *T)) func() []T {
	rows := plain.Once(func() any { // not []T, for which it would be compiled again
		if rows, ok := ready(name).([]T); ok {
			return rows
		}
		records := readTable(name)
		rows := make([]T, len(records))
		fill(records, reflect.TypeFor[T](), func(i int) reflect.Value { return reflect.ValueOf(&rows[i]).Elem() })
		for _, f := range finish {
			for i, r := range records {
				f(r, &rows[i])
			}
		}
		return rows
	})
	return func() []T { return rows().([]T) } //nolint:forcetypeassert // Once has no other
}

// fill writes records into rows of a type.
func fill(records []record, typ reflect.Type, row func(i int) reflect.Value) {
	fields := fieldsFor(typ, records[0].columns)
	for i, r := range records {
		for column, field := range fields {
			r.set(row(i).FieldByIndex(field), column)
		}
	}
}

// fieldsFor maps columns, by their numbers, to the fields of a row: column gpu_memory_gb is field GPUMemoryGB, unless a
// field's tag names the column.
func fieldsFor(row reflect.Type, columns []string) map[int][]int {
	fields := map[int][]int{}
	for _, field := range reflect.VisibleFields(row) {
		column := cmp.Or(field.Tag.Get("column"), field.Name)
		i := slices.IndexFunc(columns, func(c string) bool { return c == column || strings.EqualFold(strings.ReplaceAll(c, "_", ""), column) })
		if i >= 0 && field.IsExported() {
			fields[i] = field.Index
		}
	}
	return fields
}

// lookup returns a function that finds a row by its key. Its first call notes where each row is, which costs a fifth of
// copying them.
func lookup[K comparable, T any](rows func() []T, key func(T) K) func(K) (T, bool) {
	places := plain.Once(func() map[K]int32 {
		all := rows()
		m := make(map[K]int32, len(all))
		for i, row := range all {
			m[key(row)] = int32(i)
		}
		return m
	})
	return func(k K) (row T, ok bool) {
		i, ok := places()[k]
		if ok {
			row = rows()[i]
		}
		return row, ok
	}
}

// group is like lookup, but for rows with several keys, and keys of several rows. Callers may modify the list.
func group[K comparable, T any](rows func() []T, keys func(*T) []K) func(K) []T {
	places := plain.Once(func() map[K][]int32 {
		all := rows()
		m := make(map[K][]int32, len(all))
		for i := range all {
			for _, k := range keys(&all[i]) {
				m[k] = append(m[k], int32(i))
			}
		}
		return m
	})
	return func(k K) []T {
		indexes := places()[k]
		if len(indexes) == 0 {
			return nil
		}
		found := make([]T, len(indexes))
		for n, i := range indexes {
			found[n] = rows()[i]
		}
		return found
	}
}
