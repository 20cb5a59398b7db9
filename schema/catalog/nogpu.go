package catalog

var (
	noGPURows  = load("no_gpu", func(_ record, n *named) { n.Name = normalName(Pip, n.Name) })
	noGPUIndex = lookup(noGPURows, named.key)
)

// UsesNoGPU reports whether a package, in any PEP 503 spelling, is recorded in table no_gpu: neither it nor what it
// depends on uses a GPU. Nothing is known about packages that are not listed.
func UsesNoGPU(name string) bool {
	_, ok := noGPUIndex(normalName(Pip, name))
	return ok
}
