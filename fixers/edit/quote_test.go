package edit_test

import "testing"

// TestQuotesWhereNeeded sets a plain value to texts that some reader, of YAML 1.1 or 1.2, takes for something else than
// text, and to texts that none does.
func TestQuotesWhereNeeded(t *testing.T) {
	for _, s := range []string{
		"true", "False", "yes", "NO", "on", "Off", "y", "N", "null", "NULL", "~", "", "<<", "=", ".inf", "-.INF", "+.inf", ".NaN",
		"1", "-1", "+1", "007", "0o17", "0x1F", "0b101", "1_000", "1.", ".5", "1.5", "-1.5e3", "1e3", "1E-3", "12:30", "190:20:30", "1:30.5",
		"2020-01-31", "2020-1-1 10:00:00", "2020-01-31T10:00:00Z",
		" x", "x ", "x: z", "x:", "x #z", "#x", "- x", "-", "? x", "?", ": x", ":", "@x", "`x", "%x", "&x", "*x", "!x", "|", ">", "'x", "\"x", "[x", "{x", ",x", "]x", "}x",
		"---", "...", "x\nz", "x\tz", "\u00a0", "\ufeff", "\u0085", "\u2028",
	} {
		got, err := run("a: x\n", changes{set("/a", str(s))})
		if err != nil || got == "a: "+s+"\n" {
			t.Errorf("%q is written %q, %v; it needs quotes", s, got, err)
		}
	}
	for _, s := range []string{
		"x", "x:z", "x#z", "-x", "?x", ":x", "x, z", "x [z]", "http://example.com/a?b=c&d=e#f", "python=3.5.2", "1.4.1", "1.0.3-beta", "3.5.*", ">=1.0"[1:],
		"e3", "_1", "0xg", "0xg1", "0b2x", "0b21", "0o81", "1a", "12:3x", "2020-01", "2020-01-31x", "yes!", "nul", "~/x", "größer", "日本", "😀", "a 'b' \"c\"", "=1",
	} {
		if got, err := run("a: x\n", changes{set("/a", str(s))}); err != nil || got != "a: "+s+"\n" {
			t.Errorf("%q is written %q, %v; it needs no quotes", s, got, err)
		}
	}
}
