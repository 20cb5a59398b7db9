package catalog

var noGPUNames = load("no_gpu", func(r record) string { return normalName(Pip, r.text("name")) })

var noGPURows = index(noGPUNames, func(name string) string { return name })

// UsesNoGPU reports whether a package, in any PEP 503 spelling, is recorded to use no
// GPU itself and to bring nothing along that does, from table no_gpu. Of others that is
// not known.
func UsesNoGPU(name string) bool {
	_, ok := noGPURows()[normalName(Pip, name)]
	return ok
}
