package preflight

import (
	"slices"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/plain"
)

// variantWord matches the suffixes of a framework's build names, as in tensorflow-gpu and mxnet-cu90mkl.
var variantWord = plain.Regexp{Text: `-(gpu|cpu|mkl|eigen|base|python|headless|cu\d+(mkl)?|cuda\d+x?)$`}

// Framework returns the name shared by all builds of a framework, in pip and conda: "tensorflow" for tensorflow-gpu and
// tensorflow-mkl. ok is false if the catalog knows no pip builds of the package.
func Framework(pkg string) (name string, ok bool) {
	name = stem(pkg)
	ok = slices.ContainsFunc([]string{pkg, name}, func(n string) bool {
		return len(catalog.CPUVariants(catalog.Pip, n)) > 0 || len(catalog.GPUVariants(catalog.Pip, n)) > 0
	})
	return name, ok
}

func stem(pkg string) string {
	name := plain.PackageName(pkg)
	for {
		shorter := variantWord.Get().ReplaceAllString(name, "")
		if shorter == name {
			break
		}
		name = shorter
	}
	switch name {
	case "pytorch":
		return "torch"
	case "py-xgboost":
		return "xgboost"
	}
	return name
}

// has reports whether any build of a framework is installed.
func (f facts) has(framework string) bool {
	return slices.ContainsFunc(f.Names, func(name string) bool { return stem(name) == framework })
}
