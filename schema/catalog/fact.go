package catalog

import (
	"slices"
	"strconv"
	"strings"
)

// Fact is what one or more rows say about one thing, worded for people. Its JSON form is a stable interface.
type Fact struct {
	// Subject names the thing, such as torch 2.3.0. Table is the table that holds its rows.
	Subject string      `json:"subject"`
	Table   string      `json:"table"`
	Values  []FactValue `json:"values"`
	Origin
}

// FactValue is one property: a short name, and a text for people.
type FactValue struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// add appends a value unless it is empty.
//
//go:noinline
func (f *Fact) add(name, text string) {
	if text != "" {
		f.Values = append(f.Values, FactValue{name, text})
	}
}

// question is a parsed query.
type question struct {
	word, version string // "torch", "2.3.0"; version may be empty
	python        string // 3.11 of "numpy 1.19.0 on python 3.11"
	asOf          string
	tables        []string // tables to answer from; all if empty
}

// of reports whether the question names the table.
func (q question) of(table string) bool { return slices.Contains(q.tables, table) }

// Facts returns what the tables say about a query: a package with or without its version (torch==2.3.0,
// tensorflow-gpu), a size of machines, a GPU, an image or a curated environment in any notation, python 3.8, spark 3.4,
// cuda 12.1. Words of a sentence around it do not matter: "what does torch 2.3.0 need?". Support and retirement are
// given as of the day asOf (2006-01-02). The result is empty if nothing is recorded.
func Facts(query, asOf string) []Fact { return FactsOf(nil, query, asOf) }

// FactsOf is like Facts but answers only from the named tables, or from all if none is named.
func FactsOf(tables []string, query, asOf string) (facts []Fact) {
	// GPU names can have several words
	facts = machineFacts(question{word: strings.TrimSpace(query), asOf: asOf})
	if len(facts) == 0 {
		for _, q := range questions(query, asOf) {
			q.tables = tables
			facts = append(facts, about(q)...)
		}
	}
	if len(tables) == 0 {
		return facts
	}
	return slices.DeleteFunc(facts, func(f Fact) bool { return !slices.Contains(tables, f.Table) })
}

// about answers a question from the first part of the catalog that has facts on it.
func about(q question) []Fact {
	for _, part := range []func(question) []Fact{releaseFacts, limitFacts, machineFacts, ncclFacts, imageFacts, packageFacts} {
		if list := part(q); len(list) > 0 {
			return list
		}
	}
	return nil
}

// fillers are words that a question may contain besides its subject.
func fillers() map[string]bool {
	return map[string]bool{
		"a": true, "about": true, "an": true, "and": true, "are": true, "can": true, "curated": true, "did": true, "do": true, "does": true, "driver": true,
		"end": true, "ended": true, "ends": true, "environment": true, "for": true, "from": true, "gone": true, "gpu": true, "gpus": true, "has": true, "have": true, "how": true, "i": true,
		"image": true, "in": true, "is": true, "it": true, "life": true, "long": true, "machine": true, "much": true, "my": true, "need": true, "needs": true, "of": true, "on": true,
		"out": true, "package": true, "release": true, "released": true, "replaces": true, "retire": true, "retired": true, "retires": true, "run": true, "runs": true, "runtime": true, "size": true,
		"support": true, "supported": true, "supports": true, "tell": true, "the": true, "to": true, "use": true, "version": true, "vm": true, "want": true,
		"was": true, "what": true, "when": true, "where": true, "which": true, "who": true, "why": true, "will": true, "with": true, "work": true, "works": true,
	}
}

// questions splits a query into its subjects, each with the version that follows it. A Python version after a package
// is a condition, not a subject.
func questions(query, asOf string) (list []question) {
	for word := range strings.FieldsSeq(query) {
		word = strings.Trim(word, `?!.,;:"'()`)
		name, version := word, ""
		if i := strings.IndexAny(word, "=<>~!"); i > 0 {
			name, version = word[:i], strings.TrimLeft(word[i:], "=<>~!")
		}
		switch last := len(list) - 1; {
		case word == "" || fillers()[strings.ToLower(word)]:
		case isVersion(word) && last >= 0 && list[last].version == "":
			list[last].version = strings.TrimPrefix(word, "v")
		default:
			list = append(list, question{word: name, version: version, asOf: asOf})
		}
	}
	if n := len(list); n > 1 && strings.EqualFold(list[n-1].word, "python") && list[n-1].version != "" {
		for i := range list[:n-1] {
			list[i].python = list[n-1].version
		}
		list = list[:n-1]
	}
	return list
}

// isVersion reports whether a word is a version and nothing else: 2.3.0, v3.11, 12.
func isVersion(word string) bool {
	word = strings.TrimPrefix(word, "v")
	return word != "" && word[0] >= '0' && word[0] <= '9' && !strings.ContainsAny(word, "/:_")
}

// FactNames returns every name that Facts knows, for suggestions.
func FactNames() []string {
	names := slices.Concat([]string{"python", "spark", "cuda", "sdk-v1", "cli-v1"}, CuratedNames(), VMSizes(),
		namesOf(buildRows.all(), func(b Build) string { return b.Package }),
		namesOf(needRows.all(), func(n CUDANeed) string { return n.Package }),
		namesOf(pypiRows.all(), func(w pypiRow) string { return w.Package }),
		namesOf(gpuRows.all(), func(g GPU) string { return g.Model }),
		namesOf(retiredRows.all(), func(p RetiredPackage) string { return p.Name }),
		namesOf(ncclRows.all(), func(r ncclRow) string { return r.Variable }),
		namesOf(repositoryRows.all(), func(r repository) string { return r.Repo }))
	slices.Sort(names)
	return slices.Compact(names)
}

// namesOf returns the names of rows; "" leaves a row out.
func namesOf[T any](rows []T, name func(T) string) (names []string) {
	for _, row := range rows {
		if n := name(row); n != "" {
			names = append(names, n)
		}
	}
	return names
}

// series writes consecutive versions as a range (3.8 to 3.12), and separates ranges with commas.
func series(versions []string) string {
	var parts []string
	for i := 0; i < len(versions); {
		j := i
		for j+1 < len(versions) && follows(versions[j], versions[j+1]) {
			j++
		}
		switch j - i {
		case 0:
			parts = append(parts, versions[i])
		case 1:
			parts = append(parts, versions[i], versions[j])
		default:
			parts = append(parts, versions[i]+" to "+versions[j])
		}
		i = j + 1
	}
	return strings.Join(parts, ", ")
}

// follows reports whether the second of two minor versions is the next one.
func follows(a, b string) bool {
	x, y := numbers(a), numbers(b)
	return len(x) == 2 && len(y) == 2 && x[0] == y[0] && y[1] == x[1]+1
}

// until returns a phrase that says when something ends or has ended.
func until(end, asOf string) string {
	if end == "" {
		return ""
	}
	verb, preposition := "ended", "on"
	if PhaseOf(end, asOf) < Ended {
		verb = "ends"
	}
	if len(end) < len("2006-01-02") {
		preposition = "in"
	}
	return verb + " " + preposition + " " + end
}

// amount returns a number with its unit, or "" for 0.
func amount(n int, unit string) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n) + " " + unit
}
