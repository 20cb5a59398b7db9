package catalog

var (
	noGPURows  = &table[named]{name: "no_gpu", finish: func(_ record, n *named) { n.Name = normalName(Pip, n.Name) }}
	noGPUIndex = &index[string, named]{rows: noGPURows, key: named.key}
)

// UsesNoGPU reports whether a package, in any PEP 503 spelling, is recorded in table no_gpu: neither it nor what it
// depends on uses a GPU. Nothing is known about packages that are not listed.
func UsesNoGPU(name string) bool { return noGPUIndex.has(normalName(Pip, name)) }
