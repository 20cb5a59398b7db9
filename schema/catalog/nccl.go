package catalog

import (
	"regexp"
	"strings"
	"sync"
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
	value, unless func() *regexp.Regexp
}

var (
	ncclRows = load("nccl", func(r record) ncclRow {
		whole := func(column string) func() *regexp.Regexp {
			return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:` + r.text(column) + `)$`) })
		}
		when := " " + r.text("when") + " "
		return ncclRow{value: whole("value"), unless: whole("unless"), NCCLSetting: NCCLSetting{
			Variable: r.text("variable"), Severity: r.text("severity"), Why: r.text("why"), Origin: r.origin(),
			Nodes: strings.Contains(when, " nodes "), GPUs: strings.Contains(when, " gpus "), InfiniBand: strings.Contains(when, " infiniband "),
		}}
	})
	infinibandRows  = load("infiniband", func(r record) string { return vmKey(r.text("size")) })
	infinibandIndex = index(infinibandRows, func(size string) string { return size })
)

// NCCL returns what is recorded about a value of an environment variable, from table nccl; ok is false for values that
// do no harm.
func NCCL(variable, value string) (s NCCLSetting, ok bool) {
	if !strings.HasPrefix(variable, "NCCL_") {
		return NCCLSetting{}, false
	}
	for _, row := range ncclRows() {
		if row.Variable == variable && row.value().MatchString(value) && !row.unless().MatchString(value) {
			return row.NCCLSetting, true
		}
	}
	return NCCLSetting{}, false
}

// HasInfiniBand reports whether machines of a size are recorded to have InfiniBand, from table infiniband.
func HasInfiniBand(size string) bool {
	_, ok := infinibandIndex()[vmKey(size)]
	return ok
}
