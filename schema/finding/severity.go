package finding

import "fmt"

// Severity says how severe a finding is. The zero value is not a severity.
type Severity int

// The severities, in order: a larger one is worse.
const (
	Info    Severity = iota + 1 // worth knowing; never fails a check by default
	Warning                     // works by luck, or not everywhere
	Error                       // the job will not do what the files say
)

// String returns the severity's name as it appears in output.
func (s Severity) String() string {
	switch s {
	case Info:
		return "info"
	case Warning:
		return "warning"
	case Error:
		return "error"
	}
	return fmt.Sprintf("Severity(%d)", int(s))
}

// ParseSeverity returns the severity called name; the error lists the names.
func ParseSeverity(name string) (Severity, error) {
	for s := Info; s <= Error; s++ {
		if s.String() == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("unknown severity %q: use error, warning or info", name)
}

// Applicability says who may decide to make a fix.
type Applicability string

// The three levels of applicability.
const (
	Safe   Applicability = "safe"   // `amlfix --apply` makes it
	Unsafe Applicability = "unsafe" // only with `--unsafe`: it may change what the job does
	Choice Applicability = "choice" // needs an answer from a person
)
