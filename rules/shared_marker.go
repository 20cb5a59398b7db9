package rules

import (
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/plain"
)

// otherPlatform reports whether a package's marker excludes Linux on x86-64, or may do so.
func otherPlatform(pkg schema.Package) bool {
	on := onLinux(pkg)
	marker := pkg.Requirement.Marker
	return on < 0 || on == 0 && (!strings.Contains(strings.ToLower(marker), "linux") && !strings.Contains(marker, "posix") || strings.Contains(marker, "!="))
}

// onLinux returns 1 if pip installs a package on Linux on x86-64, -1 if its marker excludes that, and 0 if it also
// tests something else, such as Python's version.
func onLinux(pkg schema.Package) int {
	marker := strings.ToLower(pkg.Requirement.Marker)
	if !strings.Contains(marker, "platform") && !strings.Contains(marker, "os_name") {
		return 1
	}
	m := markerReader(markerPart.Get().FindAllStringSubmatch(marker, -1))
	return m.or()
}

const markerOperand = `("[^"]*"|'[^']*'|[\w.]+)`

var markerPart = plain.Regexp{Text: markerOperand + `\s*([=!<>~]+|in\b|not\s+in\b)\s*` + markerOperand + `|\(|\)|and|or`}

// markerReader is what is still unread of a marker: tests, and what joins them.
type markerReader [][]string

func (m *markerReader) take(word string) bool {
	ok := len(*m) > 0 && (*m)[0][0] == word
	if ok {
		*m = (*m)[1:]
	}
	return ok
}

func (m *markerReader) or() int {
	value := m.and()
	for m.take("or") {
		value = max(value, m.and())
	}
	return value
}

func (m *markerReader) and() int {
	value := m.test()
	for m.take("and") {
		value = min(value, m.test())
	}
	return value
}

func (m *markerReader) test() int {
	if m.take("(") {
		value := m.or()
		m.take(")")
		return value
	}
	if len(*m) == 0 {
		return 0
	}
	test := (*m)[0]
	*m = (*m)[1:]
	left, right := linuxValue(test[1]), linuxValue(test[3])
	holds := left == right
	if strings.HasSuffix(test[2], "in") {
		holds = strings.Contains(right, left)
	}
	switch {
	case left == "" || right == "" || strings.Trim(test[2], "<>~") != test[2]:
		return 0
	case holds != (test[2][0] == '!' || test[2][0] == 'n'):
		return 1
	}
	return -1
}

// linuxValue returns what an operand of a marker stands for, or "" if that is not known.
func linuxValue(operand string) string {
	switch strings.ReplaceAll(operand, ".", "_") {
	case "sys_platform", "platform_system":
		return "linux"
	case "os_name":
		return "posix"
	case "platform_machine":
		return "x86_64"
	case "platform_python_implementation", "implementation_name":
		return "cpython"
	case `"linux2"`, "'linux2'": // depends on Python's version
		return ""
	}
	if text := strings.Trim(operand, `"'`); text != operand {
		return text
	}
	return ""
}
