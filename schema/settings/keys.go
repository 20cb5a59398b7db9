package settings

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

// key is one key of a settings file, or of an entry of its paths.
type key struct {
	name      string
	value     value
	otherwise string // the default; "" if it is obvious
}

// value is the value of a key: how it is read, checked beyond its type, and shown.
type value interface {
	// read reads the node's value, as far as it has the right type.
	read(n *document.Node)
	// check reports what is wrong with the node.
	check(c *checker, n *document.Node)
	// String is one line for people; "" if the key is not set.
	String() string
}

// keys are all keys of a settings file. The type and the description of a key are in the JSON Schema, and everything
// else is here.
func (s *Settings) keys() []key {
	return []key{
		{"select", (*ruleList)(&s.Select), "all rules"},
		{"ignore", (*ruleList)(&s.Ignore), "no rule"},
		{"severity", (*severityMap)(&s.Severity), "as the rules say"},
		{"exclude", (*patternList)(&s.Exclude), "nothing"},
		{"paths", (*pathList)(&s.Paths), ""},
		{"gpu", (*textList)(&s.GPU), "by their files"},
		{"cpu", (*textList)(&s.CPU), ""},
		{"computes", (*sizeMap)(&s.Computes), ""},
		{"choices", (*answerMap)(&s.Choices), ""},
		{"images", (*textMap)(&s.Images), ""},
		{"migrate", (*textMap)(&s.Migrate), ""},
		{"kubernetes", (*clusterList)(&s.Kubernetes), ""},
		{"fail-on", (*least)(&s.FailOn), "error"},
		{"max-warnings", (*limit)(&s.MaxWarnings), "no limit"},
		{"baseline", (*below)(s), "none"},
	}
}

func (p *PathSettings) keys() []key {
	return []key{
		{"match", (*patternList)(&p.Match), ""}, {"ignore", (*ruleList)(&p.Ignore), ""}, {"severity", (*severityMap)(&p.Severity), ""},
	}
}

// Row is one setting for display.
type Row struct {
	Name  string // its JSON pointer without the slash before it
	Value string
}

// Rows returns the settings for display, including those that are not set, in the order of the documentation.
func (s *Settings) Rows() (rows []Row) {
	for _, k := range s.keys() {
		if list, ok := k.value.(*pathList); ok {
			for i := range *list {
				rows = append(rows, Row{k.name + "/" + strconv.Itoa(i), (*list)[i].text()})
			}
			continue
		}
		text := k.value.String()
		if text == "" {
			text = k.otherwise
		}
		if text != "" {
			rows = append(rows, Row{k.name, text})
		}
	}
	return rows
}

type (
	textList    []string
	ruleList    []string
	patternList []string
	textMap     map[string]string
	answerMap   map[string]string
	sizeMap     map[string]string
	severityMap map[string]Severity
	pathList    []PathSettings
	least       Severity
	limit       int
	below       Settings // its Baseline
)

func (l *textList) read(n *document.Node)          { *l = texts(n) }
func (l *textList) check(*checker, *document.Node) {}
func (l *textList) String() string                 { return strings.Join(*l, ", ") }

func (l *ruleList) read(n *document.Node)              { *l = texts(n) }
func (l *ruleList) check(c *checker, n *document.Node) { c.list(n, c.rule) }
func (l *ruleList) String() string                     { return strings.Join(*l, ", ") }

func (l *patternList) read(n *document.Node)              { *l = texts(n) }
func (l *patternList) check(c *checker, n *document.Node) { c.list(n, c.pattern) }
func (l *patternList) String() string                     { return strings.Join(*l, ", ") }

func (m *textMap) read(n *document.Node)          { *m = pairs(n) }
func (m *textMap) check(*checker, *document.Node) {}
func (m *textMap) String() string                 { return pairText(*m) }

func (m *answerMap) read(n *document.Node)              { *m = pairs(n) }
func (m *answerMap) check(c *checker, n *document.Node) { c.choices(n.Resolve()) }
func (m *answerMap) String() string                     { return pairText(*m) }

func (m *sizeMap) read(n *document.Node)              { *m = pairs(n) }
func (m *sizeMap) check(c *checker, n *document.Node) { c.sizes(n.Resolve()) }
func (m *sizeMap) String() string                     { return pairText(*m) }

func (m *severityMap) read(n *document.Node)              { *m = severities(n) }
func (m *severityMap) check(c *checker, n *document.Node) { c.severities(n.Resolve()) }
func (m *severityMap) String() string {
	words := map[string]string{}
	for name, severity := range *m {
		if words[name] = severity.String(); severity == Off {
			words[name] = "off"
		}
	}
	return pairText(words)
}

func (l *pathList) read(n *document.Node) {
	for _, item := range items(n) {
		var p PathSettings
		for _, k := range p.keys() {
			k.value.read(item.Get(k.name))
		}
		*l = append(*l, p)
	}
}

func (l *pathList) check(c *checker, n *document.Node) {
	for _, item := range items(n) {
		for _, k := range new(PathSettings).keys() {
			k.value.check(c, item.Get(k.name))
		}
	}
}

func (l *pathList) String() string { return "" } // each entry has its own row

// text is one line for people.
func (p *PathSettings) text() string {
	text := strings.Join(p.Match, ", ") + ":"
	for _, k := range p.keys()[1:] {
		switch list := k.value.String(); {
		case list == "":
		case k.name == "severity":
			text += " " + list
		default:
			text += " " + k.name + " " + list
		}
	}
	return text
}

func (l *least) read(n *document.Node)          { *(*Severity)(l), _ = ParseFailOn(n.Text()) }
func (l *least) check(*checker, *document.Node) {}
func (l *least) String() string {
	switch severity := Severity(*l); severity {
	case 0:
		return ""
	case Never:
		return "never"
	default:
		return severity.String()
	}
}

func (l *limit) read(n *document.Node) { *l = limit(number(n)) }

func (l *limit) check(c *checker, n *document.Node) {
	if n = n.Resolve(); n != nil && n.Tag == "!!int" && number(n) < 0 {
		c.report(n, "\"max-warnings\" must be 0 or a greater number", nil)
	}
}

func (l *limit) String() string {
	if *l < 0 {
		return ""
	}
	return strconv.Itoa(int(*l))
}

func (b *below) read(n *document.Node) {
	if n.IsString() && local(n.Text()) {
		b.Baseline = filepath.Join(filepath.Dir(b.Path), filepath.FromSlash(n.Text()))
	}
}

func (b *below) check(c *checker, n *document.Node) {
	if n = n.Resolve(); n.IsString() && !local(n.Text()) {
		c.report(n, fmt.Sprintf("%.60q is not a file below the folder of these settings: write a path such as .amlfix-baseline.yaml", n.Text()), nil)
	}
}

func (b *below) String() string { return b.Baseline }

func pairText(m map[string]string) string {
	var list []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		list = append(list, key+": "+m[key])
	}
	return strings.Join(list, ", ")
}

// severities checks the names of rules in a mapping.
func (c *checker) severities(n *document.Node) {
	if n == nil {
		return
	}
	for _, e := range n.Entries {
		if e.Key.Kind == document.Scalar && e.Key.Tag == "!!str" && !c.full() {
			c.name(e.Key, func(near string) finding.Change {
				return finding.Change{Op: finding.RenameKey, File: c.file.Source.Path, Pointer: e.Value.Pointer(), Key: near}
			})
		}
	}
}
