package catalog

import (
	"strconv"
	"strings"
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
	limitRows  = &table[Limit]{name: "limits"}
	limitIndex = &index[string, Limit]{rows: limitRows, key: func(l Limit) string { return l.ID }}

	// endpointIndex finds families of sizes by each size, as vmKey writes it.
	endpointIndex = &groups[string, endpointSizes]{rows: &table[endpointSizes]{name: "endpoint_sizes"}, keys: func(f *endpointSizes) []string { return f.Sizes }}
)

// endpointSizes are the sizes of one family that are listed for endpoints.
type endpointSizes struct {
	Sizes []string
	Origin
}

// LookupLimit returns the limit with this id, from table limits.
func LookupLimit(id string) (Limit, bool) {
	return limitIndex.find(id)
}

// EndpointSize reports whether Microsoft lists a size for managed online endpoints, from table endpoint_sizes. The list
// dates from the day that its source names: it lacks newer sizes and includes retired ones.
func EndpointSize(size string) (Origin, bool) {
	if families := endpointIndex.find(vmKey(size)); len(families) > 0 {
		return families[0].Origin, true
	}
	return Origin{}, false
}

// limitFacts answers about a v2 key, given its name or its whole path.
func limitFacts(q question) (facts []Fact) {
	for _, l := range limitRows.all() {
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
