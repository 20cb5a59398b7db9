package catalog

import (
	"strconv"
	"strings"
	"sync"
)

// Limit is the maximum that the service accepts for a value in a v2 file.
type Limit struct {
	// ID names the limit, Most is the maximum, and Unit is what it counts.
	ID   string
	Most int
	Unit string
	// Key is the key that holds the value; Note says when the limit applies.
	Key, Note string
	Origin
}

var (
	limitRows = load("limits", func(r record) Limit {
		return Limit{ID: r.text("id"), Most: number(r, "most"), Unit: r.text("unit"), Key: r.text("key"), Note: r.text("note"), Origin: r.origin()}
	})
	limitIndex = index(limitRows, func(l Limit) string { return l.ID })

	// endpointIndex maps sizes, as vmKey writes them, to the origins of their rows.
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

// LookupLimit returns the limit with this id, from table limits.
func LookupLimit(id string) (Limit, bool) {
	l, ok := limitIndex()[id]
	return l, ok
}

// EndpointSize reports whether Microsoft lists a size for managed online endpoints, from table endpoint_sizes. The list
// dates from the day that its source names: it lacks newer sizes and includes retired ones.
func EndpointSize(size string) (Origin, bool) {
	o, ok := endpointIndex()[vmKey(size)]
	return o, ok
}

// limitFacts answers about a v2 key, given its name or its whole path.
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
