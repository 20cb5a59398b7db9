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
	"sync"
)

// shipped are the texts of the tables without literals; the program does not contain the others.
//
//go:embed tables/brings.csv tables/credentials.csv tables/dead_keys.csv tables/estimators.csv
//go:embed tables/endpoint_sizes.csv tables/limits.csv tables/log_patterns.csv
//go:embed tables/migration_defaults.csv tables/modules.csv tables/nccl.csv tables/preinstalled.csv
//go:embed tables/script_needs.csv tables/skypilot_gpus.csv tables/spark_sizes.csv
//go:embed tables/time_zones.csv tables/vm_cpus.csv tables/windows_zones.csv
var shipped embed.FS

// tables are the texts of the tables to parse. Tests read all.
var tables fs.FS = &shipped

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

//go:noinline
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

// table is the rows of a table, whose columns fill the fields of their names. As a package variable it needs no code at
// start, and neither do index and groups.
type table[T any] struct {
	name   string
	finish func(record, *T) // fills fields from several columns or in other forms; may be nil
	once   sync.Once
	rows   []T
}

// all returns the rows, which are parsed on the first call if they are not ready. Callers must not modify them.
func (t *table[T]) all() []T {
	t.once.Do(func() {
		rows, ok := ready(t.name).([]T)
		if !ok {
			records := readTable(t.name)
			rows = make([]T, len(records))
			fill(records, reflect.ValueOf(rows))
			for i := range rows {
				if t.finish != nil {
					t.finish(records[i], &rows[i])
				}
			}
		}
		t.rows = rows
	})
	return t.rows
}

// fill writes records into rows, a slice.
func fill(records []record, rows reflect.Value) {
	fields := fieldsFor(rows.Type().Elem(), records[0].columns)
	for i, r := range records {
		for column, field := range fields {
			r.set(rows.Index(i).FieldByIndex(field), column)
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

// index finds the row of a table by its key. Its first use notes where each row is, which costs a fifth of copying
// them.
type index[K comparable, T any] struct {
	rows   *table[T]
	key    func(T) K
	once   sync.Once
	places map[K]int32
}

func (x *index[K, T]) find(k K) (row T, ok bool) {
	all := x.rows.all()
	x.once.Do(func() {
		x.places = make(map[K]int32, len(all))
		for i, row := range all {
			x.places[x.key(row)] = int32(i)
		}
	})
	i, ok := x.places[k]
	if ok {
		row = all[i]
	}
	return row, ok
}

// has reports whether a row has the key.
func (x *index[K, T]) has(k K) bool {
	_, ok := x.find(k)
	return ok
}

// groups is like index, but for rows with several keys, and keys of several rows.
type groups[K comparable, T any] struct {
	rows  *table[T]
	keys  func(*T) []K
	once  sync.Once
	first map[K]int // the key's first place
	next  []place   // by number; nothing is at 0
}

// place is a row of a key, and where the key's next place is.
type place struct{ row, next int }

// find returns a list that callers may modify.
func (x *groups[K, T]) find(k K) (found []T) {
	rows := x.list(k)
	found = slices.Grow(found, len(rows)) // rows are large: they get exactly the room that they need
	for _, row := range rows {
		found = append(found, *row)
	}
	return found
}

// list is find without a copy of the rows: callers must not modify them.
func (x *groups[K, T]) list(k K) (found []*T) {
	all := x.rows.all()
	x.once.Do(func() {
		x.first, x.next = make(map[K]int, len(all)), make([]place, 1, len(all)+1)
		for i := len(all) - 1; i >= 0; i-- {
			for _, k := range x.keys(&all[i]) {
				x.next = append(x.next, place{i, x.first[k]})
				x.first[k] = len(x.next) - 1
			}
		}
	})
	for i := x.first[k]; i > 0; i = x.next[i].next {
		found = append(found, &all[x.next[i].row])
	}
	return found
}
