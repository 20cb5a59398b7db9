package schema_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestNote counts how often a file is looked at.
func TestNote(t *testing.T) {
	const note = 63
	asked := 0
	look := func(f *schema.File) []string {
		asked++
		return []string{string(f.Source.Text), f.Kind.String()}
	}
	first := schema.Load(schema.Root{Dir: "."}, schema.Options{}).With(map[string][]byte{"a.runconfig": []byte("a: 1\n"), "b.runconfig": []byte("b: 1\n")})
	second := first.With(map[string][]byte{"a.runconfig": []byte("a: 2\n")})
	taken := *second.File("b.runconfig")
	taken.Kind = schema.CondaFile
	for _, step := range []struct {
		file  *schema.File
		text  string
		asked int
	}{
		{first.File("a.runconfig"), "a: 1\n", 1},
		{first.File("b.runconfig"), "b: 1\n", 2},
		{second.File("b.runconfig"), "b: 1\n", 2},
		{second.File("a.runconfig"), "a: 2\n", 3},
		{first.File("a.runconfig"), "a: 1\n", 3},
		{&taken, "b: 1\n", 4}, // taken for something else
		{&taken, "b: 1\n", 4},
	} {
		testkit.Same(t, []string{step.text, step.file.Kind.String()}, schema.Note(step.file, note, look))
		testkit.Same(t, step.asked, asked, "%s", step.text)
	}
}
