package edit_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/edit"
	"github.com/amlfix/amlfix/fixers/proof"
	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestEveryChangeOfRealFiles sets each value, renames and removes each key and item, and adds an entry after each key
// and an item to each list of the real files. Each change is proved, or refused beforehand.
//
//testkit:norace
func TestEveryChangeOfRealFiles(t *testing.T) {
	files := testkit.Files(t, testkit.Corpus(t))
	made, refused := map[finding.Op]int{}, map[finding.Op]map[string]int{}
	for name, content := range files {
		for variant, text := range someVariants(name, content) {
			stream := document.Parse(source.New(path, text))
			if len(stream.Problems) > 0 {
				continue
			}
			for _, root := range stream.Documents {
				for _, c := range everyChange(root) {
					reason := tryChange(t, name+" ("+variant+")", stream, c)
					if reason == "" {
						made[c.Op]++
						continue
					}
					if refused[c.Op] == nil {
						refused[c.Op] = map[string]int{}
					}
					refused[c.Op][reason]++
				}
			}
		}
	}
	for op := finding.SetScalar; op <= finding.AppendItem; op++ {
		total := 0
		for reason, n := range refused[op] {
			total += n
			t.Logf("operation %d refused %d times: %s", op, n, reason)
		}
		t.Logf("operation %d: %d made and proved, %d refused", op, made[op], total)
		if made[op] < 20*total {
			t.Errorf("operation %d: %d made, %d refused: too many for real files", op, made[op], total)
		}
	}
}

// someVariants returns a text as it is and in one other form, which differs from file to file, so that all are seen in
// bearable time; without AMLFIX_THOROUGH in the environment only of every eighth file.
func someVariants(name string, content []byte) map[string][]byte {
	others := []string{"CRLF", "CRCRLF", "byte order mark", "no final newline"}
	sum := 0
	for _, b := range []byte(name) {
		sum += int(b)
	}
	other, all := others[sum%len(others)], testkit.Variants(content)
	if os.Getenv("AMLFIX_THOROUGH") == "" && sum%8 > 0 {
		return nil
	}
	return map[string][]byte{"as it is": content, other: all[other]}
}

// everyChange returns one change of each kind at each place below n.
func everyChange(n *document.Node) (list []finding.Change) {
	pointer := n.Pointer()
	if n.Parent != nil {
		list = append(list, remove(pointer))
	}
	switch n.Kind {
	case document.Scalar:
		list = append(list, set(pointer, str("new value: \"1\" # it's")), set(pointer, str("plain")), set(pointer, finding.True), set(pointer, null))
	case document.Mapping:
		list = append(list, insert(pointer, "", "new key", str("new value")))
		for _, e := range n.Entries() {
			list = append(list, insert(pointer, e.Key.Value, "newKey", finding.True), rename(e.Value.Pointer(), "newKey"))
			list = append(list, everyChange(e.Value)...)
		}
	case document.Sequence:
		list = append(list, add(pointer, str("new-item==1.0")))
		for _, item := range n.Items() {
			list = append(list, everyChange(item)...)
		}
	}
	return list
}

// tryChange makes a change and proves it; it returns why it was refused.
func tryChange(t *testing.T, name string, stream *document.Stream, c finding.Change) string {
	t.Helper()
	edits, err := edit.New(stream).Edits([]finding.Change{c})
	if refused, ok := errors.AsType[*edit.RefusedError](err); ok {
		reason, _, _ := strings.Cut(refused.Reason, ",")
		return reason
	}
	old := stream.Source.Text
	after, err := text.Apply(old, edits)
	if err == nil {
		err = proof.Check(proof.File{Path: path, Old: old, New: after, Edits: edits, Changes: []finding.Change{c}})
	}
	if err != nil {
		t.Fatalf("%s: %+v: %v", name, c, err)
	}
	return ""
}
