package document_test

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestPythonReadings holds what the real readers answered: PyYAML 6.0.3 (safe_load) and the ruamel.yaml 0.17.16 inside
// azureml-core 1.60.0 (round_trip_load, as the SDK calls it); ruamel.yaml 0.15.89, the oldest that azureml-core took,
// answers as the latter does.
func TestPythonReadings(t *testing.T) {
	t.Parallel()
	names := map[document.ReadingType]string{document.AsText: "text", document.AsBoolean: "boolean", document.AsInteger: "integer",
		document.AsFloat: "float", document.AsDateTime: "datetime", document.AsNull: "none"}
	for _, test := range []struct{ plain, pyyaml, ruamel string }{
		{"yes", "boolean True", "text yes"},
		{"Yes", "boolean True", "text Yes"},
		{"YES", "boolean True", "text YES"},
		{"yEs", "text yEs", "text yEs"},
		{"no", "boolean False", "text no"},
		{"NO", "boolean False", "text NO"},
		{"on", "boolean True", "text on"},
		{"On", "boolean True", "text On"},
		{"off", "boolean False", "text off"},
		{"OFF", "boolean False", "text OFF"},
		{"y", "text y", "text y"},
		{"n", "text n", "text n"},
		{"true", "boolean True", "boolean True"},
		{"True", "boolean True", "boolean True"},
		{"tRUE", "text tRUE", "text tRUE"},
		{"FALSE", "boolean False", "boolean False"},
		{"null", "none None", "none None"},
		{"~", "none None", "none None"},
		{"nULL", "text nULL", "text nULL"},
		{"1:30", "integer 90", "text 1:30"},
		{"01:30", "text 01:30", "text 01:30"},
		{"1:30:15", "integer 5415", "text 1:30:15"},
		{"1:60", "text 1:60", "text 1:60"},
		{"1:3", "integer 63", "text 1:3"},
		{"1:30.5", "float 90.5", "text 1:30.5"},
		{"203:11", "integer 12191", "text 203:11"},
		{"-1:30", "integer -90", "text -1:30"},
		{"+1", "integer 1", "integer 1"},
		{"0", "integer 0", "integer 0"},
		{"00", "integer 0", "integer 0"},
		{"010", "integer 8", "integer 10"},
		{"0010", "integer 8", "integer 10"},
		{"08", "text 08", "integer 8"},
		{"09", "text 09", "integer 9"},
		{"-010", "integer -8", "integer -10"},
		{"0o10", "text 0o10", "integer 8"},
		{"0O10", "text 0O10", "text 0O10"},
		{"0x1F", "integer 31", "integer 31"},
		{"0b11", "integer 3", "integer 3"},
		{"1_000", "integer 1000", "integer 1000"},
		{"1_000.5", "float 1000.5", "float 1000.5"},
		{"3.10", "float 3.1", "float 3.1"},
		{"3.1", "float 3.1", "float 3.1"},
		{"0.10", "float 0.1", "float 0.1"},
		{"1.0", "float 1.0", "float 1.0"},
		{"1.00", "float 1.0", "float 1.0"},
		{"1.", "float 1.0", "float 1.0"},
		{".5", "float 0.5", "float 0.5"},
		{"1e3", "text 1e3", "float 1000.0"},
		{"1E3", "text 1E3", "float 1000.0"},
		{"1.0e3", "text 1.0e3", "float 1000.0"},
		{"1.0e+3", "float 1000.0", "float 1000.0"},
		{"1e+3", "text 1e+3", "float 1000.0"},
		{"1e-3", "text 1e-3", "float 0.001"},
		{"-1.5e-3", "float -0.0015", "float -0.0015"},
		{"1e-5", "text 1e-5", "float 1e-05"},
		{"1e16", "text 1e16", "float 1e+16"},
		{"1.5e300", "text 1.5e300", "float 1.5e+300"},
		{"1e999", "text 1e999", "float inf"},
		{"12e4567", "text 12e4567", "float inf"},
		{".inf", "float inf", "float inf"},
		{"-.Inf", "float -inf", "float -inf"},
		{"+.inf", "float inf", "float inf"},
		{".nan", "float nan", "float nan"},
		{"inf", "text inf", "text inf"},
		{"2018-01-01", "text 2018-01-01", "text 2018-01-01"},
		{"2018-1-1", "text 2018-1-1", "text 2018-1-1"},
		{"2018-01-01T10:00:00Z", "datetime ", "datetime "},
		{"1,000", "text 1,000", "text 1,000"},
		{"1.2.3", "text 1.2.3", "text 1.2.3"},
		{"0.9.9", "text 0.9.9", "text 0.9.9"},
		{"12e03", "text 12e03", "float 12000.0"},
		{"1_", "integer 1", "integer 1"},
		{"0_1", "integer 1", "integer 1"},
		{"0x", "text 0x", "text 0x"},
		{"0xZ", "text 0xZ", "text 0xZ"},
		{"190:20:30.15", "float 685230.15", "text 190:20:30.15"},
		{"-1:30.5", "float -90.5", "text -1:30.5"},
		{"5432:5432", "text 5432:5432", "text 5432:5432"},
		{"22:22", "integer 1342", "text 22:22"},
		{"1:2:3:4", "integer 223384", "text 1:2:3:4"},
		{"000123", "integer 83", "integer 123"},
		{"007", "integer 7", "integer 7"},
		{"089", "text 089", "integer 89"},
		{"+.5", "text +.5", "float 0.5"},
		{"-.5", "text -.5", "float -0.5"},
		{"123456789012345678901234567890", "integer 123456789012345678901234567890", "integer 123456789012345678901234567890"},
		{"12:30PM", "text 12:30PM", "text 12:30PM"},
		{"1.5_0", "float 1.5", "float 1.5"},
		{"-0", "integer 0", "integer 0"},
		{"-0.0", "float -0.0", "float -0.0"},
		{"+0x10", "integer 16", "integer 16"},
		{"-0b1", "integer -1", "integer -1"},
		{"100000000000000000000.0", "float 1e+20", "float 1e+20"},
		{"0.00001", "float 1e-05", "float 1e-05"},
		{"0.0001", "float 0.0001", "float 0.0001"},
		{"--", "text --", "text --"},
		{"+", "text +", "text +"},
		{".", "text .", "text ."},
		{"..", "text ..", "text .."},
		{"0.", "float 0.0", "float 0.0"},
		{"00.5", "float 0.5", "float 0.5"},
		{"1.10.0", "text 1.10.0", "text 1.10.0"},
		{"_1", "text _1", "text _1"},
		{"2018-01-01 10:00:00", "datetime ", "datetime "},
	} {
		for python, want := range map[document.Python]string{document.PyYAML: test.pyyaml, document.Ruamel: test.ruamel} {
			r := python.Read(test.plain)
			testkit.Same(t, want, names[r.Type]+" "+r.Text, "%q, reader %d", test.plain, python)
		}
	}
}

// FuzzPythonRead checks that any text can be read, and that what is read as text is the text as written.
func FuzzPythonRead(f *testing.F) {
	for _, s := range []string{"", "yes", "1:30", "0o10", "0x", "1_", "-.inf", "+-", ".", "1e999", strings.Repeat("9", 1000), "2018-01-01 10:00:00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, python := range []document.Python{document.PyYAML, document.Ruamel} {
			if r := python.Read(s); r.Type == document.AsText && r.Text != s {
				t.Errorf("%q: read as the text %q", s, r.Text)
			}
		}
	})
}
