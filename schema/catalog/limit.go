package catalog

import (
	"strconv"
	"strings"
	"sync"
)

// Limit is the most that the service takes of something that a file of v2 says.
type Limit struct {
	// ID names the limit, Most is the number and Unit what is counted.
	ID   string
	Most int
	Unit string
	// Key is where a file says it; Note when the limit holds.
	Key, Note string
	Origin
}

var (
	limitRows = load("limits", func(r record) Limit {
		return Limit{ID: r.text("id"), Most: number(r, "most"), Unit: r.text("unit"), Key: r.text("key"), Note: r.text("note"), Origin: r.origin()}
	})
	limitIndex = index(limitRows, func(l Limit) string { return l.ID })

	// endpointIndex has the rows by the names of their sizes, as vmKey writes them.
	endpointIndex = sync.OnceValue(func() map[string]Origin {
		sizes := map[string]Origin{}
		for _, r := range readTable("endpoint_sizes") {
			for _, size := range r.list("sizes") {
				sizes[size] = r.origin()
			}
		}
		return sizes
	})
)

// LookupLimit finds a limit by its id, from table limits.
func LookupLimit(id string) (Limit, bool) {
	l, ok := limitIndex()[id]
	return l, ok
}

// EndpointSize reports whether Microsoft lists a size for managed online endpoints,
// from table endpoint_sizes. The list is of the day that its source names: newer
// sizes are not on it, and retired ones are.
func EndpointSize(size string) (Origin, bool) {
	o, ok := endpointIndex()[vmKey(size)]
	return o, ok
}

// limitFacts answers about a key of v2, by its name or the whole path.
func limitFacts(q question) (facts []Fact) {
	for _, l := range limitRows() {
		if !strings.EqualFold(q.word, l.Key) && !strings.HasSuffix(l.Key, "."+q.word) {
			continue
		}
		f := Fact{Subject: l.Key, Table: "limits", Origin: l.Origin}
		f.add("at most", strconv.Itoa(l.Most)+" "+l.Unit)
		f.add("note", l.Note)
		facts = append(facts, f)
	}
	return facts
}
