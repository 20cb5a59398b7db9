package catalog

import (
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// serviceNames maps common names of services to their ids.
func serviceNames() map[string]string {
	return map[string]string{
		"sdk": "sdk-v1", "sdk-v1": "sdk-v1", "cli": "cli-v1", "cli-v1": "cli-v1", "adl": "data-lake-gen1", "data-lake-gen1": "data-lake-gen1",
	}
}

// releaseFacts answers about Python, Spark and CUDA themselves.
func releaseFacts(q question) (facts []Fact) {
	switch strings.ToLower(q.word) {
	case "python":
		for _, p := range pythonRows.all() {
			if q.version != "" && join(numbers(q.version), 2) != p.Version {
				continue
			}
			f := Fact{Subject: "Python " + p.Version, Table: "pythons", Origin: p.Origin}
			f.add("support", until(p.EndOfLife, q.asOf))
			facts = append(facts, f)
		}
	case "spark", "pyspark":
		for _, s := range sparkRows.all() {
			if q.version != "" && join(numbers(q.version), 2) != s.Version {
				continue
			}
			f := Fact{Subject: "Spark runtime " + s.Version, Table: "spark_runtimes", Origin: s.Origin}
			f.add("status", s.Status)
			f.add("support", until(s.EndedOn, q.asOf))
			f.add("use", s.Successor)
			facts = append(facts, f)
		}
	case "sdk", "cli", "sdk-v1", "cli-v1", "adl", "data-lake-gen1":
		s, ok := Service(serviceNames()[strings.ToLower(q.word)])
		if !ok || q.version != "" && q.version != "1" {
			return nil
		}
		f := Fact{Subject: s.ID, Table: "services", Origin: s.Origin}
		f.add("support", until(s.EndedOn, q.asOf))
		f.add("use", s.Successor)
		f.add("note", s.Note)
		facts = append(facts, f)
	case "cuda":
		d, ok := MinDriver(q.version)
		if !ok {
			return nil
		}
		f := Fact{Subject: "CUDA " + q.version, Table: "cuda_drivers", Origin: d.Origin}
		f.add("driver", d.Min+" or later, on Linux")
		if d.MinCompat != d.Min {
			f.add("at least", suffixed(d.MinCompat, ", by minor version compatibility"))
		}
		f.add("GPUs", strings.Join(GPUsFor(q.version), ", "))
		facts = append(facts, f)
	}
	return facts
}

// machineFacts answers about sizes of machines and about GPUs.
func machineFacts(q question) []Fact {
	if v, ok := VMSize(q.word); ok {
		return []Fact{sizeFact(v, q.asOf)}
	}
	g, ok := LookupGPU(q.word)
	if !ok || !strings.EqualFold(g.Model, q.word) {
		if g, ok = GPUByCapability(q.word); !ok {
			return nil
		}
	}
	f := Fact{Subject: g.Model, Table: "gpus", Origin: g.Origin}
	f.add("architecture", g.Architecture)
	f.add("capability", g.Capability)
	cuda := g.FirstCUDA + " or later"
	if g.LastCUDAMajor > 0 {
		cuda = g.FirstCUDA + " to " + amount(g.LastCUDAMajor, "")
	}
	f.add("CUDA", strings.TrimSpace(cuda))
	f.add("sizes", strings.Join(sizesWith(g.Model, q.asOf), ", "))
	return []Fact{f}
}

func sizeFact(v VM, asOf string) Fact {
	f := Fact{Subject: v.Size, Table: "vm_sizes", Origin: v.Origin}
	if !vmIndex.has(vmKey(v.Size)) {
		f.Table = "vm_series"
	}
	if v.GPU == "" {
		f.add("GPU", "none")
	} else {
		gpu := v.GPUs + " × " + v.GPU
		if v.Capability != "" {
			gpu += ", capability " + v.Capability
		}
		f.add("GPU", gpu)
	}
	f.add("GPU memory", amount(v.GPUMemoryGB, "GB"))
	f.add("memory", amount(v.MemoryGB, "GB"))
	f.add("vCPUs", strings.TrimSpace(amount(v.VCPUs, "")))
	f.add("series", v.Series)
	switch {
	case v.RetiredOn == "":
		f.add("status", v.Status)
	case PhaseOf(v.RetiredOn, asOf) >= Ended:
		f.add("status", "retired on "+v.RetiredOn)
	default:
		f.add("status", "will be retired on "+v.RetiredOn)
	}
	f.add("use", v.Replacement)
	if o, ok := EndpointSize(v.Size); ok {
		f.add("online endpoints", "listed in "+o.Source)
	}
	f.add("note", v.Note)
	return f
}

// sizesWith returns the sizes with this GPU model that are not retired on a day, smallest first.
func sizesWith(model, asOf string) (sizes []string) {
	var list []VM
	for _, v := range vmRows.all() {
		if v.GPU == model && PhaseOf(v.RetiredOn, asOf) < Ended {
			list = append(list, v)
		}
	}
	plain.SortFunc(list, func(a, b VM) int {
		if d := a.GPUMemoryGB - b.GPUMemoryGB; d != 0 {
			return d
		}
		return strings.Compare(a.Size, b.Size)
	})
	for _, v := range list {
		sizes = append(sizes, v.Size)
	}
	return sizes
}
