package edit_test

import (
	"fmt"

	"github.com/amlfix/amlfix/fixers/edit"
	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

func ExampleEditor_Edits() {
	src := source.New("vm.compute", []byte("type: localdocker   # here\nsharedVolumes: true\n"))
	edits, err := edit.New(document.Parse(src)).Edits([]finding.Change{
		{Op: finding.InsertEntry, File: src.Path, Key: "nvidiaDocker", Value: finding.True, After: "type"},
		{Op: finding.SetScalar, File: src.Path, Pointer: "/sharedVolumes", Value: finding.False},
	})
	if err != nil {
		fmt.Println(err)
	}
	repaired, err := text.Apply(src.Text, edits)
	fmt.Printf("%s%v\n", repaired, err)
	// Output:
	// type: localdocker   # here
	// nvidiaDocker: true
	// sharedVolumes: false
	// <nil>
}
