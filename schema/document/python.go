package document

import (
	"errors"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/plain"
)

// Python is a family of YAML readers in Python. They disagree about what a plain scalar is, and yaml.v3 does not always
// agree with either. Only plain scalars without a tag are read here: every reader reads the others alike.
type Python int

// The readers.
const (
	// PyYAML follows YAML 1.1: "yes" is true, "1:30" is 90, "010" is 8.
	PyYAML Python = iota
	// Ruamel is ruamel.yaml as azureml-core uses it: YAML 1.2 with some of the numbers of 1.1, so "yes" is a string,
	// "010" is 10 and "0o10" is 8.
	Ruamel
)

// Reading is what a Python program gets for a plain scalar. Two readings by the same reader have equal values if Type
// and Text are equal, with two exceptions: the Text of a date-time does not identify it, and the Text of a number
// longer than 64 characters is how it was written.
type Reading struct {
	Type ReadingType
	// Text is the value as Python prints it, "" for AsDateTime.
	Text string
}

// ReadingType is the type of a Reading. Text is the zero value, since most scalars are text to every reader.
type ReadingType int

// The types. A date without a time prints as it was written and counts as AsText.
const (
	AsText ReadingType = iota
	AsBoolean
	AsInteger
	AsFloat
	AsDateTime
	AsNull
)

// MaxNumber is the length, in bytes, above which numbers are not computed: 64 bits take 20 digits, and big numbers
// would take time quadratic in their length.
const MaxNumber = 64

// Read returns what the reader makes of a plain scalar on one line.
func (p Python) Read(plain string) Reading {
	switch plain {
	case "", "~", "null", "Null", "NULL":
		return Reading{AsNull, "None"}
	case "true", "True", "TRUE":
		return Reading{AsBoolean, "True"}
	case "false", "False", "FALSE":
		return Reading{AsBoolean, "False"}
	}
	if p == PyYAML {
		switch plain {
		case "yes", "Yes", "YES", "on", "On", "ON":
			return Reading{AsBoolean, "True"}
		case "no", "No", "NO", "off", "Off", "OFF":
			return Reading{AsBoolean, "False"}
		}
	}
	switch {
	case strings.IndexByte("+-.0123456789", plain[0]) < 0:
		return Reading{AsText, plain}
	case strings.Count(plain, ".") > 1 && !strings.Contains(plain, ":"):
		return Reading{AsText, plain} // 203.0.113.7, 1.4.0
	case plain == "." || strings.Contains(plain, "/"):
		return Reading{AsText, plain} // paths
	case plain[0] != '0' && len(plain) < MaxNumber && strings.Trim(plain, digits) == "" || plain == "0":
		return Reading{AsInteger, plain}
	case isDecimal(plain):
		return Reading{AsFloat, floatText(plain)}
	}
	return p.match(plain)
}

const digits = "0123456789"

// match returns what the reader's patterns say of a scalar; Read knows most without them.
func (p Python) match(plain string) Reading {
	switch {
	case dateTime.Get().MatchString(plain):
		return Reading{Type: AsDateTime}
	case numbers[p].float.Get().MatchString(plain):
		return Reading{AsFloat, floatText(plain)}
	case numbers[p].integer.Get().MatchString(plain):
		return Reading{AsInteger, p.integerText(plain)}
	}
	return Reading{AsText, plain}
}

// isDecimal reports whether a scalar is digits, a point and digits, as most floats are: they need no pattern.
func isDecimal(plain string) bool {
	whole, fraction, ok := strings.Cut(plain, ".")
	return ok && whole != "" && fraction != "" && strings.Trim(whole, digits) == "" && strings.Trim(fraction, digits) == ""
}

// IsPyYAMLText reports whether PyYAML reads a scalar as text, as it does 1e3, 0o17 and 2024-1-1, which are numbers and
// a date to others.
func (n *Node) IsPyYAMLText() bool {
	n = n.Resolve()
	if n.IsString() || n == nil || n.Style != Plain {
		return n.IsString()
	}
	switch n.Tag() {
	case "!!timestamp":
		return len(n.Value) < len("2024-01-01") && PyYAML.Read(n.Value).Type == AsText
	case "!!int", "!!float":
		return PyYAML.Read(n.Value).Type == AsText
	}
	return false
}

// FitsTag reports whether PyYAML's safe loader makes a value of a node as its tag says: not of !!int 3.0 or !!map [a].
// It is also false for tags that YAML does not have. In doubt, it is true.
func (n *Node) FitsTag() bool {
	unsigned := strings.TrimLeft(n.Value, "+-")
	digit := n.Kind == Scalar && unsigned != "" && (unsigned[0] == '0' || unsigned[0] >= utf8.RuneSelf)
	switch n.Tag() {
	case "!!str", "!!null", "!!binary", "!!merge", "!":
		return n.Kind == Scalar
	case "!!map", "!!set":
		return n.Kind == Mapping
	case "!!seq", "!!omap", "!!pairs":
		return n.Kind == Sequence
	case "!!bool":
		return n.Kind == Scalar && slices.Contains([]string{"yes", "no", "true", "false", "on", "off"}, strings.ToLower(n.Value))
	case "!!int":
		return digit || n.Kind == Scalar && n.Value != "" && strings.Trim(n.Value, "0123456789+-_: ") == ""
	case "!!float":
		_, err := strconv.ParseFloat(strings.Trim(strings.ReplaceAll(n.Value, "_", ""), "+-. "), 64)
		return digit || n.Kind == Scalar && (err == nil || errors.Is(err, strconv.ErrRange) || strings.Contains(n.Value, ":"))
	case "!!timestamp":
		return digit || n.Kind == Scalar && aDate.Get().MatchString(n.Value)
	}
	return false
}

var aDate = plain.Regexp{Text: `^\d{4}-\d\d?-\d`}

var dateTime = plain.Regexp{Text: `^\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?$`}

// numbers are the patterns of the readers' own resolvers, by Python.
var numbers = [2]struct{ float, integer plain.Regexp }{
	PyYAML: {
		float: plain.Regexp{Text: `^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?` +
			`|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`},
		integer: plain.Regexp{Text: `^(?:[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+` +
			`|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$`},
	},
	Ruamel: {
		float: plain.Regexp{Text: `^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+` +
			`|[-+]?\.[0-9_]+(?:[eE][-+][0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`},
		integer: plain.Regexp{Text: `^(?:[-+]?0b[01_]+|[-+]?0o?[0-7_]+|[-+]?[0-9_]+|[-+]?0x[0-9a-fA-F_]+)$`},
	},
}

// integerText parses an integer in any of the notations and prints it.
func (p Python) integerText(s string) string {
	digits := strings.ReplaceAll(s, "_", "")
	sign := ""
	if digits[0] == '-' || digits[0] == '+' {
		sign, digits = strings.TrimPrefix(digits[:1], "+"), digits[1:]
	}
	if len(digits) > MaxNumber {
		return s
	}
	value, ok := new(big.Int), true
	switch base := 10; {
	case strings.Contains(digits, ":"):
		value = sexagesimal(digits)
	default:
		switch {
		case strings.HasPrefix(digits, "0b"):
			base, digits = 2, digits[2:]
		case strings.HasPrefix(digits, "0x"):
			base, digits = 16, digits[2:]
		case strings.HasPrefix(digits, "0o"):
			base, digits = 8, digits[2:]
		case p == PyYAML && len(digits) > 1 && digits[0] == '0':
			base = 8
		}
		value, ok = value.SetString(digits, base)
	}
	if !ok || value == nil {
		return s
	}
	if value.Sign() == 0 {
		sign = ""
	}
	return sign + value.String()
}

// sexagesimal reads 1:30 as 90.
func sexagesimal(s string) *big.Int {
	sum, sixty := new(big.Int), big.NewInt(60)
	for part := range strings.SplitSeq(s, ":") {
		digit, ok := new(big.Int).SetString(part, 10)
		if !ok {
			return nil
		}
		sum.Add(sum.Mul(sum, sixty), digit)
	}
	return sum
}

// floatText prints a float as Python's repr does: the shortest digits, with an exponent below 1e-4 and from 1e16 on.
func floatText(s string) string {
	s = strings.ToLower(strings.ReplaceAll(s, "_", ""))
	switch strings.TrimLeft(s, "+-") {
	case ".inf":
		return strings.TrimPrefix(strings.Replace(s, ".", "", 1), "+")
	case ".nan":
		return "nan"
	}
	if len(s) > MaxNumber {
		return s
	}
	var value float64
	if head, rest, found := strings.Cut(strings.TrimLeft(s, "+-"), ":"); found {
		value = sexagesimalFloat(head, rest)
		if strings.HasPrefix(s, "-") {
			value = -value
		}
	} else {
		// a value out of range is infinite, in Python as here
		value, _ = strconv.ParseFloat(s, 64)
	}
	return pythonFloat(value)
}

func sexagesimalFloat(head, rest string) float64 {
	sum, _ := strconv.ParseFloat(head, 64) // the pattern lets digits only through
	for part := range strings.SplitSeq(rest, ":") {
		digit, _ := strconv.ParseFloat(part, 64)
		sum = sum*60 + digit
	}
	return sum
}

func pythonFloat(value float64) string {
	text := strconv.FormatFloat(value, 'e', -1, 64)
	_, exponent, found := strings.Cut(text, "e")
	if !found {
		return strings.ToLower(strings.TrimPrefix(text, "+")) // inf
	}
	if e, err := strconv.Atoi(exponent); err == nil && (e < -4 || e >= 16) {
		return text
	}
	text = strconv.FormatFloat(value, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}
