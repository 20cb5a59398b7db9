package catalog

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// NCCLSetting is a value of an NCCL environment variable that slows a job down or keeps its processes from finding each
// other.
type NCCLSetting struct {
	Variable string
	// Nodes, GPUs and InfiniBand are true if the value matters only with several machines, with several GPUs in one
	// machine, or on machines with InfiniBand.
	Nodes, GPUs, InfiniBand bool
	// Severity is info or warning.
	Severity string
	// Why says what happens, and what to write.
	Why string
	Origin
}

type ncclRow struct {
	NCCLSetting
	value, unless *plain.Regexp
}

var (
	ncclRows = &table[ncclRow]{name: "nccl", finish: func(r record, row *ncclRow) {
		row.value, row.unless = &plain.Regexp{Text: `^(?:` + r.text("value") + `)$`}, &plain.Regexp{Text: `^(?:` + r.text("unless") + `)$`}
		when := strings.Fields(r.text("when"))
		row.Nodes, row.GPUs, row.InfiniBand = slices.Contains(when, "nodes"), slices.Contains(when, "gpus"), slices.Contains(when, "infiniband")
	}}
	infinibandRows  = &table[named]{name: "infiniband", finish: func(r record, n *named) { n.Name = vmKey(r.text("size")) }}
	infinibandIndex = &index[string, named]{rows: infinibandRows, key: named.key}
)

// NCCL returns what is recorded about a value of an environment variable, from table nccl; ok is false for values that
// do no harm.
func NCCL(variable, value string) (s NCCLSetting, ok bool) {
	if !strings.HasPrefix(variable, "NCCL_") {
		return NCCLSetting{}, false
	}
	for _, row := range ncclRows.all() {
		if row.Variable == variable && row.value.Get().MatchString(value) && !row.unless.Get().MatchString(value) {
			return row.NCCLSetting, true
		}
	}
	return NCCLSetting{}, false
}

// ncclFacts answers about environment variables of NCCL.
func ncclFacts(q question) (facts []Fact) {
	for _, row := range ncclRows.all() {
		if !strings.EqualFold(row.Variable, q.word) {
			continue
		}
		f := Fact{Subject: row.Variable, Table: "nccl", Origin: row.Origin}
		f.add("values", "those that match "+inner(row.value)+prefixed(", except ", inner(row.unless)))
		f.add("effect", row.Why)
		switch {
		case row.InfiniBand:
			f.add("matters", "on several machines with InfiniBand")
		case row.Nodes:
			f.add("matters", "on several machines")
		case row.GPUs:
			f.add("matters", "on machines with several GPUs")
		}
		facts = append(facts, f)
	}
	return facts
}

// inner returns a row's expression as the table has it.
func inner(e *plain.Regexp) string {
	return strings.TrimSuffix(strings.TrimPrefix(e.Text, `^(?:`), `)$`)
}

// HasInfiniBand reports whether machines of a size are recorded to have InfiniBand, from table infiniband.
func HasInfiniBand(size string) bool { return infinibandIndex.has(vmKey(size)) }
