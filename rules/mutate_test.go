package rules_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// mutant is a file with one mistake: what was changed, and in which line, 1-based.
type mutant struct {
	mutation string
	text     []byte
	line     int
}

// mutation makes one kind of mistake somewhere in a file; ok is false if the file has no place for it.
type mutation struct {
	name string
	make func(m *maker) (what string, ok bool)
}

// maker makes one mutant.
type maker struct {
	*rand.Rand
	src  *source.Source
	root *document.Node
	text []byte
	at   int // where the text was changed
}

// mutate makes one mutant of a file.
func mutate(r *rand.Rand, src *source.Source, how mutation) (made mutant, ok bool) {
	m := &maker{Rand: r, src: src, root: document.Parse(src).Root(), text: src.Text}
	if m.root == nil || m.root.Kind != document.Mapping {
		return mutant{}, false
	}
	what, ok := how.make(m)
	if !ok || bytes.Equal(m.text, src.Text) {
		return mutant{}, false
	}
	return mutant{how.name + ":" + what, m.text, 1 + bytes.Count(src.Text[:m.at], []byte("\n"))}, true
}

// replace replaces a range of bytes with a text.
func (m *maker) replace(start, end int, text string) {
	m.text, m.at = fmt.Appendf(nil, "%s%s%s", m.src.Text[:start], text, m.src.Text[end:]), start
}

// entries returns all matching block-style entries below the root whose key is first on its line.
func (m *maker) entries(fits func(e document.Entry) bool) (all []document.Entry) {
	var visit func(n *document.Node)
	visit = func(n *document.Node) {
		for _, e := range n.Entries() {
			if n.Style != document.Flow && e.Key.Kind == document.Scalar && fits(e) {
				all = append(all, e)
			}
			visit(e.Value)
		}
		for _, item := range n.Items() {
			visit(item)
		}
	}
	visit(m.root)
	return all
}

// entry returns one of the matching entries, preferably one near the top.
func (m *maker) entry(fits func(e document.Entry) bool) (document.Entry, bool) {
	all := m.entries(fits)
	if len(all) == 0 {
		return document.Entry{}, false
	}
	return all[min(m.IntN(len(all)), m.IntN(len(all)))], true
}

func plainScalar(e document.Entry) bool {
	return e.Value.Kind == document.Scalar && e.Value.Style == document.Plain && e.Value.Span.Len() > 0 && e.Value.Properties == e.Value.Span.Start
}

func anyEntry(document.Entry) bool { return true }

// lines returns the byte range of the whole lines of an entry.
func (m *maker) lines(e document.Entry) (start, end int) {
	start = bytes.LastIndexByte(m.src.Text[:e.Key.Span.Start], '\n') + 1
	end = max(e.Key.Span.End, e.Value.Span.End)
	if end > 0 && m.src.Text[end-1] == '\n' {
		return start, end
	}
	if i := bytes.IndexByte(m.src.Text[end:], '\n'); i >= 0 {
		return start, end + i + 1
	}
	return start, len(m.src.Text)
}

// alone reports whether only spaces precede an entry's key.
func (m *maker) alone(e document.Entry) bool {
	start, _ := m.lines(e)
	return len(bytes.TrimSpace(m.src.Text[start:e.Key.Span.Start])) == 0
}

// slip returns a word with a typo.
func (m *maker) slip(word string) string {
	if len(word) < 3 {
		return word + "x"
	}
	i := 1 + m.IntN(len(word)-2)
	switch m.IntN(4) {
	case 0:
		return word[:i] + word[i+1:]
	case 1:
		return word[:i] + word[i:i+1] + word[i:]
	case 2:
		return word[:i] + string(word[i+1]) + string(word[i]) + word[i+2:]
	default:
		return word + "s"
	}
}

// set returns a mutation that replaces the value of a matching entry with the result of with.
func set(fits func(e document.Entry) bool, with func(m *maker, value string) string) func(m *maker) (string, bool) {
	return func(m *maker) (string, bool) {
		e, ok := m.entry(func(e document.Entry) bool { return plainScalar(e) && fits(e) })
		if !ok {
			return "", false
		}
		m.replace(e.Value.Span.Start, e.Value.Span.End, with(m, e.Value.Value))
		return e.Key.Value, true
	}
}

func to(texts ...string) func(m *maker, value string) string {
	return func(m *maker, _ string) string { return texts[m.IntN(len(texts))] }
}

func tagged(tags ...string) func(e document.Entry) bool {
	return func(e document.Entry) bool {
		for _, tag := range tags {
			if e.Value.Tag() == tag {
				return true
			}
		}
		return false
	}
}

func keyed(keys string) func(e document.Entry) bool {
	return func(e document.Entry) bool { return strings.Contains(" "+keys+" ", " "+e.Key.Value+" ") }
}

const (
	namesOfEnums = "type mode auth_mode kind goal primary_metric tier sampling_algorithm task os_type idle_time_unit frequency output_action job_tier"
	namesOfPaths = "code path conda_file component scoring_script create_job trial file environment"
)

var bindingName = regexp.MustCompile(`(?:inputs|outputs|jobs|search_space)\.(\w+)`)

// mutations are the mistakes that people make.
var mutations = []mutation{
	{"missing-key", func(m *maker) (string, bool) {
		e, ok := m.entry(func(e document.Entry) bool { return m.alone(e) && e.Key.Value != "$schema" })
		if ok {
			start, end := m.lines(e)
			m.replace(start, end, "")
		}
		return keyOf(e), ok
	}},
	{"misspelt-key", func(m *maker) (string, bool) {
		e, ok := m.entry(func(e document.Entry) bool { return e.Key.Value != "$schema" })
		if ok {
			m.replace(e.Key.Span.Start, e.Key.Span.End, m.slip(e.Key.Value))
		}
		return keyOf(e), ok
	}},
	{"other-case-key", func(m *maker) (string, bool) {
		e, ok := m.entry(func(e document.Entry) bool { return strings.Contains(e.Key.Value, "_") })
		if ok {
			m.replace(e.Key.Span.Start, e.Key.Span.End, strings.ReplaceAll(e.Key.Value, "_", []string{"-", "", "."}[m.IntN(3)]))
		}
		return keyOf(e), ok
	}},
	{"list-for-text", set(tagged("!!str"), func(_ *maker, v string) string { return "[" + v + "]" })},
	{"mapping-for-text", set(tagged("!!str"), func(_ *maker, _ string) string { return "{value: x}" })},
	{"text-for-number", set(tagged("!!int", "!!float"), to("many", "1x", "two", "1 GB", "1,5"))},
	{"text-for-switch", set(tagged("!!bool"), to("maybe", "treu", "enabled", "1.5"))},
	{"number-for-text", set(tagged("!!str"), to("1", "1.5", "2024-01-01", "true", "0x1F", "1e3"))},
	{"null", set(anyEntry, to("null", "~"))},
	{"empty", func(m *maker) (string, bool) {
		e, ok := m.entry(plainScalar)
		if ok {
			m.replace(e.Key.Span.End+1, e.Value.Span.End, "")
		}
		return keyOf(e), ok
	}},
	{"wrong-enum", set(keyed(namesOfEnums), func(m *maker, v string) string { return m.slip(v) })},
	{"other-enum", set(keyed(namesOfEnums), to("uri_folder", "command", "pipeline", "key", "download", "managed", "mlflow_model", "string", "fast"))},
	{"case-enum", set(keyed(namesOfEnums), func(_ *maker, v string) string { return strings.ToUpper(v[:1]) + v[1:] })},
	{"yes-no", set(tagged("!!bool"), to("yes", "no", "on", "off", `"true"`, "'False'", "True", "1", "0", "y"))},
	{"quoted-number", set(tagged("!!int", "!!float"), func(_ *maker, v string) string { return `"` + v + `"` })},
	{"broken-reference", func(m *maker) (string, bool) {
		all := bindingName.FindAllSubmatchIndex(m.src.Text, -1)
		if len(all) == 0 {
			return "", false
		}
		at := all[m.IntN(len(all))]
		name := string(m.src.Text[at[2]:at[3]])
		m.replace(at[2], at[3], m.slip(name))
		return name, true
	}},
	{"wrong-reference", set(func(e document.Entry) bool { return strings.HasPrefix(e.Value.Value, "azureml:") }, func(m *maker, v string) string {
		return []string{strings.TrimPrefix(v, "azureml:"), "azurml:" + v[8:], "azureml " + v[8:], "azureml:" + strings.ReplaceAll(v[8:], ":", ""), "azureml:"}[m.IntN(5)]
	})},
	{"missing-file", set(func(e document.Entry) bool {
		return keyed(namesOfPaths)(e) && !strings.Contains(e.Value.Value, ":")
	}, func(_ *maker, v string) string { return v + "x" })},
	{"indented", func(m *maker) (string, bool) {
		e, ok := m.entry(m.alone)
		if ok {
			m.replace(e.Key.Span.Start, e.Key.Span.Start, strings.Repeat(" ", 1+m.IntN(3)))
		}
		return keyOf(e), ok
	}},
	{"outdented", func(m *maker) (string, bool) {
		e, ok := m.entry(func(e document.Entry) bool { return m.alone(e) && e.Key.Value != "" && e.Value.Parent.Parent != nil })
		if ok {
			start, _ := m.lines(e)
			m.replace(start, start+1+m.IntN(max(1, e.Key.Span.Start-start)), "")
		}
		return keyOf(e), ok
	}},
	{"moved-to-top", func(m *maker) (string, bool) {
		e, ok := m.entry(func(e document.Entry) bool {
			return m.alone(e) && e.Value.Parent.Parent != nil && e.Value.Kind == document.Scalar
		})
		if ok {
			start, end := m.lines(e)
			line := strings.TrimLeft(string(m.src.Text[start:end]), " ")
			m.text = append(append(bytes.Clone(m.src.Text[:start]), m.src.Text[end:]...), []byte(line)...)
			m.at = len(m.src.Text)
			m.text = []byte(strings.TrimSuffix(string(m.src.Text[:start])+string(m.src.Text[end:]), "\n") + "\n")
			m.at = len(m.text)
			m.text = append(m.text, line...)
			if bytes.Count(m.text, []byte("\n")) > 0 {
				m.at = len(m.src.Text) - 1
			}
		}
		return keyOf(e), ok
	}},
	{"moved-inside", func(m *maker) (string, bool) {
		e, ok := m.entry(func(e document.Entry) bool {
			return m.alone(e) && e.Value.Parent == m.root && e.Value.Kind == document.Scalar
		})
		inner, found := m.entry(func(o document.Entry) bool {
			return m.alone(o) && o.Value.Parent.Parent == m.root && o.Value.Parent.Kind == document.Mapping
		})
		if !ok || !found {
			return "", false
		}
		start, end := m.lines(e)
		line := string(m.src.Text[start:end])
		before, _ := m.lines(inner)
		indented := strings.Repeat(" ", inner.Key.Span.Start-before) + line
		if before > start {
			m.text = fmt.Appendf(nil, "%s%s%s%s", m.src.Text[:start], m.src.Text[end:before], indented, m.src.Text[before:])
			m.at = before - 1
		} else {
			m.text = fmt.Appendf(nil, "%s%s%s%s", m.src.Text[:before], indented, m.src.Text[before:start], m.src.Text[end:])
			m.at = before
		}
		return e.Key.Value, true
	}},
	{"dropped-quote", func(m *maker) (string, bool) {
		e, ok := m.entry(func(e document.Entry) bool {
			return e.Value.Kind == document.Scalar && (e.Value.Style == document.SingleQuoted || e.Value.Style == document.DoubleQuoted)
		})
		if ok {
			m.replace(e.Value.Span.End-1, e.Value.Span.End, "")
			m.at = e.Value.Span.Start
			return e.Key.Value, true
		}
		if e, ok = m.entry(plainScalar); ok {
			m.replace(e.Value.Span.Start, e.Value.Span.Start, []string{`"`, "'"}[m.IntN(2)])
		}
		return keyOf(e), ok
	}},
	{"no-space", func(m *maker) (string, bool) {
		e, ok := m.entry(plainScalar)
		if ok {
			m.replace(e.Key.Span.End+1, e.Value.Span.Start, "")
		}
		return keyOf(e), ok
	}},
	{"no-colon", func(m *maker) (string, bool) {
		e, ok := m.entry(anyEntry)
		if ok {
			m.replace(e.Key.Span.End, e.Key.Span.End+1, "")
		}
		return keyOf(e), ok
	}},
	{"tab", func(m *maker) (string, bool) {
		e, ok := m.entry(func(e document.Entry) bool { return m.alone(e) && e.Value.Parent.Parent != nil })
		if ok {
			start, _ := m.lines(e)
			m.replace(start, e.Key.Span.Start, "\t")
		}
		return keyOf(e), ok
	}},
	{"duplicate-key", func(m *maker) (string, bool) {
		e, ok := m.entry(m.alone)
		if ok {
			start, end := m.lines(e)
			m.replace(end, end, string(m.src.Text[start:end]))
		}
		return keyOf(e), ok
	}},
	{"dashed", func(m *maker) (string, bool) {
		e, ok := m.entry(m.alone)
		if ok {
			m.replace(e.Key.Span.Start, e.Key.Span.Start, "- ")
		}
		return keyOf(e), ok
	}},
	{"undashed", func(m *maker) (string, bool) {
		e, ok := m.entry(func(e document.Entry) bool {
			return e.Value.Kind == document.Sequence && e.Value.Style != document.Flow
		})
		if ok {
			at := e.Value.Items()[m.IntN(len(e.Value.Items()))].Dash()
			m.replace(at, at+1, " ")
		}
		return keyOf(e), ok
	}},
	{"other-schema", set(keyed("$schema"), func(m *maker, v string) string {
		names := []string{"commandComponent", "commandJob", "environment", "pipelineJob", "model", "onlineDeployment", "amlCompute", "data"}
		return regexp.MustCompile(`\w+(\.schema\.json)`).ReplaceAllString(v, names[m.IntN(len(names))]+"$1")
	})},
	{"misspelt-schema", set(keyed("$schema"), func(m *maker, v string) string {
		return strings.Replace(v, ".schema", []string{"s.schema", "X.schema", ""}[m.IntN(3)], 1)
	})},
	{"no-schema", func(m *maker) (string, bool) {
		e, ok := m.entry(func(e document.Entry) bool { return e.Key.Value == "$schema" && m.alone(e) })
		if ok {
			start, end := m.lines(e)
			m.replace(start, end, "")
		}
		return "", ok
	}},
	{"foreign-key", func(m *maker) (string, bool) {
		e, ok := m.entry(m.alone)
		if !ok {
			return "", false
		}
		start, _ := m.lines(e)
		key := []string{"name", "description", "type", "compute", "conda_file", "instance_count", "environment_variables", "path", "docker", "foo", "version"}[m.IntN(11)]
		m.replace(start, start, string(m.src.Text[start:e.Key.Span.Start])+key+": x\n")
		return key, true
	}},
}

// keyOf returns an entry's key, or "" if it has none.
func keyOf(e document.Entry) string {
	if e.Key == nil {
		return ""
	}
	return e.Key.Value
}
