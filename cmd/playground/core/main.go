//go:build js

// Command core is amlfix in a page: it provides the page with one function, which takes a request and returns the
// answer, both as JSON text (see package playground).
package main

import (
	"syscall/js"

	"github.com/amlfix/amlfix/cmd/internal/playground"
)

func main() {
	js.Global().Set("amlfixAnswer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(playground.Answer([]byte(args[0].String())))
	}))
	js.Global().Call("amlfixReady")
	select {} // the page makes calls from now on
}
