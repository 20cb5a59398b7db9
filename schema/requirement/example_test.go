package requirement_test

import (
	"fmt"

	"github.com/amlfix/amlfix/schema/requirement"
)

func ExampleParsePip() {
	r, err := requirement.ParsePip("TensorFlow_GPU >=1.4, <1.5")
	fmt.Println(r.Key, r.Constraint, err)
	_, err = requirement.ParsePip("tensorflow=1.4 ?")
	fmt.Println(err)
	// Output:
	// tensorflow-gpu >=1.4, <1.5 <nil>
	// byte 15: a blank inside the item: write one requirement per item
}

func ExampleParseConda() {
	r, err := requirement.ParseConda("conda-forge::pytorch=1.4=py3.6_cuda10.1.243_cudnn7.6.3_0")
	fmt.Println(r.Channel, r.Key, r.Constraint, r.Build, err)
	// Output:
	// conda-forge pytorch =1.4 py3.6_cuda10.1.243_cudnn7.6.3_0 <nil>
}

func ExampleParseImage() {
	image, err := requirement.ParseImage("microsoft/mmlspark:plus-gpu-0.9.9")
	fmt.Println(image.Name(), image.Tag, err)
	// Output:
	// microsoft/mmlspark plus-gpu-0.9.9 <nil>
}
