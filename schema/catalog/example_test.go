package catalog_test

import (
	"fmt"

	"github.com/amlfix/amlfix/schema/catalog"
)

func Example() {
	build, ok := catalog.FrameworkBuild("tensorflow-gpu", "1.4.1")
	fmt.Println(build.Pythons, "CUDA", build.CUDA, "cuDNN", build.CUDNN, ok)
	_, ok = catalog.FrameworkBuild("tensorflow-gpu", "99.0")
	fmt.Println(ok)
	// Output:
	// [2.7 3.3 3.4 3.5 3.6] CUDA 8.0 cuDNN 6 true
	// false
}
