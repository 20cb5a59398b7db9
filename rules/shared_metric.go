package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/python"
	"github.com/amlfix/amlfix/schema/source"
)

// logging is the metrics that a script logs, all of which are known.
type logging struct {
	code    *source.Source
	metrics []loggedMetric
}

// loggedMetric is the name of a metric, and where a script logs it.
type loggedMetric struct {
	name string
	span source.Span
}

// logs returns the metrics that the script at a path logs, and reads each script once. It returns none if the script
// may log others: with a name that is not a literal, through a library, or in another module of the project.
func (p *Pass) logs(rel string) logging {
	return p.shared.logging.of(rel, func() (l logging) {
		code, ok := p.Project.Code(rel)
		if !ok || !strings.Contains(string(code.Text), "log_metric") {
			return l
		}
		tokens, all, ok := program(code)
		if !ok || slices.ContainsFunc(all, func(s *python.Statement) bool { return p.importsOwn(path.Dir(rel), s) }) {
			return l
		}
		l.code = code
		end := 0 // of the last call
		for i, t := range tokens {
			switch {
			case t.Kind != python.Name:
			case t.Text == "log_metric" && i+1 < len(tokens) && tokens[i+1].Text == "(":
				call, read := python.CallAt(tokens, i+1)
				metric, ok := metricOf(call)
				if !read || !ok || i < end { // nobody writes a call in another, and a thousand of them take long
					return logging{}
				}
				end = call.End
				l.metrics = append(l.metrics, metric)
			case strings.Contains(strings.ToLower(t.Text), "log") && !catalog.LogsNoMetric.Has(t.Text), catalog.LogsMetrics.Has(t.Text):
				return logging{}
			}
		}
		return l
	})
}

// metricOf reads a call of log_metric; ok is false if the name is not a literal.
func metricOf(call python.Call) (m loggedMetric, ok bool) {
	if call.Open {
		return m, false
	}
	name := call.Keywords["key"]
	if len(call.Positional) > 0 {
		name = call.Positional[0]
	}
	if m.name, ok = python.Literal(name); ok {
		m.span = source.Span{Start: name[0].At, End: name[len(name)-1].End}
	}
	return m, ok
}

// importsOwn reports whether a statement imports a module that may be the project's own.
func (p *Pass) importsOwn(folder string, s *python.Statement) bool {
	if first := s.First(); first != "import" && first != "from" {
		return false
	}
	return slices.ContainsFunc(s.Tokens[1:], func(t python.Token) bool {
		return t.Kind == python.Operator && t.Text == "." && s.Tokens[1] == t ||
			t.Kind == python.Name && (p.Project.Exists(path.Join(folder, t.Text+".py")) || p.Project.Exists(path.Join(folder, t.Text)))
	})
}
