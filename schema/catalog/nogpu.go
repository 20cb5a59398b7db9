package catalog

var noGPUNames = load("no_gpu", func(r record) string { return normalName(Pip, r.text("name")) })

var noGPURows = lookup(noGPUNames, func(name string) string { return name })

// UsesNoGPU reports whether a package, in any PEP 503 spelling, is recorded in table no_gpu: neither it nor what it
// depends on uses a GPU. Nothing is known about packages that are not listed.
func UsesNoGPU(name string) bool {
	_, ok := noGPURows(normalName(Pip, name))
	return ok
}
