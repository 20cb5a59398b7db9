package secret_test

import (
	"fmt"

	"github.com/amlfix/amlfix/schema/secret"
)

func ExampleHideValue() {
	fmt.Println(secret.HideValue("--index-url https://me:hunter2@pypi.example.com/simple"))
	// Output:
	// --index-url https://me:***@pypi.example.com/simple
}
