package proof_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/diff"
	"github.com/amlfix/amlfix/fixers/proof"
	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

const path = "f.yml"

// replace returns the edit that replaces the only occurrence of old.
func replace(t *testing.T, in, old, new string) text.Edit {
	t.Helper()
	if strings.Count(in, old) != 1 {
		t.Fatalf("%q is not once in %q", old, in)
	}
	at := strings.Index(in, old)
	return text.Edit{Span: source.Span{Start: at, End: at + len(old)}, New: new}
}

var (
	setImage = finding.Change{Op: finding.SetScalar, File: path, Pointer: "/image", Value: finding.Text("gpu:1")}
	addGPU   = finding.Change{Op: finding.InsertEntry, File: path, After: "image", Key: "gpu", Value: finding.True}
	dropPort = finding.Change{Op: finding.RemoveEntry, File: path, Pointer: "/port"}
	dropPip  = finding.Change{Op: finding.RemoveEntry, File: path, Pointer: "/pip/0"}
	addPip   = finding.Change{Op: finding.AppendItem, File: path, Pointer: "/pip", Value: finding.Text("z")}
	addFirst = finding.Change{Op: finding.AppendItem, File: path, Pointer: "/pip", After: "0", Value: finding.Text("z")}
	newNote  = finding.Change{Op: finding.InsertComment, File: path, Offset: 34, Value: finding.Text("# note")}
	reword   = finding.Change{Op: finding.EditComment, File: path, Offset: 22, Old: "# the image", Value: finding.Text("# its image")}
	dropNote = finding.Change{Op: finding.EditComment, File: path, Offset: 22, Old: "# the image"}
	dropTop  = finding.Change{Op: finding.EditComment, File: path, Offset: 0, Old: "# top"}
	noNote   = finding.Change{Op: finding.EditComment, File: path, Offset: 20, Old: "  "}
	rename   = finding.Change{Op: finding.RenameKey, File: path, Pointer: "/port", Key: "sshPort"}
)

const before = "# top\nimage: \"cpu:1\"  # the image\nport: 22 # ssh\n# list\npip:\n  - x # first\n  - y\n"

// wrong is an editor that goes wrong: the replacements it makes, old and new text in turn, and the clause that must
// refuse it; "" for the editor that is right.
type wrong struct {
	name    string
	change  finding.Change
	replace []string
	clause  string
}

func TestWrongEditors(t *testing.T) {
	for _, c := range []wrong{
		{"right: set", setImage, []string{`"cpu:1"`, `"gpu:1"`}, ""},
		{"right: set, edit as large as the line", setImage, []string{"image: \"cpu:1\"  # the image\n", "image: \"gpu:1\"  # the image\n"}, ""},
		{"does nothing", setImage, nil, proof.Values},
		{"another value", setImage, []string{`"cpu:1"`, `"gpu:2"`}, proof.Values},
		{"another type", addGPU, []string{"port", "gpu: \"true\"\nport"}, proof.Values},
		{"one byte too many, a space", setImage, []string{`"cpu:1" `, `"gpu:1"`}, proof.Bytes},
		{"one byte too many, the quote", setImage, []string{`"cpu:1"`, `"gpu:1`}, proof.Parses},
		{"one byte too many, the colon", setImage, []string{`: "cpu:1"`, ` "gpu:1"`}, proof.Parses},
		{"a space more", setImage, []string{`"cpu:1"`, ` "gpu:1"`}, proof.Bytes},
		{"changed quotes", setImage, []string{`"cpu:1"`, `'gpu:1'`}, proof.Bytes},
		{"no quotes", setImage, []string{`"cpu:1"`, `gpu:1`}, proof.Bytes},
		{"changed quotes elsewhere", setImage, []string{`"cpu:1"`, `"gpu:1"`, "- y", "- 'y'"}, proof.Bytes},
		{"swallowed comment", setImage, []string{`"cpu:1"  # the image`, `"gpu:1"`}, proof.Bytes},
		{"swallowed comment above", setImage, []string{"# top\nimage: \"cpu:1\"", `image: "gpu:1"`}, proof.Bytes},
		{"changed comment", setImage, []string{`"cpu:1"  # the image`, `"gpu:1"  # The image`}, proof.Bytes},
		{"lost line end", setImage, []string{`"cpu:1"`, `"gpu:1"`, "  - y\n", "  - y"}, proof.Bytes},
		{"a second key touched", setImage, []string{`"cpu:1"`, `"gpu:1"`, "22", "23"}, proof.Values},
		{"a second key gone", setImage, []string{`"cpu:1"`, `"gpu:1"`, "port: 22 # ssh\n", ""}, proof.Values},
		{"order swapped", setImage, []string{"image: \"cpu:1\"  # the image\nport: 22 # ssh\n", "port: 22 # ssh\nimage: \"gpu:1\"  # the image\n"}, proof.Values},
		{"order of items swapped", setImage, []string{`"cpu:1"`, `"gpu:1"`, "x # first", "y # first", "y\n", "x\n"}, proof.Values},
		{"rewritten", setImage, []string{before, "image: \"gpu:1\"\nport: 22\npip:\n- x\n- y\n"}, proof.Bytes},

		{"right: a comment above", newNote, []string{"port", "# note\nport"}, ""},
		{"right: a comment above, indented", newNote, []string{"port", "  # note\nport"}, ""},
		{"a comment at the end", newNote, []string{"# the image", "# note the image"}, proof.Bytes},
		{"a comment elsewhere", newNote, []string{"# list", "# note\n# list"}, proof.Bytes},
		{"another comment", newNote, []string{"port", "# not\nport"}, proof.Bytes},
		{"two comments", newNote, []string{"port", "# note\n# note\nport"}, proof.Bytes},
		{"a comment and a value", newNote, []string{"port", "# note\npor"}, proof.Values},
		{"a comment and a space line", newNote, []string{"port", "# note\n\nport"}, proof.Bytes},
		{"a comment and a space", newNote, []string{"port: 22", "# note\nport:  22"}, proof.Bytes},
		{"no comment", newNote, nil, proof.Bytes},
		{"right: another comment", reword, []string{"# the image", "# its image"}, ""},
		{"right: the comment goes", dropNote, []string{"  # the image", ""}, ""},
		{"right: the comment goes, not the spaces", dropNote, []string{"# the image", ""}, ""},
		{"right: the comment's line goes", dropTop, []string{"# top\n", ""}, ""},
		{"the comment stays", dropNote, nil, proof.Bytes},
		{"the next line goes too", dropTop, []string{"# top\nimage: \"cpu:1\"  # the image\n", ""}, proof.Values},
		{"the next comment goes too", dropTop, []string{"# top\nimage: \"cpu:1\"  # the image", `image: "cpu:1"`}, proof.Bytes},
		{"what is no comment goes", noNote, []string{"  # the", " # the"}, proof.Bytes},
		{"reworded elsewhere", reword, []string{"  # the image", "", "# top", "# its image"}, proof.Bytes},

		{"right: insert", addGPU, []string{"port", "gpu: true\nport"}, ""},
		{"in the wrong place", addGPU, []string{"# list", "gpu: true\n# list"}, proof.Values},
		{"above its sibling's comment", addGPU, []string{"  # the image\n", "\ngpu: true  # the image\n"}, ""}, // the same bytes cannot be known apart
		{"wrong line end", addGPU, []string{"port", "gpu: true\r\nport"}, proof.Bytes},
		{"an empty line more", addGPU, []string{"port", "gpu: true\n\nport"}, proof.Bytes},
		{"a comment more", addGPU, []string{"port", "gpu: true # new\nport"}, proof.Bytes},
		{"twice", addGPU, []string{"port", "gpu: true\ngpu: true\nport"}, proof.Parses},
		{"a key more", addGPU, []string{"port", "gpu: true\ncpu: true\nport"}, proof.Values},
		{"a document more", addGPU, []string{"port", "gpu: true\nport", "  - y\n", "  - y\n---\nz: 1\n"}, proof.Parses},
		{"a null that is not declared", addGPU, []string{"port", "gpu: ~\nport"}, proof.Values},

		{"right: remove", dropPort, []string{"port: 22 # ssh\n", ""}, ""},
		{"with the comment of the next", dropPort, []string{"port: 22 # ssh\n# list\n", ""}, proof.Bytes},
		{"with the line end before", dropPort, []string{"  # the image\nport: 22 # ssh\n", "\n"}, proof.Bytes},
		{"leaving its comment", dropPort, []string{"port: 22 ", ""}, ""}, // clumsy, but nothing is lost
		{"removing its neighbour", dropPort, []string{"image: \"cpu:1\"  # the image\n", ""}, proof.Values},
		{"right: remove item", dropPip, []string{"  - x # first\n", ""}, ""},
		{"leaving a null", dropPip, []string{"x # first", ""}, proof.Values},

		{"right: append", addPip, []string{"y\n", "y\n  - z\n"}, ""},
		{"not at the end", addPip, []string{"  - y\n", "  - z\n  - y\n"}, proof.Values},
		{"right: add after an item", addFirst, []string{"# first\n", "# first\n  - z\n"}, ""},
		{"not after that item", addFirst, []string{"y\n", "y\n  - z\n"}, proof.Values},
		{"one that some readers take for a boolean", finding.Change{Op: finding.AppendItem, File: path, Pointer: "/pip", Value: finding.Text("y")},
			[]string{"- y\n", "- y\n  - y\n"}, proof.Values},
		{"no newline at the end any more", addPip, []string{"y\n", "y\n  - z"}, proof.Bytes},

		{"right: rename", rename, []string{"port", "sshPort"}, ""},
		{"renamed and changed", rename, []string{"port: 22", "sshPort: 23"}, proof.Values},
		{"renamed and quoted", rename, []string{"port: 22", "sshPort: \"22\""}, proof.Values},

		{"a change of nothing", finding.Change{Op: finding.SetScalar, File: path, Pointer: "/x"}, nil, proof.Values},
		{"an unknown change", finding.Change{Op: 99, File: path}, nil, proof.Values},
		{"no such document", finding.Change{Op: finding.SetScalar, File: path, Document: 1}, nil, proof.Values},
	} {
		t.Run(c.name, func(t *testing.T) {
			var edits []text.Edit
			for i := 0; i+1 < len(c.replace); i += 2 {
				edits = append(edits, replace(t, before, c.replace[i], c.replace[i+1]))
			}
			text.Sort(edits)
			after, err := text.Apply([]byte(before), edits)
			testkit.OK(t, err)
			want(t, proof.File{Path: path, Old: []byte(before), New: after, Edits: edits, Changes: []finding.Change{c.change}}, c.clause)
		})
	}
}

func want(t *testing.T, f proof.File, clause string) {
	t.Helper()
	err := proof.Check(f)
	var failed *proof.Error
	switch {
	case clause == "" && err != nil:
		t.Errorf("refused: %v\n%q", err, f.New)
	case clause != "" && !errors.As(err, &failed):
		t.Errorf("not refused, want clause (%s): %v\n%q", clause, err, f.New)
	case clause != "" && failed.Clause != clause:
		t.Errorf("refused by clause (%s): %v; want (%s)\n%q", failed.Clause, err, clause, f.New)
	}
}

// TestAnotherText checks that what is known of another text is neither believed nor in the way.
func TestAnotherText(t *testing.T) {
	read := func(text string) *document.Stream { return document.Parse(source.New(path, []byte(text))) }
	right := strings.Replace(before, "port:", "sshPort:", 1)
	wrong := strings.TrimSuffix(right, "\n")
	for _, c := range []struct{ new, known, clause string }{{right, wrong, ""}, {wrong, right, proof.Bytes}} {
		f := proof.File{Path: path, Old: []byte(before), New: []byte(c.new), Changes: []finding.Change{rename}, Before: proof.Read(read(wrong)), After: read(c.known)}
		f.Edits = diff.Edits(f.Old, f.New)
		want(t, f, c.clause)
	}
}

// TestWrongFiles hands over texts and edits that do not belong together, and faults that need another text than that of
// the table above.
func TestWrongFiles(t *testing.T) {
	list := func(c ...finding.Change) []finding.Change { return c }
	set := func(pointer, v string) finding.Change {
		return finding.Change{Op: finding.SetScalar, Pointer: pointer, Value: finding.Text(v)}
	}
	edit := func(start, end int, new string) text.Edit {
		return text.Edit{Span: source.Span{Start: start, End: end}, New: new}
	}
	splice := finding.Change{Op: finding.SpliceText, Offset: 2, Old: "\t", Value: finding.Text(" ")}
	for _, c := range []struct {
		name     string
		old, new string
		edits    []text.Edit
		changes  []finding.Change
		clause   string
	}{
		{"a byte changed that no edit names", "a: x\nb: 1 # c\n", "a: z\nb: 1  # c\n", []text.Edit{edit(3, 4, "z")}, list(set("/a", "z")), proof.Bytes},
		{"edits that overlap", "a: x\n", "a: z\n", []text.Edit{edit(3, 4, "z"), edit(3, 4, "z")}, list(set("/a", "z")), proof.Bytes},
		{"an edit outside", "a: x\n", "a: z\n", []text.Edit{edit(3, 99, "z")}, list(set("/a", "z")), proof.Bytes},
		{"the byte order mark lost", "\xef\xbb\xbfa: x\n", "a: z\n", []text.Edit{edit(0, 3, ""), edit(6, 7, "z")}, list(set("/a", "z")), proof.Bytes},
		{"all line ends changed", "a: x\r\nb: 1\r\n", "a: z\nb: 1\n", []text.Edit{edit(3, 6, "z\n"), edit(10, 12, "\n")}, list(set("/a", "z")), proof.Bytes},
		{"carriage returns lost", "a: x\r\r\nb: 1\n", "a: z\r\nb: 1\n", []text.Edit{edit(3, 6, "z\r")}, list(set("/a", "z")), proof.Bytes},
		{"JSON that is none any more", "{\"a\": 1, \"b\": \"x\"}\n", "{\"a\": z, \"b\": \"x\"}\n", []text.Edit{edit(6, 7, "z")}, list(set("/a", "z")), proof.Bytes},
		{"comma left behind", "[1, 2]\n", "[1, ]\n", []text.Edit{edit(4, 5, "")}, list(finding.Change{Op: finding.RemoveEntry, Pointer: "/1"}), proof.Bytes},
		{"comment between flow entries", "{a: 1,\n # b\n b: 2}\n", "{b: 2}\n", []text.Edit{edit(1, 13, "")}, list(finding.Change{Op: finding.RemoveEntry, Pointer: "/a"}), proof.Bytes},
		{"an alias's value", "a: &x 1\nb: *x\n", "a: &x z\nb: *x\n", []text.Edit{edit(6, 7, "z")}, list(set("/a", "z")), proof.Values},
		{"an anchor lost", "a: &x 1\nb: 2\n", "a: z\nb: 2\n", []text.Edit{edit(3, 7, "z")}, list(set("/a", "z")), proof.Values},
		{"merged key", "a: &x {b: 1}\nc: {<<: *x}\n", "a: &x {b: 1}\nc: {<<: *x, b: true}\n", []text.Edit{edit(23, 23, ", b: true")},
			list(finding.Change{Op: finding.InsertEntry, Pointer: "/c", Key: "b", Value: finding.True}), proof.Values},
		{"key twice", "a: 1\na: 2\n", "a: z\na: 2\n", []text.Edit{edit(3, 4, "z")}, list(set("/a", "z")), proof.Values},
		{"text that did not parse", "a: \"\n", "a: z\n", []text.Edit{edit(3, 4, "z")}, list(set("/a", "z")), proof.Parses},
		{"line end into a text block", "a: |\n  x", "a: |\n  x\nb: true", []text.Edit{edit(8, 8, "\nb: true")},
			list(finding.Change{Op: finding.InsertEntry, Key: "b", Value: finding.True}), proof.Values},
		{"header comment of a text block", "a: | # c\n  x\n", "a: z\n", []text.Edit{edit(3, 12, "z")}, list(set("/a", "z")), proof.Bytes},

		{"right: raw text", "a:\t1\n", "a: 1\n", []text.Edit{edit(2, 3, " ")}, list(splice), ""},
		{"raw text not replaced", "a:\t1\n", "a:\t1\n", nil, list(splice), proof.Values},
		{"raw text replaced by more", "a:\t1\n", "a:  1\n", []text.Edit{edit(2, 3, "  ")}, list(splice), proof.Values},
		{"more raw text replaced", "a:\t1 \n", "a: 1\n", []text.Edit{edit(2, 3, " "), edit(4, 5, "")}, list(splice), proof.Values},
		{"raw text and values", "a:\t1\n", "a: z\n", []text.Edit{edit(2, 3, " "), edit(3, 4, "z")}, list(splice, set("/a", "z")), proof.Values},
		{"raw text that breaks the file", "a:\t1\n", "a: [1\n", []text.Edit{edit(2, 3, " [")},
			list(finding.Change{Op: finding.SpliceText, Offset: 2, Old: "\t", Value: finding.Text(" [")}), proof.Parses},
		{"right: new file", "", "a: 1\n", []text.Edit{edit(0, 0, "a: 1\n")}, list(finding.Change{Op: finding.NewFile, Value: finding.Text("a: 1\n")}), ""},
		{"other new file", "", "a: 2\n", []text.Edit{edit(0, 0, "a: 2\n")}, list(finding.Change{Op: finding.NewFile, Value: finding.Text("a: 1\n")}), proof.Values},
		{"new file that is none", "a: 1\n", "a: 1\n", nil, list(finding.Change{Op: finding.NewFile, Value: finding.Text("a: 1\n")}), proof.Values},
		{"new file that does not parse", "", "a: \"\n", []text.Edit{edit(0, 0, "a: \"\n")}, list(finding.Change{Op: finding.NewFile, Value: finding.Text("a: \"\n")}), proof.Parses},
	} {
		t.Run(c.name, func(t *testing.T) {
			want(t, proof.File{Path: path, Old: []byte(c.old), New: []byte(c.new), Edits: c.edits, Changes: c.changes}, c.clause)
		})
	}
}
