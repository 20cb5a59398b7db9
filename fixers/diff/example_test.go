package diff_test

import (
	"fmt"

	"github.com/amlfix/amlfix/fixers/diff"
)

func ExampleMasked() {
	before := "password: hunter2\ntype: localDocker\n"
	after := "password: hunter2\ntype: localdocker\n"
	fmt.Printf("%s", diff.Masked("vm.compute", []byte(before), []byte(after)))
	// Output:
	// # vm.compute: secrets are shown as *** in 1 of the lines below; --raw gives the exact bytes
	// --- a/vm.compute
	// +++ b/vm.compute
	// @@ -1,2 +1,2 @@
	//  password: ***
	// -type: localDocker
	// +type: localdocker
}
