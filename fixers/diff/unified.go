package diff

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/escape"
)

// context is how many unchanged lines are around a change.
const context = 3

// Unified returns the unified diff that turns a into b, or nothing if they are equal. The header has the names,
// prefixed with "a/" and "b/" and quoted as git quotes them; a nil a means that the file is new. The bytes of the lines
// are exact, so that "git apply" produces b byte for byte, whatever its line ends. The diff cannot express an empty new
// file and is empty then.
func Unified(name string, a, b []byte) []byte {
	old, new := lines(a), lines(b)
	changes := compare(old, new)
	if changes == nil {
		return nil
	}
	return append(header(name, a == nil), hunks(old, new, changes)...)
}

// header names the file.
func header(name string, created bool) []byte {
	name = strings.TrimPrefix(name, "/") // as git shows a file outside its repository; patch -p1 -d / finds it
	from := quote("a/" + name)
	if created {
		from = "/dev/null"
	}
	return []byte("--- " + from + "\n+++ " + quote("b/"+name) + "\n")
}

// hunks writes the lines that changed, with their context.
func hunks(old, new [][]byte, changes []span) []byte {
	var out bytes.Buffer
	for len(changes) > 0 {
		n := 1
		for n < len(changes) && changes[n].aLo-changes[n-1].aHi <= 2*context {
			n++
		}
		hunk(&out, old, new, changes[:n])
		changes = changes[n:]
	}
	return out.Bytes()
}

// hunk writes one hunk: spans so close that their contexts meet.
func hunk(out *bytes.Buffer, old, new [][]byte, spans []span) {
	first, last := spans[0], spans[len(spans)-1]
	before := min(context, first.aLo)
	after := min(context, len(old)-last.aHi)
	fmt.Fprintf(out, "@@ -%s +%s @@\n",
		extent(first.aLo-before, last.aHi+after), extent(first.bLo-before, last.bHi+after))
	at := first.aLo - before
	for _, s := range spans {
		write(out, ' ', old[at:s.aLo])
		write(out, '-', old[s.aLo:s.aHi])
		write(out, '+', new[s.bLo:s.bHi])
		at = s.aHi
	}
	write(out, ' ', old[at:last.aHi+after])
}

// extent returns "start,count" as diff counts: from 1, the line before for an empty extent, and no count when it is 1.
func extent(lo, hi int) string {
	switch hi - lo {
	case 0:
		return fmt.Sprintf("%d,0", lo)
	case 1:
		return strconv.Itoa(lo + 1)
	}
	return fmt.Sprintf("%d,%d", lo+1, hi-lo)
}

func write(out *bytes.Buffer, mark byte, lines [][]byte) {
	for _, line := range lines {
		out.WriteByte(mark)
		out.Write(line)
		if !bytes.HasSuffix(line, []byte("\n")) {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// quote writes a name as git expects it in a header: in C style if it holds characters that would end it, and with a
// tab after it if it holds spaces.
func quote(name string) string {
	if shown := printableName(name); shown != name {
		return shown
	}
	if strings.Contains(name, " ") {
		return name + "\t"
	}
	return name
}

// printableName returns a name unchanged, or in C style if it holds characters that would end a line or a quotation,
// control a terminal or be taken for a command by a CI system.
func printableName(name string) string {
	if escape.Terminal(name) == name && !strings.ContainsAny(name, `"\`) {
		return name
	}
	var b strings.Builder
	for at := 0; at < len(name); {
		shown, size := escape.Visible(name, at)
		part := name[at : at+size]
		switch at += size; {
		case part == `"`, part == `\`:
			b.WriteString(`\` + part)
		case shown != part:
			for _, c := range []byte(part) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		default:
			b.WriteString(part)
		}
	}
	return `"` + b.String() + `"`
}
