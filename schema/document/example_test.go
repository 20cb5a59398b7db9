package document_test

import (
	"fmt"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

func ExampleParse() {
	src := source.New("vm.compute", []byte("type: localdocker # here\nnvidiaDocker: 'true'\n"))
	stream := document.Parse(src)
	for _, e := range stream.Root().Entries() {
		at := src.Position(e.Value.Span.Start)
		fmt.Printf("%s is %s, %s, at %d:%d\n", e.Key.Pointer(), src.Slice(e.Value.Span), e.Value.Tag(), at.Line, at.Column)
	}
	fmt.Printf("%s\n", src.Slice(stream.Comments()[0]))
	// Output:
	// /type is localdocker, !!str, at 1:7
	// /nvidiaDocker is 'true', !!str, at 2:15
	// # here
}

func ExampleParse_problem() {
	stream := document.Parse(source.New("vm.compute", []byte("type: localdocker\nnvidiaDocker:true\n")))
	for _, p := range stream.Problems {
		fmt.Println(p.Message)
		for _, s := range p.Repair {
			fmt.Printf("at byte %d: %q becomes %q\n", s.Offset, s.Old, s.New)
		}
	}
	// Output:
	// missing space after the colon, so this is one long word and not a key with a value: write "key: value"
	// at byte 31: "" becomes " "
}
