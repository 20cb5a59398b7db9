package escape_test

import (
	"fmt"

	"github.com/amlfix/amlfix/schema/escape"
)

func Example() {
	fmt.Println("cat", escape.Word("it's here.txt"))
	fmt.Println(escape.Terminal("red: \x1b[31m"))
	// Output:
	// cat 'it'\''s here.txt'
	// red: \x1b[31m
}
