package catalog

import (
	"strconv"
	"strings"
)

// Limit is the range that the service accepts for a number in a v2 file.
type Limit struct {
	// ID names the limit, Least and Most are the first and the last number, and Unit is what they count. A Most of 0 is
	// no maximum.
	ID          string
	Least, Most int
	Unit        string
	// Of is what the range is certain for: a sweep, a parallel job, or a deployment, perhaps only a managed one, one on
	// Kubernetes, or that of a flow. It is empty if Microsoft makes exceptions, or if others check the number.
	Of string
	// Key is the path of keys of the number; Note says when the limit applies.
	Key, Note string
	Origin
}

var (
	limitRows  = &table[Limit]{name: "limits"}
	limitIndex = &index[string, Limit]{rows: limitRows, key: func(l Limit) string { return l.ID }}

	limitsOf = &groups[string, Limit]{rows: limitRows, keys: func(l *Limit) []string { return []string{l.Of} }}

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

// LimitsOf returns the limits of a kind of job or deployment, as Limit.Of names it, from table limits.
func LimitsOf(kind string) []Limit { return limitsOf.find(kind) }

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
		if l.Least > 0 {
			f.add("at least", strconv.Itoa(l.Least))
		}
		if l.Most > 0 {
			f.add("at most", strconv.Itoa(l.Most)+" "+l.Unit)
		}
		f.add("note", l.Note)
		facts = append(facts, f)
	}
	return facts
}
