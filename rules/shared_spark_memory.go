package rules

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/template"
)

// sparkMemories are the settings of Spark that are sizes, and have MB where no unit is given.
var sparkMemories = []string{"spark.driver.memory", "spark.executor.memory", "spark.driver.memoryOverhead", "spark.executor.memoryOverhead"}

var (
	// sparkSize matches the sizes that Spark reads (JavaUtils.byteStringAs), and anySize those that a person means.
	sparkSize = plain.Regexp{Text: `(?i)^\s*(\d+)(b|[kmgtp]b?)?\s*$`}
	anySize   = plain.Regexp{Text: `(?i)^\s*(\d+)(?:[.,](\d+))?\s*([kmgt])(?:i?b)?\s*$`}
)

// sparkMemory reports sizes that Spark cannot read, and those of a few MB, which are numbers without a unit.
func sparkMemory(p *Pass, b *flow.Body) {
	conf := b.Node.Get("conf").Resolve()
	if conf == nil || b.File.Broken() {
		return
	}
	for _, name := range sparkMemories {
		at := schema.FieldAt(b.File, conf, name)
		if !at.Explicit || at.Text == "" || template.In(at.Text) || strings.Contains(at.Text, "${{") || p.full(b.File.Source) {
			continue
		}
		m := sparkSize.Get().FindStringSubmatch(at.Text)
		switch {
		case m == nil:
			right := sparkForm(at.Text)
			if right == "" {
				p.report(at.Location(fmt.Sprintf("Spark cannot read the size %q: write a whole number and k, m or g, such as 2g", shown(at.Text))), nil)
				continue
			}
			p.report(at.Location(fmt.Sprintf("Spark cannot read the size %q, which must be a whole number and k, m or g: write %s", shown(at.Text), right)), at.Fix(finding.Text(right), finding.Safe, "write "+right))
		case m[2] == "" && len(m[1]) < 3 && strings.HasSuffix(name, ".memory"):
			p.report(at.Location(fmt.Sprintf("Spark reads a size without a unit as MB, and cannot start with %s MB: write %sg if GB are meant", m[1], m[1])), at.Fix(finding.Text(m[1]+"g"), finding.Unsafe, "write "+m[1]+"g"))
		}
	}
}

// sparkForm returns a size as Spark reads it, or "" if it is not clear what is meant.
func sparkForm(text string) string {
	m := anySize.Get().FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	unit := strings.ToLower(m[3])
	if strings.Trim(m[2], "0") == "" {
		return m[1] + unit
	}
	const units = "kmgt"
	number, err := strconv.ParseFloat(m[1]+"."+m[2], 64)
	smaller := strings.IndexByte(units, unit[0]) - 1
	if err != nil || smaller < 0 || number*1024 != float64(int(number*1024)) {
		return ""
	}
	return strconv.Itoa(int(number*1024)) + units[smaller:smaller+1]
}
