package rules

import (
	"fmt"
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// TestOrdinary checks that no stream that says that it has no oddities has any.
func TestOrdinary(t *testing.T) {
	words := []string{
		"name", "true", "null", "Null", "pip", "vm", "no", "y", "ON", "12", "0", "012", "1.5", "1_0", "1:30", "-", "-x", "+1", ".5", ".inf", "~", "~/x", "$file", "a:b", "a#b",
		"x,", "x;", "a b", "1,2", "0o17", "0x1f", "2017-01-02", "a\u00e9", "nvidiaDocker\uff1atrue", "nvidiaDocker:true", "99999999999999999999", `"no"`, "'1:30'", "", "<<", "[a]", "[no]", "{a: no}",
		"|\n    no:yes", "&a no", "!!str no", "yes # c", "no#c", "x # a:b", "x #",
	}
	ordinary := 0
	for _, one := range words {
		for _, other := range words {
			for _, form := range []string{"a: %s\nname: %s\n", "%s: name\n%s: name\n", "list:\n- %s\n- name: %s\n", "- %s\n- - %s\n", "? %s\n: %s\n", "{name: %s, other: %s}\n", "list:\r\n- %s\r\n- %s\r\n"} {
				src := source.New("a.yml", fmt.Appendf(nil, form, one, other))
				f := &schema.File{Source: src, Stream: document.Parse(src)}
				if !f.Stream.Ordinary() {
					continue
				}
				ordinary++
				o := odd{python: document.PyYAML, text: f}
				if o.look(f.Root()); o.oddities != (oddities{}) {
					t.Errorf("%q is ordinary, but %+v", src.Text, o.oddities)
				}
			}
		}
	}
	if ordinary < 1000 {
		t.Errorf("only %d texts are ordinary", ordinary)
	}
}
